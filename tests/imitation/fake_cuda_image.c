/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_image.c: the container of a fatbin, as nvcc 13.0 writes it, and which of its parts a device takes. A part
 * holds an ELF file or PTX, or, in a stand-in (cuda_on_host/stand_in.h), the names of its entries alone.
 *
 * What the real driver answers to machine code of a toolkit of a later major version than its own is not known: here it
 * is 222, as for PTX.
 */
#include "fake_cuda_state.h"

#include <elf.h>

enum { HEADER = 16, PART_HEADER = 64 };
enum { FLAG_A = 0x100000, FLAG_F = 0x200000, FLAG_ZSTD = 0x8000, FLAG_COMPRESSED = 0x2000 };
static const uint32_t magic = 0xba55ed50;

static uint32_t u16(const char *at)
{
    uint16_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

static uint32_t u32(const char *at)
{
    uint32_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

static uint64_t u64(const char *at)
{
    uint64_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

/* The part at *at, which is moved behind it; false at the end, or where it is not well formed (then *at is not end). */
static bool next_part(const char **at, const char *end, image_part *out)
{
    const char *p = *at;
    if ((size_t)(end - p) < PART_HEADER)
        return false;
    const uint32_t header = u32(p + 4);
    const uint64_t size = u64(p + 8);
    if (header < PART_HEADER || header > (size_t)(end - p) || size > (size_t)(end - p) - header)
        return false;
    *out = (image_part){
        .kind = (uint16_t)u16(p),
        .sm = u32(p + 28),
        .flags = u64(p + 40),
        .ptx = (int)(u16(p + 26) * 10 + u16(p + 24)),
        .data = p + header,
        .size = size,
    };
    *at = p + header + size;
    return true;
}

size_t fake_image_size(const void *data)
{
    const char *at = data, *end;
    image_part part;
    if (data == NULL || u32(at) != magic || u16(at + 4) != 1 || u16(at + 6) != HEADER)
        return 0;
    const size_t size = HEADER + u64(at + 8);
    end = at + size;
    at += HEADER;
    while (next_part(&at, end, &part))
        continue;
    return at == end && size > HEADER ? size : 0;
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

/* Of the families that `f` targets are for: 10.x, 11.x and 12.x. */
static bool is_same_family(uint32_t a, uint32_t b)
{
    return a / 10 == b / 10;
}

/* Source: CUDA C++ Programming Guide, binary compatibility, and the capabilities of Jetson and Thor. */
static bool is_tegra(uint32_t sm)
{
    return sm == 53 || sm == 62 || sm == 72 || sm == 87 || sm == 101 || sm == 110;
}

/* How well a part suits: 0 not at all; machine code before PTX, `a` before `f` before plain, the newest first. */
static uint32_t suits(const image_part *part, uint32_t capability)
{
    const bool a = (part->flags & FLAG_A) != 0, f = (part->flags & FLAG_F) != 0;
    if ((a && part->sm != capability) || part->sm > capability || (f && !is_same_family(part->sm, capability)))
        return 0;
    if (part->kind == PART_SASS && (part->sm / 10 != capability / 10 || is_tegra(part->sm) != is_tegra(capability)))
        return 0;
    return (part->kind == PART_SASS ? 3000U : 0U) + (a ? 2000U : f ? 1000U : 0U) + part->sm;
}

/* The version of the driver from which on a PTX ISA is known. Source: the PTX ISA's release history. */
static int driver_of_isa(int isa)
{
    const int major = isa / 10, minor = isa % 10;
    if (major < 8)
        return major == 7 ? 11000 + 10 * minor : 10000;
    return (major + 4) * 1000 + 10 * (major == 8 && minor >= 6 ? minor + 1 : minor);
}

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && strcmp(value, "1") == 0;
}

/* 0, or what the driver has against a part that suits. */
static int refusal(const image_part *part)
{
    const int driver = fake_driver_version();
    if (part->kind == PART_SASS)
        return (int)fake_number("toolkit", 13000) / 1000 > driver / 1000 ? UNSUPPORTED_PTX : 0;
    if (is_set("CUDA_DISABLE_PTX_JIT") || is_set("CUDA_DISABLE_JIT"))
        return JIT_DISABLED;
    return (int)fake_number("ptx", driver_of_isa(part->ptx)) > driver ? UNSUPPORTED_PTX : 0;
}

int fake_image_choose(const void *data, const fake_device *device, image_part *out)
{
    const size_t size = fake_image_size(data);
    if (size == 0)
        return INVALID_IMAGE;
    const char *at = (const char *)data + HEADER, *end = (const char *)data + size;
    const uint32_t capability = (uint32_t)(device->major * 10 + device->minor);
    uint32_t best = 0;
    int code = NO_BINARY_FOR_GPU;
    image_part part;
    while (next_part(&at, end, &part)) {
        const uint32_t how = suits(&part, capability);
        if (how == 0 || (part.kind == PART_SASS && is_set("CUDA_FORCE_PTX_JIT")))
            continue;
        const int against = refusal(&part);
        if (against != 0 && best == 0)
            code = against;
        if (against != 0 || how <= best)
            continue;
        best = how;
        code = 0;
        *out = part;
    }
    return code;
}

/* ---- entries ----------------------------------------------------------------------------------------------------- */

static bool elf_has(const image_part *part, const char *name)
{
    Elf64_Ehdr header;
    if (part->size < sizeof header)
        return false;
    memcpy(&header, part->data, sizeof header);
    for (unsigned i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr symbols, strings;
        const uint64_t at = header.e_shoff + (uint64_t)i * sizeof symbols;
        if (at > part->size - sizeof symbols)
            return false;
        memcpy(&symbols, part->data + at, sizeof symbols);
        if (symbols.sh_type != SHT_SYMTAB || symbols.sh_link >= header.e_shnum)
            continue;
        memcpy(&strings, part->data + header.e_shoff + symbols.sh_link * sizeof strings, sizeof strings);
        if (symbols.sh_offset > part->size || symbols.sh_size > part->size - symbols.sh_offset ||
            strings.sh_offset > part->size || strings.sh_size > part->size - strings.sh_offset)
            return false;
        for (uint64_t s = 0; s + sizeof(Elf64_Sym) <= symbols.sh_size; s += sizeof(Elf64_Sym)) {
            Elf64_Sym symbol;
            memcpy(&symbol, part->data + symbols.sh_offset + s, sizeof symbol);
            if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_name < strings.sh_size &&
                strcmp(part->data + strings.sh_offset + symbol.st_name, name) == 0)
                return true;
        }
    }
    return false;
}

/* Whether a text has the name as a whole word. */
static bool text_has(const char *text, size_t size, const char *name)
{
    const size_t len = strlen(name);
    for (const char *at = text; (size_t)(text + size - at) >= len; at++) {
        at = memchr(at, name[0], (size_t)(text + size - at) - len + 1);
        if (at == NULL)
            return false;
        const char before = at == text ? '\n' : at[-1], after = at + len == text + size ? '\n' : at[len];
        if (memcmp(at, name, len) == 0 && strchr(" \n\t", before) != NULL && strchr(" \n\t(", after) != NULL)
            return true;
    }
    return false;
}

bool fake_part_has(const image_part *part, const char *name)
{
    if (part->size >= SELFMAG && memcmp(part->data, ELFMAG, SELFMAG) == 0)
        return elf_has(part, name);
    if ((part->flags & (FLAG_ZSTD | FLAG_COMPRESSED)) != 0)
        return fake_kernel_code(name) != NULL; /* it cannot be read here */
    return text_has(part->data, part->size, name);
}

bool fake_image_has(const void *data, const char *name)
{
    const char *at = (const char *)data + HEADER, *end = (const char *)data + fake_image_size(data);
    image_part part;
    while (next_part(&at, end, &part))
        if (fake_part_has(&part, name))
            return true;
    return false;
}
