/* SPDX-License-Identifier: Apache-2.0
 *
 * component.h: which builder a platform has for a kind.
 */
#ifndef RUNG_COMPONENT_H
#define RUNG_COMPONENT_H

#include "platform.h"

/* The builder that is called, after its first use if it needs one, demoting those whose first use fails; RUNG_NONE. */
uint32_t rung_component_choose(rung_platform *p, uint32_t kind, uint32_t variant);

/* Everything of *out but reason, detail and chosen. */
void rung_component_fill(const rung_registry *registry, uint32_t builder, rung_component_cell *out);

/* Adds the devices of the platform, "cuda, cpu", and why each declared builder is not available. */
void rung_component_tell(const rung_platform *p, uint32_t kind, uint32_t variant, rung_text *t);

#endif
