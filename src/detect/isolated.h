/* SPDX-License-Identifier: Apache-2.0
 *
 * isolated.h: a probe in another process, so that a vendor's library that hangs, crashes or exits does so there.
 */
#ifndef RUNG_DETECT_ISOLATED_H
#define RUNG_DETECT_ISOLATED_H

#include "probe.h"

/* Runs the program rung-probe for one device and waits for its record, at most world->timeout_ms milliseconds and the
 * moment that it takes to kill it. *out, but for `device`, is what it found; `initialised` is 0, for no driver was
 * initialised in this process. Otherwise its state is NO_HELPER, TIMED_OUT, CRASHED or EXITED.
 *
 * The program is the first of world->helper, the environment's RUNG_PROBE_HELPER, ../libexec/rung/rung-probe from the
 * folder of the running program, for installations that were moved, and the path where this build installs it. A
 * program that runs with more rights than its user, such as a setuid one, looks only where this build installs it. It
 * gets:
 *
 * - the world's environment, and its root, libraries and system as arguments;
 * - stdin and stderr on /dev/null (closed, where there is none), stdout on a pipe, and no other descriptor: where the C
 *   library can close them for it (glibc 2.34), they are closed before it starts; elsewhere those of the host that are
 *   not close-on-exec are open until rung-probe, which closes them first of all, has been loaded;
 * - default actions for all signals, none blocked, and a process group of its own, which is killed as a whole.
 *
 * It is reaped, whatever the host does with SIGCHLD, and so are those of its group that became children of the host
 * with its end; no other child of the host is. What a library has started in a session of its own (setsid) lives on.
 * One that the system cannot end, because a kernel driver holds it, is left behind and reaped by a later probe.
 * Thread-safe; errno stays. */
void rung_probe_isolated(const rung_world *world, const char *device, rung_depth depth, rung_device_report *out);

#endif
