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
 * FORKS. A platform opened before a fork works in the child, as does every function, whatever other threads of the
 * parent were doing. Drivers do not follow into a child: a device whose driver was initialised before the fork, by a
 * first use on any platform of the process or when it was detected, is given up in the child (`forked` in
 * rung_explain), whose calls go to the next device and at last to the CPU; nothing changes for the parent. A device
 * that was not used before the fork is the child's to use. Parent and child each close the platform for themselves.
 * This takes fork(), which runs the handlers of pthread_atfork: the child of a bare clone, or of glibc's _Fork, has to
 * exec before it calls on a device with a driver.
 *
 * ERRORS. Functions that can fail return a rung_status. Where there is a rung_error argument it may be NULL; otherwise
 * it is filled with the status and one line of text without a newline. On failure, outputs are untouched unless said.
 *
 * OUTPUT. The library prints nothing, unless RUNG_LOG=info or RUNG_LOG=debug is set, or a log callback is given.
 *
 * The environment variables RUNG_PLATFORM and RUNG_LOG are read when a platform is opened, and where its chain has
 * devices with drivers those of rung/devices.h, too; nothing is ever written to the environment.
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
    RUNG_ERR_ARGUMENT,    /* NULL where that is not allowed, a scalar out of range, sizes whose product overflows, a
                             queue or buffer of another platform, an array that is not memory of the device */
    RUNG_ERR_SYNTAX,      /* a platform string that does not parse */
    RUNG_ERR_UNKNOWN,     /* a name that the registry does not have; the text names the nearest ones */
    RUNG_ERR_UNAVAILABLE, /* the platform asked for cannot run here; the text says what is missing */
    RUNG_ERR_NO_KERNEL,   /* nothing available along the chain for this op and variant */
    RUNG_ERR_MEMORY,      /* out of memory, on the host or on a device */
    RUNG_ERR_WORKSPACE,   /* the context's workspace is smaller than the chosen kernel needs, not aligned, or not memory
                             of its device */
    RUNG_ERR_NUMERIC, /* the kernel ran and the problem has no answer, e.g. a matrix that is not positive definite */
    RUNG_ERR_DEVICE,  /* the device failed, now or before, and the call or the data needs it */
    RUNG_ERR_ABI,     /* the tables were generated for another version of this library */
    RUNG_ERR_NO_COMPONENT /* no builder available along the chain, and the spec has no factory */
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
RUNG_API uint32_t rung_kind_count(const rung_registry *registry);
RUNG_API const char *rung_kind_name(const rung_registry *registry, uint32_t kind);
RUNG_API const char *rung_kind_summary(const rung_registry *registry, uint32_t kind);
RUNG_API uint32_t rung_kind_find(const rung_registry *registry, const char *name);

/* ---- platforms --------------------------------------------------------------------------------------------------- */

typedef struct rung_platform rung_platform;

enum {
    RUNG_OPEN_INSPECT =
        1u, /* devices and archs that are not there are no error: their rungs are skipped, with reason */
    RUNG_OPEN_EXPERIMENTAL = 2u, /* cells marked experimental may be chosen */
    RUNG_OPEN_NO_ENV = 4u        /* RUNG_PLATFORM is not looked at */
};

/* Opens a platform. Costs one allocation, and about 9 ns for each op and variant beside the six CPUID instructions of
 * detection, which a virtual machine traps at several microseconds each.
 *
 * chain: NULL stands for RUNG_PLATFORM if that is set and not empty, else for the registry's `auto` list: the first
 * device that is present, usable and has a built kernel or builder. Otherwise
 * device[:index][/arch]{,device[:index][/arch]}, as "cpu", "cpu/x86-64-v3", "accel/sm90"; `cpu` is appended when
 * absent. An arch below the detected one is a cap; one above it, or a device that is absent, is RUNG_ERR_UNAVAILABLE
 * unless RUNG_OPEN_INSPECT is given.
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
/* One line such as "cpu/x86-64-v4" or "accel/sm90,cpu/x86-64-v3": opening it again on this machine, with the same
 * flags, chooses the same kernels. Without fallback devices that are not there. Owned by the platform. */
RUNG_API const char *rung_platform_text(const rung_platform *platform);
/* Why this platform: one line, e.g. "RUNG_PLATFORM=cpu" or "automatic: first of cuda, cpu that is usable"; in a forked
 * child that has given up devices also which, "; cuda: forked". */
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
    RUNG_MEMORY_DEVICE,   /* plain pointers are memory of the first device of the chain that has a driver, as those of
                             rung_buffer_device; without one, of the first device, which is the host's */
    RUNG_MEMORY_ANY       /* buffers: set by the generated _buf calls, not by callers */
} rung_memory;

typedef struct rung_queue rung_queue;   /* an ordered stream of calls on a device; NULL: the default, synchronous one */
typedef struct rung_buffer rung_buffer; /* memory that follows the device */

/* What a call needs beside its arguments. A value, on the stack; nothing is owned. Start from rung_ctx_of and set what
 * you need; fields added later are zero by default, so never fill it by position. */
typedef struct rung_ctx {
    rung_platform *platform;
    uint32_t variant;  /* <NS>_VARIANT_*; 0 is `default`; an id that the registry does not have acts as default */
    uint32_t memory;   /* rung_memory of the plain pointers */
    rung_queue *queue; /* NULL: the call has finished when it returns; plain calls of kernels of the host do not look */
    void *workspace;   /* scratch for kernels that declare it, memory of the kernel's device, aligned to 64 bytes; in
                          use until the call has finished */
    size_t workspace_size;         /* bytes */
    rung_buffer *workspace_buffer; /* of buffer calls, in place of the two above, as it follows the device; its bytes
                                      are lost; NULL: none */
    uint32_t threads;              /* most threads that a kernel may use; 0: as many as it likes; 1: the caller's own */
    uint32_t reserved[5];          /* zero */
} rung_ctx;
/* `threads` binds Rung's own kernels. A kernel that calls a library with a thread pool of its own (variant `openblas`)
 * uses as many threads as that library is set to. */

RUNG_API rung_ctx rung_ctx_of(rung_platform *platform);

/* ---- queues and events ------------------------------------------------------------------------------------------- */

/* Calls on a device with a driver go to a queue. Without one (NULL in the context) a call has finished when it returns,
 * after everything that was put before it on the driver's default stream. With one it returns once the work is queued:
 * what it reads must stay as it is, and what it writes is not there, until rung_queue_wait. Calls on one queue run in
 * order. A call on a queue allocates nothing and waits for nothing, so that the queue's native stream may be captured
 * into a graph, once rung_warm or earlier calls have done the first uses (and, for buffers, brought the data); until
 * then a call on a queue that is being captured is RUNG_ERR_ARGUMENT. A kernel that calls a library (variant `cublas`)
 * may take a lock while it queues its work.
 *
 * Kernels of the host run in the call, whatever the queue: their plain arguments are the caller's to have ready, and
 * buffers are waited for.
 *
 * A queue belongs to the first device of the platform's chain that has a driver in this build and can be used when the
 * queue is made, which opens it: UNAVAILABLE or DEVICE where that fails. With none, everything has happened when a call
 * returns, and waiting does nothing. A queue is destroyed before the platform is closed. One queue may be used by
 * several threads; their calls are then in no certain order. */
RUNG_API rung_status rung_queue_create(rung_platform *platform, rung_queue **out, rung_error *err);
/* Calls go to a stream of the caller's, for CUDA a CUstream of the device's primary context, which outlives the queue.
 * ARGUMENT on a platform without such a device. */
RUNG_API rung_status rung_queue_wrap(rung_platform *platform, void *native, rung_queue **out, rung_error *err);
/* Waits until its work is done. NULL is allowed. While the queue is being captured nothing is waited for: its stream
 * stays until the platform is closed; one that was wrapped is not touched. */
RUNG_API void rung_queue_destroy(rung_queue *queue);
/* Until everything put on it is done. DEVICE when something failed that had been queued. */
RUNG_API rung_status rung_queue_wait(rung_queue *queue, rung_error *err);
/* For CUDA the CUstream; NULL on the host. */
RUNG_API void *rung_queue_native(const rung_queue *queue);

/* A point in the work of a queue, for waiting and for timing. Of one platform; destroyed before that is closed. */
typedef struct rung_event rung_event;
RUNG_API rung_status rung_event_create(rung_platform *platform, rung_event **out, rung_error *err);
RUNG_API void rung_event_destroy(rung_event *event); /* NULL is allowed */
/* Puts it behind what is on the queue; NULL: what calls without a queue have done. May be done again. */
RUNG_API rung_status rung_event_record(rung_event *event, rung_queue *queue, rung_error *err);
/* The caller waits until the device has come to it. */
RUNG_API rung_status rung_event_wait(rung_event *event, rung_error *err);
/* The queue's later work waits for it. */
RUNG_API rung_status rung_queue_after(rung_queue *queue, rung_event *event, rung_error *err);
/* The time between two that the device has come to, in seconds, with a resolution of about half a microsecond.
 * ARGUMENT when one was never recorded. */
RUNG_API rung_status rung_event_seconds(const rung_event *from, const rung_event *to, double *seconds, rung_error *err);

/* ---- buffers ----------------------------------------------------------------------------------------------------- */

/* A buffer is one piece of memory with at most one copy on the host and one on each device of its platform; generated
 * `<ns>_<op>_buf` calls take buffers, resolve among the kernels of all devices of the chain, and move data only when a
 * kernel needs what its device has not. Bytes that nobody has written are never moved. A copy is allocated when it is
 * first needed and kept until the buffer is destroyed.
 *
 * A buffer may have 0 bytes; its copies are aligned to 64 bytes, and it is not initialised. It is used with its own
 * platform only, by one thread at a time, and is destroyed before that is closed. Calls on several queues that use one
 * buffer run one after the other. */
RUNG_API rung_status rung_buffer_create(rung_platform *platform, size_t bytes, rung_buffer **out, rung_error *err);
/* Wraps host memory that the caller owns and that must outlive the buffer. What kernels on devices write is there after
 * rung_buffer_host or rung_buffer_read; destroying the buffer moves nothing. */
RUNG_API rung_status rung_buffer_wrap(rung_platform *platform, void *host, size_t bytes, rung_buffer **out,
                                      rung_error *err);
/* A part of another buffer, which it shares: what is written to one is there in the other. Only the bytes of the part
 * are moved for it. Of a part, too. Destroyed before the other buffer is. */
RUNG_API rung_status rung_buffer_slice(rung_buffer *buffer, size_t offset, size_t bytes, rung_buffer **out,
                                       rung_error *err);
/* Waits for the work that uses it. NULL is allowed. While the queue of its last use is being captured into a graph, and
 * where the driver refuses as another stream is, its memory on the device stays until the platform is closed. */
RUNG_API void rung_buffer_destroy(rung_buffer *buffer);
RUNG_API size_t rung_buffer_size(const rung_buffer *buffer);
/* The host copy, made valid first, for reading and writing; valid until the next call that uses the buffer. NULL when a
 * transfer failed, for a NULL buffer, and for NULL that was wrapped as 0 bytes. */
RUNG_API void *rung_buffer_host(rung_buffer *buffer);
/* The same for reading alone: copies on devices stay valid. */
RUNG_API const void *rung_buffer_read(rung_buffer *buffer);
/* The copy on the queue's device, made valid first on the queue; without one (NULL) that on the device which a queue
 * would belong to if it were made now, valid when this returns. For reading and writing by calls with
 * RUNG_MEMORY_DEVICE or the caller's own; valid until the next call that uses the buffer. Also the way to have the copy
 * there before a graph is captured. The host's copy where there is no such device. NULL and an error as the calls give
 * them. */
RUNG_API void *rung_buffer_device(rung_buffer *buffer, rung_queue *queue, rung_error *err);

/* Copies between the host and devices. */
typedef struct rung_transfers {
    uint64_t to_device, to_host;             /* copies */
    uint64_t to_device_bytes, to_host_bytes; /* bytes */
} rung_transfers;
/* Those made for this buffer so far, by calls on it and on its parts; of a part, those of the whole. */
RUNG_API rung_transfers rung_buffer_transfers(const rung_buffer *buffer);
/* Those made on this platform so far, for buffers that are gone as well. */
RUNG_API rung_transfers rung_platform_transfers(const rung_platform *platform);

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

/* Writes "op/device/arch/variant@source" of what rung_resolve finds, such as
 * "gemm_tn/cpu/x86-64-v4/default@kernels/cpu/x86-64-v4/gemm_tn.c", to text, terminated. ARGUMENT and nothing written
 * when it is longer than size - 1 bytes. */
RUNG_API rung_status rung_resolved_source(const rung_platform *platform, uint32_t op, uint32_t variant,
                                          rung_memory memory, char *text, size_t size, rung_error *err);

/* The bytes of workspace that a call of (op, variant) with data in `memory` may ask for, 0 when it asks for none or has
 * no kernel; with RUNG_NONE as op, the most that any op of any variant may. The cells that take over where the chosen
 * one is demoted at its first use, or given up in a forked child, are counted in: one buffer of this size, aligned to
 * 64 bytes, serves for the platform's life, a captured graph included. */
RUNG_API uint64_t rung_workspace(const rung_platform *platform, uint32_t op, uint32_t variant, rung_memory memory);

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

/* ---- first use ----------------------------------------------------------------------------------------------------
 */

/* Cells of a device with a driver, cells that require a library, and those that use AMX tiles need something at their
 * first use: an image loaded, a library opened, a permission of the system. The first call does it. Where it fails, the
 * cell is demoted for good on this platform, the next candidate is tried in its place, and rung_explain gives the
 * reason; nothing is ever promoted. It is done without a lock: threads that call at the same time may each do it, and
 * the first answer stands for all; what a library does when it is opened may call ops, open platforms and fork. A
 * builder of components does its first use when it is called for.
 *
 * rung_warm does all first uses at once: that of the cell that is called for each op, variant and memory, and where one
 * is demoted, that of its successor. *demoted, which may be NULL, receives the number of cells that this call demoted.
 * Fails with ARGUMENT only: an op that has no kernel left is what rung_resolve tells. */
RUNG_API rung_status rung_warm(rung_platform *platform, uint32_t *demoted, rung_error *err);

/* ---- components ---------------------------------------------------------------------------------------------------
 */

/* A component is a thing with state, built for a device: (kind, device, variant) -> one builder, a C function that the
 * registry names and that one generated switch calls. For every kind the generated <ns>/<kind>.h declares the constant
 * `<ns>_<kind>_kind`, which stands for the kind in a spec; only the kinds that a program names are linked into it.
 *
 *     const rung_component_spec spec = {.kind = &rk_factor_model_kind, .id = "tfa"};
 *     rung_component *model;
 *     if (rung_component_build(platform, &spec, &options, 0, &model, &err) == RUNG_OK) { ... }
 *     rung_component_destroy(model);
 */
typedef struct rung_component rung_component;
typedef struct rung_component_spec rung_component_spec;

/* What a builder or factory made. */
typedef struct rung_built {
    void *object;                  /* what rung_component_object returns; not NULL on success */
    void (*destroy)(void *object); /* called once, by rung_component_destroy; NULL: there is nothing to do */
} rung_built;

/* A builder: makes the thing that `spec` and `instance` describe, for `platform`, which outlives it. On failure it
 * returns a status and a text in err->text (err is never NULL here; without a text the status' own is used); what it
 * has put in *out by then is destroyed for it. */
typedef rung_status rung_builder_fn(const rung_component_spec *spec, const void *instance, rung_platform *platform,
                                    rung_built *out, rung_error *err);
/* What is called where no builder is available; the same rules. */
typedef rung_status rung_factory_fn(const void *instance, rung_built *out, rung_error *err);

/* Calls the builder of this ordinal among those of its kind, in key order. Generated. */
typedef rung_status rung_builder_switch(uint32_t ordinal, const rung_component_spec *spec, const void *instance,
                                        rung_platform *platform, rung_built *out, rung_error *err);

/* A kind, as generated. */
typedef struct rung_kind {
    const rung_registry *registry;
    uint32_t id;
    rung_builder_switch *build;
} rung_kind;

/* What is asked for; the caller's, and has to outlive the component. */
struct rung_component_spec {
    const rung_kind *kind;
    const char *id;           /* which one of its kind, for builders and for messages; NULL: "?" */
    rung_factory_fn *factory; /* NULL: none */
    const void *data;         /* for the builder: what all instances share; may be NULL */
};

/* One cell of a component as seen by a platform. Strings belong to the registry, `detail` to the call that filled it.
 */
typedef struct rung_component_cell {
    const char *kind, *device, *variant;
    const char *symbol, *source; /* source: path relative to the registry, "factory" for one made by spec->factory */
    uint32_t id;                 /* dense id of the builder, RUNG_NONE when not declared */
    int declared, built, planned, experimental;
    int chosen;         /* this is the builder that is called */
    rung_reason reason; /* NONE: available */
    char detail[160];   /* the figures behind the reason; may be empty */
} rung_component_cell;

typedef int rung_component_cell_fn(const rung_component_cell *cell, void *user);

typedef struct rung_component_resolution {
    rung_component_cell cell; /* the winner */
    int variant_not_declared; /* the registry has never heard of the variant: `default` was resolved */
    uint32_t rung;            /* its position among the candidates, 0 being the first choice */
} rung_component_resolution;

/* Builds what *spec asks for: with the first available builder along the platform's devices, on each that of the
 * variant and then, unless the variant is strict, that of `default`; else with spec->factory; else NO_COMPONENT with an
 * error that names kind, id and devices. A builder's own failure is the answer, with its text: no other device is tried
 * behind its back.
 *
 * platform: NULL: the one that a NULL chain opens, `native` of rung/select.h, owned by the component. Otherwise it has
 * to outlive the component. instance: what is to be built, as the kind's builders document it; used during this call
 * only, unless they say more. variant: <NS>_VARIANT_*; an id that the registry does not have acts as `default`. out:
 * receives the component; destroy it with rung_component_destroy. Untouched on failure. */
RUNG_API rung_status rung_component_build(rung_platform *platform, const rung_component_spec *spec,
                                          const void *instance, uint32_t variant, rung_component **out,
                                          rung_error *err);
/* Calls the object's destroy, then closes the platform if it is the component's own. NULL is allowed. */
RUNG_API void rung_component_destroy(rung_component *component);

RUNG_API void *rung_component_object(const rung_component *component); /* what the builder made */
RUNG_API rung_platform *rung_component_platform(const rung_component *component);
RUNG_API const char *rung_component_id(const rung_component *component);
/* Device, variant and source. One from the factory is on the platform's first device, undeclared, with no symbol. */
RUNG_API const rung_component_cell *rung_component_built_by(const rung_component *component);

/* What would be built for (kind, variant). NO_COMPONENT: the error names kind and device chain. */
RUNG_API rung_status rung_component_resolve(const rung_platform *platform, uint32_t kind, uint32_t variant,
                                            rung_component_resolution *out, rung_error *err);
/* The same by name: an unknown kind is RUNG_ERR_UNKNOWN; variants as in rung_resolve_name. */
RUNG_API rung_status rung_component_resolve_name(const rung_platform *platform, const char *kind, const char *variant,
                                                 rung_component_resolution *out, rung_error *err);

/* Every rung of (kind, variant) along the platform's devices, declared or not, with one reason each. */
RUNG_API rung_status rung_component_explain(const rung_platform *platform, uint32_t kind, uint32_t variant,
                                            rung_component_cell_fn *fn, void *user);
/* The builder with exactly this key, available or not, variant NULL being `default`. RUNG_ERR_UNKNOWN when there is
 * none. */
RUNG_API rung_status rung_component_cell_find(const rung_registry *registry, const char *kind, const char *device,
                                              const char *variant, rung_component_cell *out, rung_error *err);
/* Every declared builder, sorted by kind, device, variant as bytes; as rung_matrix. */
RUNG_API rung_status rung_component_matrix(const rung_registry *registry, const rung_platform *platform,
                                           rung_component_cell_fn *fn, void *user);

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
