# SPDX-License-Identifier: Apache-2.0
# cmake -DNAME=... -DFOLDER=... -DSOURCE=... -P: writes a C source that defines NAME, a string: FOLDER/page.html with
# page.css for @style@ and the parts of the script, one behind the other, for @script@. Its policy (Content-Security-Policy, level 2) names them by their
# hashes, in base64: @style_hash@, @script_hash@.
function(hash_in_base64 text out)
  string(SHA256 hex "${text}")
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  set(result "")
  # three hexadecimal digits are two of base64; of 64 one is left over
  string(APPEND hex 00)
  foreach(at RANGE 0 63 3)
    string(SUBSTRING "${hex}" ${at} 3 three)
    math(EXPR high "0x${three} >> 6")
    math(EXPR low "0x${three} & 63")
    string(SUBSTRING "${digits}" ${high} 1 high)
    string(SUBSTRING "${digits}" ${low} 1 low)
    string(APPEND result "${high}${low}")
  endforeach()
  string(SUBSTRING "${result}" 0 43 result)
  set(${out} "sha256-${result}=" PARENT_SCOPE)
endfunction()

file(READ "${FOLDER}/page.html" page)
file(READ "${FOLDER}/page.css" style)
set(script "")
foreach(part tables panel address)
  file(READ "${FOLDER}/${part}.js" text)
  string(APPEND script "${text}")
endforeach()
if("${style}${script}" MATCHES "{{|</")
  message(FATAL_ERROR "the style or the script: '{{' and '</' mean something to the page that they are put into")
endif()
hash_in_base64("${style}" style_hash)
hash_in_base64("${script}" script_hash)
foreach(part style_hash script_hash style script)
  string(REPLACE "@${part}@" "${${part}}" page "${page}")
endforeach()
string(HEX "${page}" bytes)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE "${SOURCE}" "/* SPDX-License-Identifier: Apache-2.0 */
extern const char ${NAME}[];
const char ${NAME}[] = {
${bytes}0};
")
