/* SPDX-License-Identifier: Apache-2.0
 *
 * table.h: the layout of a compiled registry. Written by codegen, read by the library; programs do not need it.
 *
 * Everything is an integer: names are offsets into one string pool, links are indexes, so that the tables are constant
 * and need no relocation but the few pointers of struct rung_registry itself, and one for each image. (A kernel that is
 * launched on a device has two more, in the object of its op: rung_launched in launch.h.) RUNG_TABLE_ABI changes with
 * this file.
 */
#ifndef RUNG_TABLE_H
#define RUNG_TABLE_H

#include <stdint.h>

#include "rung/rung.h"

#define RUNG_TABLE_ABI 4u

#define RUNG_NO_ARCH     UINT16_MAX
#define RUNG_NO_ROW      UINT16_MAX
#define RUNG_NO_CHOICE   255u /* an ordinal that no cell has; an op has at most 255 cells */
#define RUNG_TARGETS_MAX 31
#define RUNG_NO_IMAGE    0u /* the first of `images`, which is none */

/* How a device's archs are named, ranked and checked (docs/resolution.md, R2 and R3). */
typedef enum rung_model {
    RUNG_MODEL_NONE = 0,
    RUNG_MODEL_LADDER,  /* smNN, rank NN */
    RUNG_MODEL_CUDA,    /* smNN by capability NN; listed archs may have suffixes, detected ones have none */
    RUNG_MODEL_X86,     /* x86-64-v2 2, x86-64-v3 3, x86-64-v4 4, amx 5 */
    RUNG_MODEL_AARCH64, /* neon 1, sve 2, sve2 3 */
    RUNG_MODEL_AMDGCN   /* by name only */
} rung_model;

/* A device. Its listed archs are arch_names[first_arch .. first_arch + archs), in the registry's order. */
typedef struct rung_device_row {
    uint32_t name;
    uint16_t first_arch, archs;
    uint16_t first_fallback,
        fallbacks;                /* into `fallbacks`: device ids; cpu included as the last where it was left out */
    uint16_t first_break, breaks; /* into `breaks` */
    uint16_t portable_row;        /* the row of a device whose arch is not known: its portable archs */
} rung_device_row;

/* A name that an arch of a device may have, and the row that it resolves along. The listed archs come first, grouped by
 * device, and their index is the arch id; after them stand names that no list holds but that the model knows (amdgcn).
 */
typedef struct rung_arch_row {
    uint32_t name;
    uint32_t target; /* e.g. "compute_75"; offset 0 (the empty string) for none */
    uint16_t device;
    uint16_t row;
    uint8_t model; /* the model that this name belongs to: a cpu list holds those of two families */
    uint8_t portable;
    uint16_t rank; /* 0 for portable ones */
} rung_arch_row;

/* The arch chain of one detected arch: arch ids steps[first_step .. first_step + steps). An arch that is not listed
 * resolves along the row of its rank; it stands itself before the steps when people are shown the chain. */
typedef struct rung_row {
    uint16_t first_step, steps;
} rung_row;

/* For an arch that is not in arch_names: of those of its device and model, sorted by rank, the last with rank <= its
 * own. */
typedef struct rung_break {
    uint8_t model;
    uint8_t reserved;
    uint16_t rank;
    uint16_t row;
} rung_break;

enum { RUNG_VARIANT_STRICT = 1u };
typedef struct rung_variant_row {
    uint32_t name;
    uint8_t flags;
} rung_variant_row;

/* A requirement other than a CPU feature. */
typedef enum rung_requirement_kind {
    RUNG_REQUIREMENT_BUILD = 0, /* decided by the C preprocessor: an unmet one is `not built` */
    RUNG_REQUIREMENT_LIBRARY,   /* a shared library, opened at the first use: `library missing` */
    RUNG_REQUIREMENT_DRIVER     /* a least version of the driver of the cell's device: `requirement unmet` */
} rung_requirement_kind;
typedef struct rung_requirement_row {
    uint32_t name;
    uint32_t library; /* LIBRARY: the file's name, as dlopen wants it */
    uint32_t minimum; /* DRIVER: RUNG_DRIVER_VERSION */
    uint8_t kind;
    uint8_t met; /* BUILD: whether this build has it; 1 for the others */
} rung_requirement_row;

#define RUNG_DRIVER_VERSION(major, minor) ((uint32_t)(major) << 16 | (uint32_t)(minor))

enum {
    RUNG_CELL_BUILT = 1u,
    RUNG_CELL_PLANNED = 2u,
    RUNG_CELL_EXPERIMENTAL = 4u,
    RUNG_CELL_FIRST_USE = 8u /* its first use has something to do that may fail: rung_warm in rung.h */
};
typedef struct rung_cell_row {
    uint32_t op;
    uint32_t symbol, source;
    uint16_t arch;
    uint8_t variant;
    uint8_t flags;
    uint16_t first_requirement, requirements; /* into `cell_requirements`: requirement ids */
    uint64_t features;                        /* CPU features beside those of the arch, of the arch's family */
    uint64_t workspace;
    uint32_t first_entry; /* into `entries`: the names of the functions that its launcher launches */
    uint16_t entries;     /* 0: it is a function of the program */
    uint16_t image;       /* into `images`; RUNG_NO_IMAGE where there are no entries */
} rung_cell_row;

/* One source compiled for one arch of a device with a driver, as the build has embedded it: for CUDA a fatbin. Each in
 * an object of its own, so that a static link takes those that it needs. */
typedef struct rung_image {
    const void *data; /* aligned to 64 bytes */
    uint64_t size;    /* bytes */
} rung_image;

/* What the images of a device are made with. */
typedef struct rung_toolkit {
    uint32_t version; /* RUNG_DRIVER_VERSION of the toolkit */
    /* Ranks of the targets of an image on the arch `generic`, ascending, ended by 0; its PTX is that of the first. */
    uint16_t targets[RUNG_TARGETS_MAX + 1];
} rung_toolkit;

/* An op. Its cells are cells[first_cell .. first_cell + cells), in key order; a cell's place among them is its ordinal.
 * `shape` is the op's pattern of chains, shared by all ops with the same pattern: for local variant l and row r the
 * candidates stand at candidates[chains[shape + l * rows + r]]: a count, then ordinals, best first.
 * Locals: op_variants[first_variant .. first_variant + variants), ascending variant ids, the first being 0 (default). A
 * variant without a local has no cell in this op: it acts as default, or has no kernel when it is strict. */
typedef struct rung_op_row {
    uint32_t name, summary;
    uint32_t first_cell;
    uint32_t shape;
    uint32_t first_variant;
    uint8_t variants;
    uint8_t cells;
    uint8_t flags; /* RUNG_OP_NO_TERMINAL */
} rung_op_row;
enum { RUNG_OP_NO_TERMINAL = 1u };

/* A kind of component. Its builders are builders[first_builder .. first_builder + builders), in key order; a builder's
 * place among them is its ordinal. */
typedef struct rung_kind_row {
    uint32_t name, summary;
    uint32_t first_builder, builders;
} rung_kind_row;

typedef struct rung_builder_row {
    uint32_t kind;
    uint32_t symbol, source;
    uint16_t device;
    uint8_t variant;
    uint8_t flags;                            /* RUNG_CELL_* */
    uint16_t first_requirement, requirements; /* into `cell_requirements` */
    uint64_t features;                        /* CPU features, of their own family */
    uint8_t model; /* of the features: RUNG_MODEL_X86, RUNG_MODEL_AARCH64; NONE without any */
} rung_builder_row;

/* The kinds of devices that Rung has words for, as bits; a registry has no device of another name. */
enum {
    RUNG_ON_ACCEL = 1u,
    RUNG_ON_CPU = 2u,
    RUNG_ON_CUDA = 4u,
    RUNG_ON_METAL = 8u,
    RUNG_ON_OPENCL = 16u,
    RUNG_ON_ROCM = 32u,
    RUNG_ON_TPU = 64u,
    RUNG_ON_COUNT = 7 /* of them */
};

/* A line of the ranking of backends (rung/select.h), in the registry's order: highest score first. */
typedef struct rung_backend_row {
    uint32_t framework;
    /* what the framework calls its device, `{index}` for that of the first usable one; offset 0: none */
    uint32_t device;
    uint32_t reason;  /* `{count}` stands for the number of usable ones */
    uint32_t devices; /* RUNG_ON_*: those on which the line holds; 0: it needs none */
    uint32_t score;
    uint32_t limited_score, limited_reason; /* in their place where the memory in all is below */
    uint64_t limited_below;                 /* so many MB of 2^20 bytes; 0: never */
} rung_backend_row;

/* How far a probe goes. */
typedef enum rung_depth {
    /* Nothing is initialised: files, nodes, and libraries that can be asked without. Where that does not tell, the
     * state is NOT_ASKED. For lists of devices and for the choice of a backend. */
    RUNG_DEPTH_LOOK,
    /* As LOOK, but the driver is initialised where nothing else tells a device's arch: for opening a chain. */
    RUNG_DEPTH_OPEN,
    /* Everything, a context tried on every device: in a process of its own, or where it was asked for. */
    RUNG_DEPTH_FULL
} rung_depth;

/* A probe of a kind of device. Part of a registry that has kernels or builders for it, so that no other one brings it,
 * and the loader that it needs, into a static link. */
struct rung_world;
struct rung_device_report;
typedef void rung_probe_fn(const struct rung_world *world, rung_depth depth, struct rung_device_report *out);
RUNG_API rung_probe_fn rung_probe_amd, rung_probe_metal, rung_probe_nvidia, rung_probe_opencl, rung_probe_tpu;

/* Opens a shared library for the life of the process: NONE, LIBRARY_MISSING, or STATIC_PROGRAM where the program has no
 * dynamic loader; the figures go to detail [size]. Part of a registry that has a requirement of kind LIBRARY, so that
 * no other one brings the loader into a static link. */
typedef rung_reason rung_library_fn(const char *name, char *detail, size_t size);
RUNG_API rung_library_fn rung_library_open;

/* A driver of devices, through which images are loaded and launched, and memory is moved: src/gpu/driver.h. Part of a
 * registry that has images for such a device, so that no other one brings it into a static link. */
struct rung_gpu_driver;
RUNG_API extern const struct rung_gpu_driver rung_cuda_driver;

/* A perfect hash, hash and displace: slot = (h1 + displace[h0 % buckets] * h2) % slots, values[slot] is the only id
 * that the key can have; whoever looks up compares the key. h0, h1, h2 come from rung_hash_bytes or rung_hash_cell: see
 * src/hash.c and codegen/perfect_hash.py, which must agree. Empty: slots 0. */
typedef struct rung_hash {
    const uint16_t *displace;
    const uint32_t *values; /* RUNG_NONE in unused slots */
    uint32_t buckets, slots;
    uint64_t seed;
} rung_hash;

struct rung_registry {
    uint32_t abi;  /* RUNG_TABLE_ABI */
    uint32_t size; /* sizeof(struct rung_registry) */
    const char *name_space;
    const char *strings; /* the pool; offset 0 is the empty string */

    const rung_device_row *devices;
    const rung_arch_row *arch_names;
    const rung_row *rows;
    const uint16_t *steps;
    const rung_break *breaks;
    const uint16_t *fallbacks;
    const uint16_t *auto_devices; /* what a NULL chain walks */
    const rung_variant_row *variants;
    const rung_requirement_row *requirements;
    const uint16_t *cell_requirements;
    const rung_op_row *ops;
    const uint8_t *op_variants;
    const rung_cell_row *cells;
    const uint32_t *chains;
    const uint8_t *candidates;
    const rung_kind_row *kinds;
    const rung_builder_row *builders;
    const rung_backend_row *backends;
    const uint32_t *entries; /* names, in `strings` */
    /* NULL where the program has not linked the op that an image belongs to: the references are weak */
    const rung_image *const *images;
    const rung_toolkit *toolkits[RUNG_ON_COUNT];          /* by device id; NULL: nothing is built for it */
    const struct rung_gpu_driver *drivers[RUNG_ON_COUNT]; /* by device id; NULL: it has none, or nothing is built */
    rung_probe_fn *probes[RUNG_ON_COUNT]; /* by device id; NULL: this build has nothing for it, or it has no driver */
    rung_library_fn *open_library;        /* rung_library_open; NULL: nothing that is built requires a LIBRARY */

    uint32_t n_devices, n_archs, n_arch_names, n_rows, n_auto, n_variants, n_requirements, n_ops, n_cells;
    uint32_t n_kinds, n_builders, n_backends, n_entries, n_images;

    rung_hash op_hash;      /* op name -> op id */
    rung_hash variant_hash; /* variant name -> variant id */
    rung_hash device_hash;  /* device name -> device id */
    rung_hash arch_hash;    /* "device/arch" -> index into arch_names */
    rung_hash kind_hash;    /* kind name -> kind id */
    rung_hash cell_hash;    /* (op id, arch id, variant id) -> cell id */
};

#endif
