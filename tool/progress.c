/* SPDX-License-Identifier: Apache-2.0
 *
 * progress.c: one line of at most the terminal's width, so that it never wraps.
 */
#include "progress.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "text.h"

enum { BAR = 24, MOST = 200 };

static const double redraw_every = 0.1, line_every = 5.0;

static bool enabled, terminal;
static volatile sig_atomic_t visible;
static double started, last;
static char last_stage[64];

double progress_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void progress_begin(bool quiet)
{
    const char *term = getenv("TERM");
    enabled = !quiet;
    terminal = isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
    started = progress_clock();
    last = -1e9;
    last_stage[0] = '\0';
}

static size_t columns(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 80;
}

/* "fit  [######------]  41%  iteration 12, R2 0.953  3.1 s", shortened from the left of the bar when it is narrow. */
static void draw(const char *stage, double fraction, const char *detail, double elapsed)
{
    char bar[BAR + 16] = "", line[MOST * 4];
    size_t width = columns();
    if (width > MOST)
        width = MOST;
    if (fraction >= 0) {
        int full = (int)(fraction * BAR + 0.5);
        char marks[BAR + 1];
        for (int i = 0; i < BAR; i++)
            marks[i] = i < full ? '#' : '-';
        marks[BAR] = '\0';
        snprintf(bar, sizeof bar, "[%s] %3.0f%%  ", marks, 100 * fraction);
    }
    snprintf(line, sizeof line, "%-9s %s%s  %.1f s", stage, bar, detail, elapsed);
    if (text_width(line) >= width)
        snprintf(line, sizeof line, "%s %s  %.1f s", stage, detail, elapsed);
    /* The last column stays empty: a full line makes some terminals wrap. */
    size_t used = 0;
    char *at = line;
    while (*at != '\0' && used + 1 < width) {
        size_t step = text_step(at);
        at += step != 0 ? step : 1;
        used++;
    }
    *at = '\0';
    visible = 1;
    fprintf(stderr, "\r%s\033[K", line);
    fflush(stderr);
}

void progress_show(const char *stage, double fraction, const char *detail)
{
    if (!enabled)
        return;
    double t = progress_clock();
    bool changed = strcmp(stage, last_stage) != 0;
    if (!changed && t - last < (terminal ? redraw_every : line_every))
        return;
    last = t;
    snprintf(last_stage, sizeof last_stage, "%s", stage);
    fraction = fraction > 1 ? 1 : fraction;
    if (terminal)
        draw(stage, fraction, detail, t - started);
    else if (fraction >= 0)
        fprintf(stderr, "%s: %.0f%%%s%s, %.1f s\n", stage, 100 * fraction, detail[0] != '\0' ? ", " : "", detail,
                t - started);
    else
        fprintf(stderr, "%s%s%s, %.1f s\n", stage, detail[0] != '\0' ? ": " : "", detail, t - started);
}

void progress_hide(void)
{
    if (!visible)
        return;
    visible = 0;
    fputs("\r\033[K", stderr);
    fflush(stderr);
    last = -1e9;
}

void progress_wipe(void)
{
    if (!visible)
        return;
    visible = 0;
    ssize_t ignored = write(STDERR_FILENO, "\r\033[K", 4);
    (void)ignored;
}

void progress_end(void)
{
    progress_hide();
    enabled = false;
}
