/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_metal.c: Metal's two functions in C (fake_metal.h). As on macOS, a program that has not loaded CoreGraphics gets
 * neither a device nor a list.
 */
#include <link.h>

#include "fake_metal.h"

void *MTLCopyAllDevices(void);
void *MTLCreateSystemDefaultDevice(void);
int fake_metal_references(void);

static fake_object array;
static fake_object devices[FAKE_DEVICES];
static fake_object names[FAKE_DEVICES];

static int is_core_graphics(struct dl_phdr_info *info, size_t size, void *user)
{
    const char *slash = info->dlpi_name == NULL ? NULL : strrchr(info->dlpi_name, '/');
    (void)size;
    (void)user;
    return slash != NULL && strcmp(slash, "/CoreGraphics") == 0;
}

static fake_object *device(unsigned i)
{
    fake_object *d = &devices[i];
    char text[sizeof d->text];
    if (!steer_value(VARIABLE, "device", i, text, sizeof text))
        return NULL;
    d->kind = FAKE_DEVICE;
    memcpy(d->text, text, sizeof text);
    names[i].kind = FAKE_STRING;
    steer_field(text, 0, names[i].text, sizeof names[i].text);
    d->inner[0] = &names[i];
    return d;
}

static int is_nil(const char *key)
{
    char text[8];
    return dl_iterate_phdr(is_core_graphics, NULL) == 0 ||
           (steer_value(VARIABLE, key, 0, text, sizeof text) && strcmp(text, "nil") == 0);
}

void *MTLCopyAllDevices(void)
{
    if (steer_entry(VARIABLE, "MTLCopyAllDevices", 0) != 0 || is_nil("array"))
        return NULL;
    array.kind = FAKE_ARRAY;
    array.references++;
    array.count = 0;
    while (array.count < FAKE_DEVICES && (array.inner[array.count] = device((unsigned)array.count)) != NULL)
        array.count++;
    return &array;
}

void *MTLCreateSystemDefaultDevice(void)
{
    fake_object *d = is_nil("default") ? NULL : device(0);
    if (d != NULL)
        d->references++;
    return d;
}

/* How many objects nobody has released. */
int fake_metal_references(void)
{
    return array.references + devices[0].references;
}
