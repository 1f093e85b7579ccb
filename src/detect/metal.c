/* SPDX-License-Identifier: Apache-2.0
 *
 * metal.c: Apple's GPUs, through Metal and the run-time library of Objective-C, from C. Metal has nothing to be
 * initialised and nothing to be looked at without it: every depth asks for its device objects, and makes no queue and
 * no buffer.
 *
 * The libraries' files are not on disk since macOS 11, where the loader has them in its cache: they are opened, never
 * looked for.
 */
#include <string.h>

#include "fork.h"
#include "steps.h"

/* ---- Objective-C ------------------------------------------------------------------------------------------------- */

typedef void *id_;
typedef void *selector;

/* objc_msgSend has no prototype of its own: it is called through that of the method, exactly; on arm64 the arguments of
 * a variadic call would be elsewhere. */
typedef id_ send_id_fn(id_ self, selector method);
typedef id_ send_id_at_fn(id_ self, selector method, unsigned long index);
typedef unsigned long send_count_fn(id_ self, selector method);
typedef uint64_t send_uint64_fn(id_ self, selector method);
typedef const char *send_text_fn(id_ self, selector method);
typedef signed char send_bool_of_long_fn(id_ self, selector method, long value);
typedef signed char send_bool_of_selector_fn(id_ self, selector method, selector value);
typedef void send_void_fn(id_ self, selector method);

typedef selector selector_fn(const char *name);
typedef void *push_fn(void);
typedef void pop_fn(void *pool);
typedef id_ device_fn(void);

typedef struct metal {
    rung_any_fn *send;
    selector_fn *selector_of;
    push_fn *push;
    pop_fn *pop;
    device_fn *all, *one;
} metal;

static bool responds(const metal *m, id_ object, const char *method)
{
    return ((send_bool_of_selector_fn *)m->send)(object, m->selector_of("respondsToSelector:"),
                                                 m->selector_of(method)) != 0;
}

static uint64_t number_of(const metal *m, id_ object, const char *method)
{
    return responds(m, object, method) ? ((send_uint64_fn *)m->send)(object, m->selector_of(method)) : 0;
}

static void release(const metal *m, id_ object)
{
    ((send_void_fn *)m->send)(object, m->selector_of("release"));
}

/* ---- devices ----------------------------------------------------------------------------------------------------- */

typedef struct family {
    long number; /* MTLGPUFamily */
    const char *arch;
} family;

/* A GPU is also of the families before its own: the first that fits is the newest. */
static const family families[] = {{1010, "apple10"}, {1009, "apple9"}, {1008, "apple8"},
                                  {1007, "apple7"},  {2002, "mac2"},   {5001, "metal3"}};

static void fill_unit(const metal *m, id_ device, rung_device_report *out)
{
    rung_device_unit *unit = &out->unit[out->count];
    unit->index = out->count++;
    unit->state = RUNG_STATE_USABLE;
    if (responds(m, device, "name")) {
        id_ name = ((send_id_fn *)m->send)(device, m->selector_of("name"));
        const char *text = name == NULL ? NULL : ((send_text_fn *)m->send)(name, m->selector_of("UTF8String"));
        rung_report_text(unit->name, sizeof unit->name, text == NULL ? "" : text);
    }
    if (responds(m, device, "supportsFamily:"))
        for (size_t i = 0; i < sizeof families / sizeof *families && unit->arch[0] == '\0'; i++)
            if (((send_bool_of_long_fn *)m->send)(device, m->selector_of("supportsFamily:"), families[i].number) != 0)
                rung_report_text(unit->arch, sizeof unit->arch, families[i].arch);
    unit->memory = number_of(m, device, "recommendedMaxWorkingSetSize");
    uint64_t registry = number_of(m, device, "registryID");
    if (registry != 0) {
        rung_text t = rung_text_in(unit->uuid, sizeof unit->uuid);
        rung_text_add(&t, "registry-");
        rung_text_uint(&t, registry);
    }
}

/* An array with every device, which is ours; programs without a window get it where the default device is none. */
static void take_all(const metal *m, rung_device_report *out)
{
    id_ array = m->all == NULL ? NULL : m->all();
    if (array == NULL)
        return;
    unsigned long count = ((send_count_fn *)m->send)(array, m->selector_of("count"));
    for (unsigned long i = 0; i < count && out->count < RUNG_UNITS_MAX; i++) {
        id_ device = ((send_id_at_fn *)m->send)(array, m->selector_of("objectAtIndex:"), i);
        if (device != NULL)
            fill_unit(m, device, out);
    }
    release(m, array);
}

static void take_one(const metal *m, rung_device_report *out)
{
    id_ device = m->one == NULL ? NULL : m->one();
    if (device == NULL)
        return;
    fill_unit(m, device, out);
    release(m, device);
}

/* ---- the libraries ----------------------------------------------------------------------------------------------- */

static void *open_library(const rung_world *world, const char *name, rung_device_report *out)
{
    char words[sizeof out->detail];
    rung_text detail = rung_text_in(words, sizeof words);
    rung_device_state state;
    void *library = rung_step_library(world, "metal", name, &state, &detail);
    if (library == NULL)
        rung_report_state(out, state, (const char *const[]){words, NULL});
    return library;
}

void rung_probe_metal(const rung_world *world, rung_depth depth, rung_device_report *out)
{
    static const char name[] = "/System/Library/Frameworks/Metal.framework/Metal";
    rung_report_state(out, RUNG_STATE_ABSENT, (const char *const[]){NULL});
    if (rung_probe_skipped(world, out) || strcmp(world->system, "macos") != 0 ||
        rung_probe_elsewhere(world, depth, out))
        return;
    out->present = 1;
    if (rung_driver_is_forked(rung_driver_of("metal"))) {
        /* the device objects of the parent talk to the system for the parent alone */
        rung_report_state(out, RUNG_STATE_NOT_ASKED, (const char *const[]){"Metal was asked before the fork", NULL});
        return;
    }
    /* first: without it a program of the command line has no default device. It may be missing. */
    (void)open_library(world, "/System/Library/Frameworks/CoreGraphics.framework/CoreGraphics", out);
    void *library = open_library(world, name, out);
    void *objc = library == NULL ? NULL : open_library(world, "/usr/lib/libobjc.A.dylib", out);
    if (objc == NULL)
        return;
    metal m = {rung_world_function(objc, "objc_msgSend"),
               (selector_fn *)rung_world_function(objc, "sel_registerName"),
               (push_fn *)rung_world_function(objc, "objc_autoreleasePoolPush"),
               (pop_fn *)rung_world_function(objc, "objc_autoreleasePoolPop"),
               (device_fn *)rung_world_function(library, "MTLCopyAllDevices"),
               (device_fn *)rung_world_function(library, "MTLCreateSystemDefaultDevice")};
    if (m.send == NULL || m.selector_of == NULL || m.push == NULL || m.pop == NULL ||
        (m.all == NULL && m.one == NULL)) {
        rung_report_state(out, RUNG_STATE_LIBRARY_INVALID,
                          (const char *const[]){"Metal lacks the functions that list devices", NULL});
        return;
    }
    rung_report_text(out->library, sizeof out->library, name);
    uint64_t start = rung_probe_start(world);
    void *pool = m.push();
    take_all(&m, out);
    if (out->count == 0)
        take_one(&m, out);
    m.pop(pool);
    out->initialised = 1;
    rung_probe_told(world, start, "metal", "devices", out->count == 0 ? "none" : out->unit[0].name);
    if (out->count > 0)
        rung_report_from_units(out);
    else
        rung_report_state(out, RUNG_STATE_NO_DEVICES, (const char *const[]){"Metal has no device", NULL});
}
