/* SPDX-License-Identifier: Apache-2.0
 *
 * platform.h: what a platform consists of, and the questions that the library's own files ask it.
 */
#ifndef RUNG_PLATFORM_H
#define RUNG_PLATFORM_H

#include <stdbool.h>

#include "arch.h"
#include "first_use.h"
#include "fork.h"
#include "machine.h"
#include "platform_parse.h"
#include "rung/dispatch.h"
#include "text.h"

/* One device of a chain. */
typedef struct rung_position {
    const char *arch;         /* the arch in force; "" when it is not known */
    const char *detected;     /* "" when nothing was found, or the device has nothing to find */
    const char *state_detail; /* the figures behind `state` */
    uint32_t device;
    uint32_t index;
    uint32_t driver;         /* RUNG_DRIVER_VERSION; 0: not known, or none */
    rung_arch at;            /* of `arch`; only row holds when that is "" */
    rung_arch found;         /* of `detected` */
    rung_reason state;       /* NONE: present and usable when the platform was opened */
    rung_driver *of_process; /* its driver; NULL where it has none, or cannot be used */
    bool forked;             /* the driver was initialised before this process was forked */
    bool host;               /* its kernels reach host memory */
    bool is_cpu;
    bool asked;                               /* the platform string named the arch */
    const struct rung_gpu_driver *gpu_driver; /* gpu/driver.h; NULL for the host, and where this build has none */
    _Atomic(struct rung_gpu *) gpu;           /* gpu/gpu.h: NULL until its first use */
    _Atomic bool lost;                        /* an error has ended its use: the driver says which */
    _Atomic(struct rung_kept_object *) kept;  /* rung_kept: the last one first */
} rung_position;

/* rung_transfers, counted by all threads. */
typedef struct rung_transfers_count {
    _Atomic uint64_t to_device, to_host, to_device_bytes, to_host_bytes;
} rung_transfers_count;

struct rung_platform {
    rung_platform_head head; /* first: dispatch.h reads it */
    _Atomic uint8_t *choice; /* the planes of head.choice, writable */
    const char *text;
    rung_text reason;     /* with room for the devices that a fork takes away */
    uint8_t *arch_reason; /* for every listed arch: why no cell of it can run, a rung_reason */
    rung_cpu cpu;         /* with the AMX tiles that have only to be asked for */
    rung_uses uses;
    unsigned flags;
    unsigned env_log_level; /* of RUNG_LOG when it was opened */
    bool from_env;
    rung_world world; /* where drivers are found, for first uses */
    rung_transfers_count transfers;
    _Atomic(struct rung_memory_root *) unfreed; /* gpu/gpu.h: rung_buffers_end, the last one first */
    _Atomic(struct rung_queue *) unended;       /* rung_queues_end, the same */
    _Atomic bool fork_untold;                   /* a fork took devices away, and the log has not been told */
    _Atomic(rung_platform *) next_watched;      /* fork.h */
    uint32_t positions;
    rung_position position[];
};

/* The position of a device in the chain, NULL when it is not part of it. */
const rung_position *rung_position_of(const rung_platform *p, uint32_t device);

/* The position of the device whose memory RUNG_MEMORY_DEVICE stands for: the first that has a driver in this build, in
 * whatever state it is; without one the first. */
uint32_t rung_memory_position(const rung_platform *p);

/* NONE when its device can be used, else why not. Adds the figures to *detail, unless that is NULL. */
rung_reason rung_position_state(const rung_position *position, rung_text *detail);

/* ---- availability.c ---------------------------------------------------------------------------------------------- */

/* Fills p->arch_reason; everything else but the choices has to be there. */
void rung_judge_archs(rung_platform *p);

/* The one reason why a cell cannot be called with data in `memory`, NONE when it can. Without a platform (NULL), what
 * the build knows. Adds the figures to *detail, unless that is NULL. */
rung_reason rung_judge(const rung_registry *registry, const rung_platform *p, uint32_t cell, uint32_t memory,
                       rung_text *detail);

/* The same of a builder. */
rung_reason rung_judge_builder(const rung_registry *registry, const rung_platform *p, uint32_t builder,
                               rung_text *detail);

/* The first feature that a level wants and the processor has not, or else that the system does not enable; NONE when
 * there is none. */
rung_reason rung_cpu_misses(const rung_cpu *cpu, rung_model model, uint64_t wanted, rung_text *feature);

/* ---- choose.c ---------------------------------------------------------------------------------------------------- */

/* The variant that an op's rows know: itself, `default` for one that acts so, RUNG_NONE when nothing can be called. */
uint32_t rung_local_of(const rung_registry *registry, uint32_t op, uint32_t variant);

/* Fills the choices of all ops, variants and memories; those of one op. */
void rung_choose(rung_platform *p);
void rung_choose_op(const rung_platform *p, uint32_t op);

/* The ordinal of the first available candidate, whether or not its first use is still to come; RUNG_NO_CHOICE. */
uint8_t rung_first_available(const rung_platform *p, uint32_t op, uint32_t local, uint32_t memory);

/* The candidates of (op, local) along a row: returns how many, *first being the best one's ordinal. */
uint32_t rung_candidates(const rung_registry *registry, uint32_t op, uint32_t local, uint32_t row,
                         const uint8_t **first);

/* The id of the cell that is called, after its first use if that is still to come, or RUNG_NONE. */
uint32_t rung_chosen(const rung_platform *p, uint32_t op, uint32_t variant, uint32_t memory);

/* ---- warm.c ------------------------------------------------------------------------------------------------------ */

/* To be called before an item of a device is used in any way. */
void rung_use_device(const rung_platform *p, uint32_t device);

/* The first use of an item of a device; true when this call has demoted it, which the log is then told. */
bool rung_use_first(rung_platform *p, uint32_t item, uint32_t device);

/* The ordinal to call for (op, variant, memory), whose first use is done here if it is still to come, or
 * RUNG_NO_CHOICE. queue: that of the call; NULL. While it is being captured, no first use is done on a device that has
 * a driver: the cell is not ready then. */
unsigned rung_ordinal_in(rung_platform *p, uint32_t op, uint32_t variant, uint32_t memory, const rung_queue *queue);

/* ---- walk.c ------------------------------------------------------------------------------------------------------ */

/* One rung of a ladder. */
typedef struct rung_step {
    const rung_position *position;
    const char *arch;
    uint32_t variant;
    uint32_t cell; /* RUNG_NONE: not declared */
    uint32_t rung; /* its place along the chain; RUNG_NONE for a cell on an arch outside of it */
} rung_step;

typedef int rung_step_fn(const rung_step *step, void *user);

/* Every rung of (op, variant), in the order of rung_explain, until fn returns non-zero. */
void rung_walk(const rung_platform *p, uint32_t op, uint32_t variant, rung_step_fn *fn, void *user);

/* The arch at a step of a position's chain: its name, NULL past the end, and its id or RUNG_NONE. */
const char *rung_step_arch(const rung_registry *registry, const rung_position *position, uint32_t step, uint32_t *id);

/* Whether a listed arch is part of a row's chain. */
bool rung_is_step(const rung_registry *registry, uint32_t row, uint32_t arch);

/* ---- cell.c ------------------------------------------------------------------------------------------------------ */

/* Everything of *out but reason, detail and chosen. */
void rung_cell_fill(const rung_registry *registry, uint32_t cell, rung_cell *out);
/* A declared cell with its reason; p may be NULL. */
void rung_cell_judge(const rung_registry *registry, const rung_platform *p, uint32_t cell, uint32_t memory,
                     rung_cell *out);
/* Adds the reason with its figures as one phrase: "CPU lacks avx512f", "not built (needs openblas, ...)". */
void rung_why(rung_reason reason, const char *detail, rung_text *t);
/* A rung, declared or not, of an op, with its reason. */
void rung_step_cell(const rung_platform *p, uint32_t op, const rung_step *step, uint32_t memory, rung_cell *out);

#endif
