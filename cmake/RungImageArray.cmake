# SPDX-License-Identifier: Apache-2.0
# cmake -DIMAGE=... -DFILE=... -DSOURCE=... -P: writes a C source that defines IMAGE with the bytes of FILE, for compilers
# that do not assemble .incbin. Slow, and without room for more than 2 GB.
file(READ "${FILE}" bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE "${SOURCE}" "/* SPDX-License-Identifier: Apache-2.0 */
#include \"rung/table.h\"

extern const rung_image ${IMAGE};
static _Alignas(64) const unsigned char ${IMAGE}__bytes[] = {
${bytes}};
const rung_image ${IMAGE} = {${IMAGE}__bytes, sizeof ${IMAGE}__bytes};
")
