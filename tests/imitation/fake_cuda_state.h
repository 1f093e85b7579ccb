/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_state.h: what the files of the imitated libcuda.so.1 share. One lock guards all of it: an entry point takes
 * it with fake_enter and gives it back with fake_leave; everything else here is called in between.
 *
 * Objects are never freed, so that a handle that was destroyed is told from one that lives.
 */
#ifndef FAKE_CUDA_STATE_H
#define FAKE_CUDA_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "abi.h"
#include "fake_cuda.h"
#include "fake_nvidia.h"

#define FAKE_CUDA "RUNG_FAKE_CUDA"

enum { /* the driver's codes */
       OK = 0,
       INVALID_VALUE = 1,
       OUT_OF_MEMORY = 2,
       NOT_INITIALIZED = 3,
       STUB = 34,
       NO_DEVICE = 100,
       INVALID_DEVICE = 101,
       INVALID_IMAGE = 200,
       INVALID_CONTEXT = 201,
       NO_BINARY_FOR_GPU = 209,
       UNSUPPORTED_PTX = 222,
       JIT_DISABLED = 223,
       INVALID_HANDLE = 400,
       NOT_FOUND = 500,
       NOT_READY = 600,
       ILLEGAL_ADDRESS = 700,
       CONTEXT_IS_DESTROYED = 709,
       HOST_MEMORY_ALREADY_REGISTERED = 712,
       HOST_MEMORY_NOT_REGISTERED = 713,
       LAUNCH_FAILED = 719,
       NOT_SUPPORTED = 801,
       CAPTURE_UNSUPPORTED = 900,
       CAPTURE_INVALIDATED = 901,
       CAPTURE_MERGE = 902,
       CAPTURE_UNMATCHED = 903,
       CAPTURE_UNJOINED = 904,
       CAPTURE_ISOLATION = 905,
       CAPTURE_IMPLICIT = 906,
       CAPTURED_EVENT = 907,
       CAPTURE_WRONG_THREAD = 908,
       UNKNOWN = 999
};

typedef uintptr_t deviceptr;
typedef struct context context;
typedef struct stream stream;
typedef struct event event;
typedef struct library library;
typedef struct kernel kernel;
typedef struct function function;
typedef struct capture capture;
typedef struct graph graph;
typedef struct exec exec;
typedef struct memory memory;
typedef struct op op;
typedef struct point point;

/* ---- devices (fake_cuda_devices.c) ------------------------------------------------------------------------------- */

extern fake_device fake_seen[FAKE_MOST];
extern unsigned fake_seen_count;
void fake_enumerate(void);
/* 13000; and what another key of the variable says, `otherwise` where it says nothing. */
int fake_driver_version(void);
long fake_number(const char *key, long otherwise);
/* Bytes of dynamic shared memory that a function may be allowed. */
int fake_most_shared(const fake_device *device);

/* ---- rules (fake_cuda_rules.c) ----------------------------------------------------------------------------------- */

extern _Atomic pid_t fake_initialised_by;

enum {                /* what an entry needs; 0: nothing, not even the lock */
       INITS = 16,    /* cuInit */
       ASKS_INIT = 8, /* it may be asked before cuInit and in a forked process, and then gives 3 */
       NEEDS_INIT = 1,
       NEEDS_CONTEXT = 2, /* and that nothing has ended its use */
       ENDS_CAPTURE = 4   /* not while a stream is captured that does not allow it */
};
/* 0: it holds the lock, unless it needs nothing, and has to leave. Otherwise what the entry returns. */
int fake_enter(const char *entry, unsigned needs);
int fake_leave(int code);
/* Breaks a rule: says so and counts it. Returns code. */
int fake_violation(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Of a part that works for several entries. */
const char *fake_entry_name(void);
/* What a call of an entry is steered to, `otherwise` unless it is; `nth` call of it. */
int fake_steered(const char *entry, int nth, int otherwise);
bool fake_is_sticky(int code);

/* ---- handles (fake_cuda_handles.c) ------------------------------------------------------------------------------- */

typedef enum handle_kind {
    LIBRARY,
    KERNEL,
    FUNCTION,
    STREAM,
    EVENT,
    GRAPH,
    EXEC,
    MEMORY,
    PINNED,
    HANDLE_KINDS
} handle_kind;

typedef struct handle {
    uint32_t magic;
    handle_kind kind;
    bool live;
    context *of; /* NULL: of no context */
    unsigned generation;
    struct handle *previous, *next; /* of its kind that live; of those that do not, `next` alone */
} handle;

/* Zeroed but for its handle, which is its first member. NULL without memory. */
void *fake_make(handle_kind kind, size_t size, context *of);
void fake_unmake(void *object);
/* 0, or the violation of a handle that is none, is destroyed, or is not of the current context. */
int fake_check(handle_kind kind, const void *object, bool in_context);
handle *fake_first(handle_kind kind);
handle *fake_first_dead(handle_kind kind);
int fake_live(handle_kind kind);
/* Memory that is never given back. */
void *fake_keep(size_t size);

/* ---- contexts (fake_cuda_context.c) ------------------------------------------------------------------------------ */

struct stream {
    handle h;
    bool blocking; /* waits for the default stream, and that for it */
    op *first, *last;
    capture *captured_by;
    unsigned captured; /* operations in the capture */
    unsigned joined;   /* of them that another stream waits for */
};

struct context {
    int device;
    unsigned retained;
    unsigned generation; /* of the primary context: another after each end */
    int sticky;          /* the error that ended its use */
    stream default_stream;
    size_t used; /* bytes of device memory */
};
extern context fake_contexts[FAKE_MOST];

/* The one that is current for the calling thread; NULL for none. */
context *fake_current(void);
/* The current context, usable, or the code why not. */
int fake_usable(context **out);

/* ---- queues (fake_cuda_queue.c) ---------------------------------------------------------------------------------- */

/* Where the record of an event stands. */
struct point {
    unsigned references;
    bool reached;
    stream *in;
    double seconds; /* when it was reached */
};
point *fake_point(stream *in);
void fake_point_drop(point *p);

typedef enum op_kind { OP_COPY, OP_FILL, OP_LAUNCH, OP_WORK, OP_RECORD, OP_WAIT } op_kind;
struct op {
    op_kind kind;
    op *next;
    context *of;
    void *to;         /* OP_COPY, OP_FILL */
    const void *from; /* OP_COPY; of OP_WORK the argument */
    size_t bytes;
    bool owned; /* `from` is freed with it */
    unsigned char value;
    function *launched; /* OP_LAUNCH */
    rung_on_host_launch launch;
    rung_fake_cuda_work_fn *work; /* OP_WORK */
    point *at;                    /* OP_RECORD, OP_WAIT */
};
op *fake_op(op_kind kind);
/* A copy of an operation of a graph. */
op *fake_op_again(const op *o);
void fake_op_free(op *o);

/* Queues an operation on a stream, or adds it to the capture that the stream is in. */
int fake_submit(stream *to, op *o);
/* Runs what is queued, up to a point (NULL: all of it). Gives the context's error. */
int fake_run(stream *s, const point *until);
/* Runs the next operation of a stream; whether there was one. */
bool fake_step(stream *s);
int fake_run_all(context *c);
/* What a blocking call on the default stream waits for. */
int fake_run_default(context *c);
unsigned fake_queued(void);
bool fake_is_queued(const library *of);

/* ---- streams and captures (fake_cuda_stream.c, fake_cuda_capture.c) ---------------------------------------------- */

/* The stream of a handle: of the current context, and usable. */
int fake_stream(void *handle, stream **out);

enum { MODE_GLOBAL, MODE_THREAD, MODE_RELAXED };
struct capture {
    capture *next;
    context *of;
    stream *origin;
    int mode;
    uintptr_t thread;
    bool invalid;
    op *first, *last;
};
struct event {
    handle h;
    bool timed;
    point *at;            /* NULL: never recorded */
    capture *captured_by; /* its last record is part of one */
    stream *captured_in;
    unsigned captured_at;
};
struct graph {
    handle h;
    op *first;
};
struct exec {
    handle h;
    op *first;
};

/* 0, or the violation of a call that a running capture does not allow, which invalidates it. */
int fake_not_in_capture(void);
/* Of the default stream, which waits for streams that are captured. */
int fake_default_in_capture(context *c);
int fake_captured(stream *s, op *o);
int fake_capture_record(stream *s, event *e);
int fake_capture_wait(stream *s, event *e);
bool fake_capture_holds(const capture *c);

/* ---- memory (fake_cuda_memory.c) --------------------------------------------------------------------------------- */

typedef enum memory_kind { DEVICE_MEMORY, MANAGED_MEMORY, PINNED_MEMORY, REGISTERED_MEMORY } memory_kind;
struct memory {
    handle h;
    memory_kind type;
    char *start;
    size_t bytes;
    char *mapped; /* of whole pages */
    size_t pages;
};
/* What holds an address; NULL: plain host memory, or none. */
memory *fake_memory_at(const void *address);
/* 0, or the violation of a range that is not inside one allocation of the context's memory. */
int fake_in_device(deviceptr at, size_t bytes, const char *what);
/* Whether a range of the host is pinned; a violation where it is so in part, or is device memory. */
int fake_in_host(const void *at, size_t bytes, bool *pinned);
/* Lets what an operation touches be touched, and takes that back. */
void fake_memory_open(const op *o);
void fake_memory_close(const op *o);
/* 0, or the violation of a kernel that wrote beside memory that it was given. */
int fake_memory_whole(const op *o, const char *kernel);

/* ---- images and kernels (fake_cuda_image.c, fake_cuda_library.c, fake_cuda_kernels.c) ---------------------------- */

typedef struct image_part {
    uint16_t kind;
    uint32_t sm;
    uint64_t flags;
    int ptx; /* its ISA, 90 for 9.0 */
    const char *data;
    size_t size;
} image_part;
enum { PART_PTX = 1, PART_SASS = 2 };

/* How many bytes a well-formed container has; 0 for another. */
size_t fake_image_size(const void *data);
/* The part that a device takes: 0, or the code of the driver. */
int fake_image_choose(const void *data, const fake_device *device, image_part *out);
/* Whether the part has the entry; whether any part has. */
bool fake_part_has(const image_part *part, const char *name);
bool fake_image_has(const void *data, const char *name);

struct library {
    handle h;
    void *data;
};
struct kernel {
    handle h;
    library *from;
    const char *name;
};
struct function {
    handle h;
    kernel *of;
    image_part part;
    int most_shared; /* bytes of dynamic shared memory */
    const rung_on_host_kernel *code;
};

/* From the libraries that RUNG_FAKE_CUDA_KERNELS names; NULL: none of them has it. */
const rung_on_host_kernel *fake_kernel_code(const char *name);
/* Runs a launch: 0, or the error that ends the use of the context. */
int fake_kernel_run(const function *f, const rung_on_host_launch *launch);
int fake_ran(void);
/* How many functions came from PTX. */
int fake_compiled(void);

#endif
