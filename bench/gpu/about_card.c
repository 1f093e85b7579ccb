/* SPDX-License-Identifier: Apache-2.0
 *
 * about_card.c: what the card is, and what its memory gives.
 */
#include <math.h>
#include <string.h>

#include "measures.h"
#include "say.h"
#include "testbed.h"
#include "timing.h"

/* ---- archs ------------------------------------------------------------------------------------------------------- */

enum { MOST_ARCHS = 64 };
typedef struct archs {
    const char *names[MOST_ARCHS];
    size_t count;
} archs;

static int add_arch(const rung_cell *cell, void *user)
{
    archs *all = user;
    if (strcmp(cell->device, "cuda") != 0 || all->count == MOST_ARCHS)
        return 0;
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->names[i], cell->arch) == 0)
            return 0;
    all->names[all->count++] = cell->arch;
    return 0;
}

static void say_arch(const char *arch)
{
    char chain[64];
    rung_platform *platform = NULL;
    rung_error err = {RUNG_OK, ""};
    bed_chain(arch, chain, sizeof chain);
    const bool runs = testbed_open(chain, RUNG_OPEN_NO_ENV | RUNG_OPEN_EXPERIMENTAL, &platform, &err) == RUNG_OK;
    say_begin("arch");
    say_text("arch", arch);
    say_flag("runs", runs);
    say_text("why", runs ? NULL : err.text);
    say_end();
    rung_platform_close(platform);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static rung_status copy(bed *b, void *user, size_t turn)
{
    (void)user;
    (void)turn;
    return bed_flush(b) ? RUNG_OK : RUNG_ERR_DEVICE;
}

static rung_status set(bed *b, void *user, size_t turn)
{
    (void)user;
    return b->card.set(b->scratch_at, (unsigned char)turn, 2 * b->scratch_bytes, b->stream) == 0 ? RUNG_OK
                                                                                                 : RUNG_ERR_DEVICE;
}

static double rate_gbps(double bytes, double seconds)
{
    return bytes * 1e-9 / seconds; /* not finite where an imitation takes no time: null */
}

/* Both go through twice the scratch: a copy reads one part and writes the other. */
static bool say_memory(bed *b, const char *what, work_fn *work)
{
    timing t;
    rung_error err = {RUNG_OK, ""};
    const double bytes = 2.0 * (double)b->scratch_bytes;
    const bool good = time_work(b, work, NULL, 10.0, &t, &err) == TIMING_OK;
    say_begin("memory");
    say_text("what", what);
    say_number("bytes", bytes);
    say_number("median_gbps", good ? rate_gbps(bytes, t.median_s) : (double)INFINITY);
    say_number("best_gbps", good ? rate_gbps(bytes, t.best_s) : (double)INFINITY);
    say_text("error", good ? NULL : err.text);
    say_end();
    return good;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static int absent(const char *why)
{
    say_begin("absent");
    say_text("why", why);
    say_end();
    return MEASURE_NO_DEVICE;
}

int measure_card(const settings *s)
{
    rung_platform *platform = NULL;
    rung_error err;
    if (testbed_open("cuda", RUNG_OPEN_NO_ENV | RUNG_OPEN_EXPERIMENTAL, &platform, &err) != RUNG_OK)
        return absent(err.text);
    rung_platform_close(platform);
    bed b;
    if (!bed_open(&b, s, &err))
        return absent(err.text);
    card_say(&b.card);
    archs all = {.count = 0};
    (void)rung_matrix(&rk_registry, NULL, add_arch, &all);
    for (size_t i = 0; i < all.count; i++)
        say_arch(all.names[i]);
    bool good = bed_arch(&b, "generic", true, &err);
    if (good) {
        good = say_memory(&b, "copy", copy);
        good = say_memory(&b, "write", set) && good;
    } else {
        say_begin("memory");
        say_text("what", "copy");
        say_text("error", err.text);
        say_end();
    }
    bed_close(&b);
    return good ? MEASURED : MEASURE_FAILED;
}
