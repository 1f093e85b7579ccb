/* SPDX-License-Identifier: Apache-2.0
 *
 * log.h: the rationale of a platform, for people.
 */
#ifndef RUNG_LOG_H
#define RUNG_LOG_H

#include "platform.h"

/* The level that RUNG_LOG's value (NULL: unset) asks for; 0: none. */
unsigned rung_log_env_level(const char *env_log);

/* Tells a platform that was just opened, as far as its RUNG_LOG or the callback's level goes. */
void rung_log_platform(const rung_platform *p);

/* Tells the demotions from `last`, a head of their list, back to `before`, an earlier one, at the level of INFO. Not to
 * be called with the lock held: a callback may call ops. */
void rung_log_demotions(const rung_platform *p, const rung_demotion *last, const rung_demotion *before);

#endif
