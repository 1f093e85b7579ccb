/* SPDX-License-Identifier: Apache-2.0
 *
 * rbf_factors for accel/generic: portable C in the manner of a device. A "block" takes 16 positions by 32 factors; what
 * its factors need is worked out once into "shared" memory, then every "thread" writes one element.
 */
#include <rk/kernels/rbf_factors.h>

#include <math.h>

enum { BLOCK_N = 16, BLOCK_K = 32 };

typedef struct shared {
    double centre[BLOCK_K][3];
    double width[BLOCK_K], s2[BLOCK_K];
} shared;

static void load_factors(shared *s, const double *theta, size_t count)
{
    for (size_t j = 0; j < count; j++, theta += 4) {
        for (size_t axis = 0; axis < 3; axis++)
            s->centre[j][axis] = theta[axis];
        s->width[j] = theta[3];
        s->s2[j] = theta[3] * theta[3];
    }
}

/* One element; d is NULL or its four derivatives. */
static double thread(const shared *s, size_t j, const double *position, double *d)
{
    double away[3], r2 = 0.0;
    for (size_t axis = 0; axis < 3; axis++) {
        away[axis] = position[axis] - s->centre[j][axis];
        r2 += away[axis] * away[axis];
    }
    double f = exp(-r2 / (2.0 * s->s2[j]));
    if (d != NULL) {
        for (size_t axis = 0; axis < 3; axis++)
            d[axis] = f * away[axis] / s->s2[j];
        d[3] = f * (r2 / s->s2[j]) / s->width[j];
    }
    return f;
}

rung_status rk_rbf_factors__accel_generic(const rung_ctx *cx, double *f, double *d, const double *xyz,
                                          const double *theta, size_t n, size_t k)
{
    (void)cx;
    shared s;
    for (size_t j0 = 0; j0 < k; j0 += BLOCK_K) {
        size_t factors = k - j0 < BLOCK_K ? k - j0 : BLOCK_K;
        load_factors(&s, theta + 4 * j0, factors);
        for (size_t i0 = 0; i0 < n; i0 += BLOCK_N) {
            size_t end = n - i0 < BLOCK_N ? n : i0 + BLOCK_N;
            for (size_t j = 0; j < factors; j++) {
                for (size_t i = i0; i < end; i++) {
                    size_t at = i * k + j0 + j;
                    f[at] = thread(&s, j, xyz + 3 * i, d != NULL ? d + 4 * at : NULL);
                }
            }
        }
    }
    return RUNG_OK;
}
