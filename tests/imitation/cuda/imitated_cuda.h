/* SPDX-License-Identifier: Apache-2.0
 *
 * imitated_cuda.h: the imitated driver, loaded anew for every test, and images with kernels of cuda_on_host/words.cu.
 */
#ifndef IMITATED_CUDA_H
#define IMITATED_CUDA_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_cuda.h"
#include "fake_cuda_api.h"
#include "rung/table.h"

/* Its entry points: cu.cuInit(0). */
#define FAKE_API(name, version, symbol, parameters) int(*symbol) parameters;
struct cu {
    FAKE_APIS
};
#undef FAKE_API
extern struct cu cu;

/* What it tells. */
extern rung_fake_cuda_live_fn *live;
extern rung_fake_cuda_violations_fn *violations;
extern rung_fake_cuda_violation_fn *violation;
extern rung_fake_cuda_calls_fn *calls;

extern const rung_image image_sm80, image_sm87, image_sm90a, image_sm100f, image_ptx, image_generic;

#define WORDS(part) "words__cuda_sm80__" part

/* Fixtures: an A100 of 64 MB and an RTX 5090; with the first one's context current. */
int load(void **state);
int load_current(void **state);
/* And back: nothing may be left, nor any rule broken that the test did not break on purpose. */
int unload(void **state);

/* What the driver does from now on, beside having its devices. */
void steer(const char *how);
/* Makes it the driver of other devices: "device=...;device=...". */
void reload(const char *devices);

#define assert_ok(call) assert_int_equal(call, 0)

/* A call that breaks a rule: gives the code, and says the text. */
#define assert_breaks(code, text, call)                                                                                \
    do {                                                                                                               \
        const int before_ = violations();                                                                              \
        assert_int_equal(call, code);                                                                                  \
        assert_int_equal(violations(), before_ + 1);                                                                   \
        broken++;                                                                                                      \
        if (strstr(violation(), text) == NULL)                                                                         \
            fail_msg("`%s` is not in `%s`", text, violation());                                                        \
    } while (0)
extern int broken;

/* Shorthands that have to succeed. */
void *context_of(int device);
uintptr_t alloc(size_t bytes);
void *stream(unsigned flags);
void *event(unsigned flags);
void *loaded(const rung_image *image);
void *function(void *library, const char *name);
int scale(void *function, void *on, uintptr_t y, uintptr_t x, unsigned n, float a);

#endif
