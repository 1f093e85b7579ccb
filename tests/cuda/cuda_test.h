/* SPDX-License-Identifier: Apache-2.0
 *
 * cuda_test.h: a machine with an imitated driver and a registry of a few cells, for tests that call the functions of
 * rung_cuda_driver themselves. The imitation is steered by RUNG_FAKE_CUDA (tests/imitation/fake_cuda.c). Its kernels
 * (kernels.c) all take (uint32_t *out, uint32_t value) and write the eight numbers: grid, block, shared memory, value.
 */
#ifndef CUDA_TEST_H
#define CUDA_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_cuda.h"
#include "gpu/driver.h"
#include "rung/table.h"
#include "tree.h"

/* ---- the registry ------------------------------------------------------------------------------------------------ */

/* Cells of it, on an arch each. */
enum {
    ON_SM90A,
    ON_SM80, /* two entries */
    ON_PTX,
    ON_GENERIC,
    ON_SM80_TOO, /* of the image of ON_SM80, and of another op */
    NOT_BUILT,   /* on sm120, of that op */
    NOT_LINKED,  /* its image is not part of the program */
    NO_ENTRY,    /* an entry that its image does not have */
    NO_IMAGE,    /* a function of the program */
    CELLS
};
enum { ENTRY_SM90A, ENTRY_SM80, ENTRY_SM80_FINISH, ENTRY_PTX, ENTRY_GENERIC, ENTRY_TOO, ENTRY_MISSING, ENTRIES };

extern const rung_registry small;

/* ---- the machine ------------------------------------------------------------------------------------------------- */

#define A100  "device=NVIDIA A100|8.0|42505273344|GPU-4f2a91c3-0000-1111-2222-333344445555|0000:3b:00.0|0;"
#define L40   "device=NVIDIA L40S|8.9|47708110848|GPU-5f2a91c3-0000-1111-2222-333344445555|0000:5e:00.0|0;"
#define RTX50 "device=NVIDIA RTX 5090|12.0|34359738368|GPU-6f2a91c3-0000-1111-2222-333344445555|0000:61:00.0|0;"

/* A machine of these devices; the driver is not loaded yet. */
tree *machine(const char *devices);
/* What the driver does from now on, beside having its devices; "" for nothing special. */
void steer(const char *how);

/* A function of the machine's driver, NULL as long as nobody has loaded that. */
void *driver_function(tree *t, const char *name);
#define FIND(t, name, function)                                                                                        \
    do {                                                                                                               \
        void *found_ = driver_function(t, name);                                                                       \
        memcpy(&(function), &found_, sizeof found_);                                                                   \
    } while (0)

/* What fake_cuda.h tells; 0 as long as nobody has loaded the driver. */
int alive(tree *t, const char *what);
int calls(tree *t, const char *entry);
void assert_no_violation(tree *t);
/* No object of any kind, and no violation. */
void assert_nothing_lives(tree *t);

/* Opens a device, which has to succeed, and makes it current. */
rung_gpu *open_gpu(tree *t, uint32_t index);
/* Ends that, and checks that nothing is left. */
void close_gpu(tree *t, rung_gpu *gpu);

/* ---- texts ------------------------------------------------------------------------------------------------------- */

/* Where the function that is called next writes; empty. */
rung_text *fresh(void);
const char *said(void);

#define assert_said(part)                                                                                              \
    do {                                                                                                               \
        if (strstr(said(), part) == NULL)                                                                              \
            fail_msg("`%s` is not in `%s`", part, said());                                                             \
    } while (0)

/* errno is kept by everything: it is this before and after. */
enum { ERRNO = 77 };
#define KEEPS(call)   (errno = ERRNO, (call))
#define assert_kept() assert_int_equal(errno, ERRNO)

#endif
