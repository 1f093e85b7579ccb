/* SPDX-License-Identifier: Apache-2.0
 *
 * log.h: what is told to people: the rationale of a platform, a choice, every probe.
 */
#ifndef RUNG_LOG_H
#define RUNG_LOG_H

#include "detect/world.h"

/* The level that RUNG_LOG's value (NULL: unset) asks for; 0: none. */
unsigned rung_log_env_level(const char *env_log);

/* Tells one line that belongs to no platform, as far as the callback's level, or without one RUNG_LOG's, goes. Not to
 * be called with a lock held. */
void rung_log_line(rung_log_level level, const char *line);

/* Has the world's probes told in this way at the level of DEBUG, where somebody listens. */
void rung_log_listen(rung_world *world);

/* Tells what RUNG_SKIP and RUNG_PROBE have that nobody understands, at the level of INFO. */
void rung_log_complaints(const rung_world *world);

/* Tells a platform that was just opened, as far as its RUNG_LOG or the callback's level goes. */
void rung_log_platform(const rung_platform *p);

/* Tells that a cell or builder is demoted, and why, at the level of INFO. A callback may call ops. */
void rung_log_demotion(const rung_platform *p, uint32_t item, const char *figures);

/* Whether lines of a level about a platform are told to anybody. */
bool rung_log_hears(const rung_platform *p, rung_log_level level);

/* Tells one, the namespace put before it. Not to be called with a lock held. */
void rung_log_tell(const rung_platform *p, rung_log_level level, const char *what);

/* Tells which devices a fork has taken away, once, at the level of INFO. */
void rung_log_fork(rung_platform *p);

#endif
