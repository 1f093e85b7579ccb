/* SPDX-License-Identifier: Apache-2.0
 *
 * rung.h: choose, once, the best kernel that this machine can run for every operation of a registry, and call it.
 *
 * A registry (registry.yaml) is compiled by `python3 -m codegen` into constant tables and one small dispatch function
 * per operation. This header is the run-time half. It knows nothing of any particular registry:
 *
 *     rung_platform *p;
 *     rung_error err;
 *     if (rung_platform_open(&rk_registry, NULL, 0, &p, &err) != RUNG_OK) { fputs(err.text, stderr); ... }
 *     rung_ctx cx = rung_ctx_of(p);
 *     rk_gemm_tn(&cx, c, a, b, m, n, k, 1.0, 0.0);       // generated: checked, typed, one switch of direct calls
 *     rung_platform_close(p);
 *
 * WORDS. An op is a typed operation. A cell is one kernel: (op, device, arch, variant) -> one C function. A chain is
 * the ordered devices, and for each device the ordered archs, along which a platform falls back. A rung is one step of
 * it; the terminal rung is the reference kernel cpu/generic. A platform is the result of detection: for every op and
 * variant, the cell that is called.
 *
 * THREADS. Every function may be called from any thread at any time, before, during and after constructors. A platform
 * may be shared by threads; only rung_platform_close needs that nobody else is using it. A rung_ctx is a plain value:
 * one per thread, or one that nobody changes.
 *
 * ERRORS. Functions that can fail return a rung_status. Where there is a rung_error argument it may be NULL; otherwise
 * it is filled with the status and one line of text without a newline. On failure, outputs are untouched unless said.
 *
 * OUTPUT. The library prints nothing, unless RUNG_LOG=info or RUNG_LOG=debug is set, or a log callback is given.
 *
 * The environment variables RUNG_PLATFORM and RUNG_LOG are read when a platform is opened; nothing is ever written to
 * the environment.
 */
#ifndef RUNG_RUNG_H
#define RUNG_RUNG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define RUNG_API __attribute__((visibility("default")))
#else
#define RUNG_API
#endif

#define RUNG_VERSION_STRING "0.1.0"

/* ---- status ------------------------------------------------------------------------------------------------------ */

typedef enum rung_status {
    RUNG_OK = 0,
    RUNG_ERR_ARGUMENT,    /* NULL where that is not allowed, a scalar out of range, sizes whose product overflows */
    RUNG_ERR_SYNTAX,      /* a platform string that does not parse */
    RUNG_ERR_UNKNOWN,     /* a name that the registry does not have; the text names the nearest ones */
    RUNG_ERR_UNAVAILABLE, /* the platform asked for cannot run here; the text says what is missing */
    RUNG_ERR_NO_KERNEL,   /* nothing available along the chain for this op and variant */
    RUNG_ERR_MEMORY,      /* out of memory, on the host or on a device */
    RUNG_ERR_WORKSPACE,   /* the context's workspace is smaller than the chosen kernel needs, or not aligned */
    RUNG_ERR_NUMERIC, /* the kernel ran and the problem has no answer, e.g. a matrix that is not positive definite */
    RUNG_ERR_DEVICE,  /* the device failed during a call */
    RUNG_ERR_ABI      /* the tables were generated for another version of this library */
} rung_status;

/* A constant text such as "bad argument"; never NULL. */
RUNG_API const char *rung_status_text(rung_status status);

#define RUNG_ERROR_TEXT 512
typedef struct rung_error {
    rung_status status;
    char text[RUNG_ERROR_TEXT]; /* UTF-8, one line, no newline, always terminated */
} rung_error;

/* ---- registries -------------------------------------------------------------------------------------------------- */

/* A compiled registry: constant tables, one per namespace, declared as `<ns>_registry` in the generated <ns>/<ns>.h. */
typedef struct rung_registry rung_registry;

RUNG_API const char *rung_registry_namespace(const rung_registry *registry);

/* Ids are dense, start at 0 and are not ABI: names are. The count functions give the number of ids; the name functions
 * give NULL for an id that does not exist; the find functions verify the name and give RUNG_NONE for an unknown one.
 * Of no registry (NULL), and of tables that were generated for another version of this library, they know nothing. */
#define RUNG_NONE UINT32_MAX
RUNG_API uint32_t rung_op_count(const rung_registry *registry);
RUNG_API const char *rung_op_name(const rung_registry *registry, uint32_t op);
RUNG_API const char *rung_op_summary(const rung_registry *registry, uint32_t op);
RUNG_API uint32_t rung_op_find(const rung_registry *registry, const char *name);
RUNG_API uint32_t rung_variant_count(const rung_registry *registry);
RUNG_API const char *rung_variant_name(const rung_registry *registry, uint32_t variant);
RUNG_API uint32_t rung_variant_find(const rung_registry *registry, const char *name);
RUNG_API uint32_t rung_device_count(const rung_registry *registry);
RUNG_API const char *rung_device_name(const rung_registry *registry, uint32_t device);
RUNG_API uint32_t rung_device_find(const rung_registry *registry, const char *name);

/* ---- platforms --------------------------------------------------------------------------------------------------- */

typedef struct rung_platform rung_platform;

enum {
    RUNG_OPEN_INSPECT =
        1u, /* devices and archs that are not there are no error: their rungs are skipped, with reason */
    RUNG_OPEN_EXPERIMENTAL = 2u, /* cells marked experimental may be chosen */
    RUNG_OPEN_NO_ENV = 4u        /* RUNG_PLATFORM is not looked at */
};

/* Opens a platform. Costs one allocation and about a microsecond beside the six CPUID instructions of
 * detection, which a virtual machine traps at several microseconds each.
 *
 * chain: NULL stands for RUNG_PLATFORM if that is set and not empty, else for the registry's `auto` list: the first
 * device that is present, usable and has a built kernel. Otherwise device[:index][/arch]{,device[:index][/arch]}, as
 * "cpu", "cpu/x86-64-v3", "accel/sm90"; `cpu` is appended when absent. An arch below the detected one is a cap; one
 * above it, or a device that is absent, is RUNG_ERR_UNAVAILABLE unless RUNG_OPEN_INSPECT is given.
 *
 * flags: RUNG_OPEN_* or'ed.
 *
 * out: receives the platform; close it with rung_platform_close.
 *
 * Fails with ARGUMENT, SYNTAX, UNKNOWN, UNAVAILABLE, MEMORY or ABI. */
RUNG_API rung_status rung_platform_open(const rung_registry *registry, const char *chain, unsigned flags,
                                        rung_platform **out, rung_error *err);
/* NULL is allowed. */
RUNG_API void rung_platform_close(rung_platform *platform);

RUNG_API const rung_registry *rung_platform_registry(const rung_platform *platform);
/* One line such as "cpu/x86-64-v4" or "accel/sm90,cpu/x86-64-v3": opening it again on this machine gives the same
 * platform. Owned by the platform. */
RUNG_API const char *rung_platform_text(const rung_platform *platform);
/* Why this platform: one line, e.g. "RUNG_PLATFORM=cpu" or "automatic: first of cuda, cpu that is usable". */
RUNG_API const char *rung_platform_reason(const rung_platform *platform);

/* The chain: device positions 0 .. rung_platform_devices()-1, the first being the platform's own. */
RUNG_API uint32_t rung_platform_devices(const rung_platform *platform);
RUNG_API const char *rung_platform_device(const rung_platform *platform, uint32_t position); /* NULL past the end */
RUNG_API const char *rung_platform_arch(const rung_platform *platform, uint32_t position);   /* the arch in force */
RUNG_API const char *rung_platform_detected(const rung_platform *platform,
                                            uint32_t position); /* the arch found, or "" */
RUNG_API uint32_t rung_platform_index(const rung_platform *platform, uint32_t position);
/* The arch chain of one device, step 0, 1, ...; NULL past the end. */
RUNG_API const char *rung_platform_arch_step(const rung_platform *platform, uint32_t position, uint32_t step);

/* ---- contexts ---------------------------------------------------------------------------------------------------- */

typedef enum rung_memory {
    RUNG_MEMORY_HOST = 0, /* plain pointers are host memory: only kernels that can reach it are called */
    RUNG_MEMORY_DEVICE,   /* plain pointers are memory of the platform's first device */
    RUNG_MEMORY_ANY       /* buffers: set by the generated _buf calls, not by callers */
} rung_memory;

typedef struct rung_queue rung_queue;   /* an ordered stream of calls on a device; NULL: the default, synchronous one */
typedef struct rung_buffer rung_buffer; /* memory that follows the device */

/* What a call needs beside its arguments. A value, on the stack; nothing is owned. Start from rung_ctx_of and set what
 * you need; fields added later are zero by default, so never fill it by position. */
typedef struct rung_ctx {
    rung_platform *platform;
    uint32_t variant;      /* <NS>_VARIANT_*; 0 is `default`; an id that the registry does not have acts as default */
    uint32_t memory;       /* rung_memory of the plain pointers */
    rung_queue *queue;     /* NULL: the call has finished when it returns */
    void *workspace;       /* scratch for kernels that declare it, aligned to 64 bytes; not kept after the call */
    size_t workspace_size; /* bytes */
    uint32_t threads;      /* most threads that a kernel may use; 0: as many as it likes; 1: the caller's own */
    uint32_t reserved[5];  /* zero */
} rung_ctx;
/* `threads` binds Rung's own kernels. A kernel that calls a library with a thread pool of its own (variant `openblas`)
 * uses as many threads as that library is set to. */

RUNG_API rung_ctx rung_ctx_of(rung_platform *platform);

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* A buffer is one piece of memory with at most one valid copy per device; generated `<ns>_<op>_buf` calls take buffers,
 * resolve among the kernels of all devices of the chain, and move data only when the device changes.
 *
 * A created buffer is aligned to 64 bytes and not initialised; it may have 0 bytes. A buffer is used with its own
 * platform only, and is destroyed before that is closed. */
RUNG_API rung_status rung_buffer_create(rung_platform *platform, size_t bytes, rung_buffer **out, rung_error *err);
/* Wraps host memory that the caller owns and that must outlive the buffer. */
RUNG_API rung_status rung_buffer_wrap(rung_platform *platform, void *host, size_t bytes, rung_buffer **out,
                                      rung_error *err);
RUNG_API void rung_buffer_destroy(rung_buffer *buffer); /* NULL is allowed */
RUNG_API size_t rung_buffer_size(const rung_buffer *buffer);
/* The host copy, made valid first; valid until the next call that uses the buffer. NULL when a transfer failed, for a
 * NULL buffer, and for NULL that was wrapped as 0 bytes. */
RUNG_API void *rung_buffer_host(rung_buffer *buffer);
/* Copies between devices made for this buffer so far. */
RUNG_API uint64_t rung_buffer_moves(const rung_buffer *buffer);

/* ---- what was chosen, and why ------------------------------------------------------------------------------------ */

/* Why a candidate is not chosen: the first that applies, in this order. */
typedef enum rung_reason {
    RUNG_REASON_NONE = 0, /* available */
    RUNG_REASON_NOT_DECLARED,
    RUNG_REASON_PLANNED,
    RUNG_REASON_NOT_BUILT,
    RUNG_REASON_EXPERIMENTAL,
    RUNG_REASON_CAPPED,
    RUNG_REASON_MEMORY,
    RUNG_REASON_DEVICE_ABSENT,
    RUNG_REASON_DEVICE_HIDDEN,
    RUNG_REASON_DRIVER_MISSING,
    RUNG_REASON_DRIVER_BROKEN,
    RUNG_REASON_DRIVER_TOO_OLD,
    RUNG_REASON_STATIC_PROGRAM,
    RUNG_REASON_PERMISSION_DENIED,
    RUNG_REASON_DEVICE_UNUSABLE,
    RUNG_REASON_FORKED,
    RUNG_REASON_ARCH_INVALID,
    RUNG_REASON_PTX_TOO_NEW,
    RUNG_REASON_CPU_LACKS,
    RUNG_REASON_SYSTEM_DISABLED,
    RUNG_REASON_REQUIREMENT_UNMET,
    RUNG_REASON_LIBRARY_MISSING,
    RUNG_REASON_LOAD_FAILED,
    RUNG_REASON_PERMISSION_REFUSED,
    RUNG_REASON_COUNT
} rung_reason;

/* The text of docs/resolution.md, e.g. "not built"; "available" for NONE; never NULL. */
RUNG_API const char *rung_reason_text(rung_reason reason);

/* One cell as seen by a platform. Strings belong to the registry, `detail` to the call that filled the struct. */
typedef struct rung_cell {
    const char *op, *device, *arch, *variant;
    const char *symbol, *source; /* source: path relative to the registry; both "" when not declared */
    uint64_t workspace;          /* bytes that the kernel needs from the caller */
    uint32_t id;                 /* dense cell id, RUNG_NONE when not declared */
    int declared, built, planned, experimental;
    int chosen;         /* this is the cell that is called */
    rung_reason reason; /* NONE: available */
    char detail[160];   /* the figures behind the reason, e.g. "avx512f"; may be empty */
} rung_cell;

/* A resolution. */
typedef struct rung_resolution {
    rung_cell cell;           /* the winner */
    int variant_not_declared; /* the registry has never heard of the variant: `default` was resolved */
    uint32_t rung;            /* its position among the candidates, 0 being the first choice */
} rung_resolution;

/* What would be called for (op, variant) with data in `memory`. NO_KERNEL: the error names op, variant and chain. */
RUNG_API rung_status rung_resolve(const rung_platform *platform, uint32_t op, uint32_t variant, rung_memory memory,
                                  rung_resolution *out, rung_error *err);
/* The same by name. An unknown op is RUNG_ERR_UNKNOWN; an unknown variant resolves as `default` and says so; NULL or ""
 * is `default`. */
RUNG_API rung_status rung_resolve_name(const rung_platform *platform, const char *op, const char *variant,
                                       rung_memory memory, rung_resolution *out, rung_error *err);

/* Called once for every rung, in order; return non-zero to stop. The cell lives until the callback returns. */
typedef int rung_cell_fn(const rung_cell *cell, void *user);

/* Every rung of (op, variant) along the chain, available or not, declared or not, with exactly one reason each; archs
 * outside of the chain, such as those above the one in force, are listed first where the registry has a cell there.
 * Resolved as for buffers, which all kernels of the chain can be given. */
RUNG_API rung_status rung_explain(const rung_platform *platform, uint32_t op, uint32_t variant, rung_cell_fn *fn,
                                  void *user);

/* The cell with exactly this key, available or not; device, arch and variant matched byte by byte, variant NULL being
 * `default`. RUNG_ERR_UNKNOWN when there is none. */
RUNG_API rung_status rung_cell_find(const rung_registry *registry, const char *op, const char *device, const char *arch,
                                    const char *variant, rung_cell *out, rung_error *err);

/* Every declared cell, sorted by op, device, arch, variant as bytes. Without a platform (NULL), reasons are what the
 * build knows, and nothing is opened; with one, what that platform knows. */
RUNG_API rung_status rung_matrix(const rung_registry *registry, const rung_platform *platform, rung_cell_fn *fn,
                                 void *user);

/* ---- the CPU ----------------------------------------------------------------------------------------------------- */

/* What this processor and its system offer. Read from CPUID and XGETBV, or from HWCAP on AArch64: never from a model
 * name. */
typedef struct rung_cpu {
    const char *family; /* "x86", "aarch64" or "other" */
    const char *level;  /* the highest of the arch model: "x86-64-v4", "neon", or "generic" */
    uint64_t features;  /* bits of rung_cpu_feature_name */
    uint64_t disabled;  /* features that the processor has and the system does not enable */
    int amx_permission; /* 1: tile data may be used; 0: has to be asked for; -1: no AMX or not to be had */
    uint32_t sve_bytes; /* SVE vector length, 0 without SVE */
    char vendor[16];    /* for people; decides nothing */
    char model[64];     /* for people; decides nothing */
} rung_cpu;

RUNG_API void rung_cpu_detect(rung_cpu *out);
/* Name of feature bit 0 .. 63 ("avx2", "sve", ...), NULL for an unused bit. */
RUNG_API const char *rung_cpu_feature_name(unsigned bit);

/* ---- log --------------------------------------------------------------------------------------------------------- */

typedef enum rung_log_level { RUNG_LOG_INFO = 1, RUNG_LOG_DEBUG = 2 } rung_log_level;
typedef void rung_log_fn(rung_log_level level, const char *line, void *user);

/* Replaces printing to stderr; the callback gets all lines up to `level`, whatever RUNG_LOG says. NULL restores the
 * default. Not to be changed while another thread opens a platform. */
RUNG_API void rung_log_set(rung_log_fn *fn, void *user, rung_log_level level);

#ifdef __cplusplus
}
#endif
#endif
