/* SPDX-License-Identifier: Apache-2.0
 *
 * wire.h: a record as text, from one process to another.
 *
 *     rung-record 1
 *     device cuda
 *     state usable
 *     unit 0
 *     unit.name NVIDIA A100-SXM4-40GB
 *     unit.memory 42505273344
 *     end
 *
 * The first line is the format's version; `unit` begins the next unit, and has its index; keys stand once, in any
 * order, and what is not known has no line. Lines hold printable ASCII and end with a newline, the last one too.
 */
#ifndef RUNG_DETECT_WIRE_H
#define RUNG_DETECT_WIRE_H

#include <stdbool.h>
#include <stddef.h>

#include "rung/devices.h"

/* The first line, which says that whoever writes has begun. */
#define RUNG_WIRE_BEGIN "rung-record 1\n"
/* The last one: nothing is worth reading after it. */
#define RUNG_WIRE_END "end\n"

/* Begins a line with a step on the way to the record, as rung_probe_told has it. */
#define RUNG_WIRE_TOLD "told "

/* Copies a text into an array of this size, cut where it ends; bytes that are no printable ASCII become '?'. */
void rung_wire_text(char *out, size_t size, const char *text);

/* No record is longer, with all its steps. */
enum { RUNG_WIRE_MAX = 64 * 1024, RUNG_WIRE_TOLD_MAX = 8 * 1024 };

/* Writes a whole record. Returns its bytes: no terminator is written. */
size_t rung_wire_write(const rung_device_report *report, char out[RUNG_WIRE_MAX]);

/* Whether the bytes are whole lines that end with that of RUNG_WIRE_END, so that no more are to be waited for. */
bool rung_wire_is_whole(const char *text, size_t len);

/* Reads a whole record, whatever the bytes are. False, and *out zeroed, where they are no record: another version, a
 * line that is none, a value that does not fit or stands twice, too many units, anything after the end. Keys that are
 * not known are passed over. */
bool rung_wire_read(const char *text, size_t len, rung_device_report *out);

#endif
