/* SPDX-License-Identifier: Apache-2.0
 *
 * fake_cuda_entries.c: the way to the entry points, the names of errors, and what tests are told.
 */
#include "fake_cuda_api.h"
#include "fake_cuda_state.h"

/* ---- entry points ------------------------------------------------------------------------------------------------ */

typedef void any_fn(void);
static const struct {
    const char *name;
    int version;
    any_fn *function;
} entries[] = {
#define FAKE_API(name, version, symbol, parameters) {#name, version, (any_fn *)(symbol)},
    FAKE_APIS
#undef FAKE_API
};

enum { FOUND, NAME_NOT_FOUND, VERSION_NOT_SUFFICIENT };

/* The real driver gives the newest form that is not newer than the version. Who asks for another version than exactly
 * that of a form may get one with other parameters some day: here that breaks a rule, as a name that does not exist. */
int cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status)
{
    int code = fake_enter("cuGetProcAddress_v2", 0);
    if (code != 0)
        return code;
    int told = NAME_NOT_FOUND, exact = 0;
    *function = NULL;
    if (version > fake_driver_version())
        return fake_leave(INVALID_VALUE);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        if (strcmp(entries[i].name, name) != 0)
            continue;
        exact = exact || entries[i].version == version;
        if (entries[i].version <= version)
            memcpy(function, &entries[i].function, sizeof *function);
        told = *function != NULL ? FOUND : VERSION_NOT_SUFFICIENT;
    }
    if (status != NULL)
        *status = told;
    if (told == NAME_NOT_FOUND)
        (void)fake_violation(0, "%s is no entry point that the imitation has", name);
    else if (!exact)
        (void)fake_violation(0, "%s has no form of version %d", name, version);
    if (flags > 2)
        code = fake_violation(INVALID_VALUE, "flags %llu", (unsigned long long)flags);
    return fake_leave(code);
}

/* ---- errors ------------------------------------------------------------------------------------------------------ */

static const struct {
    int code;
    const char *name, *text;
} errors[] = {
    {0, "CUDA_SUCCESS", "no error"},
    {1, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {101, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {201, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {222, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION", "the provided PTX was compiled with an unsupported toolchain."},
    {223, "CUDA_ERROR_JIT_COMPILATION_DISABLED", "PTX JIT compilation was disabled"},
    {400, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {500, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {600, "CUDA_ERROR_NOT_READY", "device not ready"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {709, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "context is destroyed"},
    {712, "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "part or all of the requested memory range is already mapped"},
    {713, "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED", "pointer does not correspond to a registered memory region"},
    {719, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {801, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
    {900, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {901, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"},
    {904, "CUDA_ERROR_STREAM_CAPTURE_UNJOINED", "capturing stream has unjoined work"},
    {905, "CUDA_ERROR_STREAM_CAPTURE_ISOLATION", "dependency created on uncaptured work in another stream"},
    {906, "CUDA_ERROR_STREAM_CAPTURE_IMPLICIT",
     "operation would make the legacy stream depend on a capturing blocking stream"},
    {907, "CUDA_ERROR_CAPTURED_EVENT", "operation not permitted on an event last recorded in a capturing stream"},
    {999, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static int tell(const char *entry, int error, const char **name, const char **text)
{
    int code = fake_enter(entry, 0);
    if (code != 0)
        return code;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
        if (errors[i].code == error) {
            if (name != NULL)
                *name = errors[i].name;
            if (text != NULL)
                *text = errors[i].text;
            return fake_leave(0);
        }
    return fake_leave(INVALID_VALUE);
}

int cuGetErrorName(int error, const char **name)
{
    return tell("cuGetErrorName", error, name, NULL);
}

int cuGetErrorString(int error, const char **text)
{
    return tell("cuGetErrorString", error, NULL, text);
}

/* ---- for tests --------------------------------------------------------------------------------------------------- */

static int kilobytes(void)
{
    size_t bytes = 0;
    for (handle *h = fake_first(MEMORY); h != NULL; h = h->next)
        bytes += ((memory *)h)->bytes;
    return (int)((bytes + 1023) >> 10);
}

int rung_fake_cuda_live(const char *what)
{
    static const struct {
        const char *word;
        handle_kind kind;
    } kinds[] = {
        {"libraries", LIBRARY}, {"streams", STREAM}, {"events", EVENT},  {"graphs", GRAPH},
        {"execs", EXEC},        {"memory", MEMORY},  {"pinned", PINNED},
    };
    static const struct {
        const char *word;
        int (*count)(void);
    } counts[] = {
        {"contexts", rung_fake_cuda_contexts},
        {"kilobytes", kilobytes},
        {"compiled", fake_compiled},
        {"ran", fake_ran},
    };
    if (strcmp(what, "work") == 0)
        return (int)fake_queued();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].word, what) == 0)
            return fake_live(kinds[i].kind);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (strcmp(counts[i].word, what) == 0)
            return counts[i].count();
    return -1;
}
