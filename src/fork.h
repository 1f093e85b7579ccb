/* SPDX-License-Identifier: Apache-2.0
 *
 * fork.h: what a fork does to drivers. A driver that was initialised before a fork does not work in the child, which
 * therefore gives up its devices (docs/resolution.md, `forked`). All of it is the process's, not a platform's: nothing
 * here is const, and none of it is asked on the call path.
 */
#ifndef RUNG_FORK_H
#define RUNG_FORK_H

#include <stdatomic.h>
#include <stdbool.h>

#include "platform_parse.h"
#include "rung/rung.h"
#include "text.h"

/* The driver of one kind of device, as all platforms of this process share it. */
typedef struct rung_driver {
    char device[RUNG_NAME_MAX + 1];
    _Atomic long owner;      /* the process that initialised it; 0: nobody has, as far as is known here */
    _Atomic unsigned asking; /* threads that are in its libraries right now */
    _Atomic bool forked;     /* this process is a child that was forked after that, or while one was */
} rung_driver;

/* Never NULL. */
rung_driver *rung_driver_of(const char *device);

/* To be called before anything that may initialise the driver, so that no fork can fall between the two. */
void rung_driver_use(rung_driver *driver);

/* Around everything that may call its libraries in this process. A child of a fork in between gives the driver up: what
 * those threads had locked stays locked for ever. */
void rung_driver_ask_begin(rung_driver *driver);
void rung_driver_ask_end(rung_driver *driver);

bool rung_driver_is_forked(const rung_driver *driver);
/* Adds which process initialised it, and which one this is. */
void rung_driver_tell(const rung_driver *driver, rung_text *t);

/* A platform that has devices with drivers hears of forks from here until it is closed. False: out of memory. */
bool rung_fork_watch(rung_platform *p);
void rung_fork_unwatch(rung_platform *p);

#endif
