/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_objc.c: libobjc for the objects of fake_metal.h. A selector is the name that it was made of. The message
 * function takes and gives words, in which every prototype that detection uses is passed on x86-64 and AArch64.
 */
#include <stdint.h>

#include "fake_metal.h"

uintptr_t objc_msgSend(fake_object *self, const char *method, uintptr_t value);
const char *sel_registerName(const char *name);
void *objc_autoreleasePoolPush(void);
void objc_autoreleasePoolPop(void *pool);
int fake_objc_pools(void);

static int pools;

const char *sel_registerName(const char *name)
{
    return name;
}

void *objc_autoreleasePoolPush(void)
{
    pools++;
    return &pools;
}

void objc_autoreleasePoolPop(void *pool)
{
    if (pool != &pools)
        abort();
    pools--;
}

int fake_objc_pools(void)
{
    return pools;
}

static uintptr_t field_number(const fake_object *device, unsigned field)
{
    char text[64];
    steer_field(device->text, field, text, sizeof text);
    return strtoul(text, NULL, 10);
}

static uintptr_t supports(const fake_object *device, uintptr_t family)
{
    char text[64];
    steer_field(device->text, 1, text, sizeof text);
    for (char *at = text; *at != '\0'; at += strcspn(at, ","), at += *at == ',')
        if (strtoul(at, NULL, 10) == family)
            return 1;
    return 0;
}

static uintptr_t has_method(const char *method)
{
    static const char *const methods[] = {"name", "supportsFamily:", "recommendedMaxWorkingSetSize", "registryID"};
    char without[64];
    (void)steer_value(VARIABLE, "without", 0, without, sizeof without);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(method, methods[i]) == 0)
            return strcmp(method, without) != 0;
    return 0;
}

static uintptr_t send_device(fake_object *self, const char *method, uintptr_t value)
{
    if (strcmp(method, "respondsToSelector:") == 0)
        return has_method((const char *)value);
    if (!has_method(method))
        abort(); /* as Objective-C does */
    if (strcmp(method, "name") == 0)
        return (uintptr_t)self->inner[0];
    if (strcmp(method, "supportsFamily:") == 0)
        return supports(self, value);
    return field_number(self, strcmp(method, "registryID") == 0 ? 3 : 2);
}

uintptr_t objc_msgSend(fake_object *self, const char *method, uintptr_t value)
{
    if (pools == 0)
        abort(); /* what is returned would be nobody's */
    if (strcmp(method, "release") == 0) {
        self->references--;
        return 0;
    }
    if (self->kind == FAKE_DEVICE)
        return send_device(self, method, value);
    if (self->kind == FAKE_ARRAY && strcmp(method, "count") == 0)
        return self->count;
    if (self->kind == FAKE_ARRAY && strcmp(method, "objectAtIndex:") == 0 && value < self->count)
        return (uintptr_t)self->inner[value];
    if (self->kind == FAKE_STRING && strcmp(method, "UTF8String") == 0)
        return (uintptr_t)self->text;
    abort();
}
