/* SPDX-License-Identifier: Apache-2.0
 *
 * log.h: the rationale of a platform, for people.
 */
#ifndef RUNG_LOG_H
#define RUNG_LOG_H

#include "platform.h"

/* Tells a platform that was just opened, as far as RUNG_LOG's value (NULL: unset) or the callback's level goes. */
void rung_log_platform(const rung_platform *p, const char *env_log);

#endif
