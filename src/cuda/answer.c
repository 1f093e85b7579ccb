/* SPDX-License-Identifier: Apache-2.0
 *
 * answer.c: what an answer of the driver means. Source: the words of CUDA 13.0's cuda.h on each CUresult.
 */
#include <stddef.h>

#include "cuda/state.h"
#include "detect/nvidia_codes.h"
#include "detect/nvidia_say.h"

enum { OUT_OF_MEMORY = 2 };

/* Those after which nothing more can be done with the device in this process. */
static const int fatal[] = {
    /* "This leaves the process in an inconsistent state and any further CUDA work will return the same error" */
    226,
    700,
    702,
    714,
    715,
    716,
    717,
    718,
    719,
    721,
    911,
    710, /* "The context cannot be used anymore, and must be destroyed" */
    709, /* the program, or a library in it, has destroyed the device's context with all that was in it */
    810, /* "To continue using CUDA, the process must be terminated and relaunched" */
    4,   /* "the CUDA driver is in the process of shutting down" */
    /* An uncorrectable error of memory or of a link: what the device computes cannot be trusted. */
    214,
    220,
    /* "an unknown internal error": after a device was opened, e.g. that of one that has fallen off the bus */
    999,
};

static bool is_fatal(int code)
{
    for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
        if (fatal[i] == code)
            return true;
    return false;
}

void rung_cuda_say(const rung_cuda_entries *api, const char *call, int code, rung_text *t)
{
    if (t == NULL)
        return;
    const char *name = rung_cuda_code_name(code);
    if (name == NULL && api->error_name != NULL && api->error_name(code, &name) != 0)
        name = NULL;
    rung_nvidia_say_code(t, call, code, name);
}

bool rung_cuda_is_lost(const rung_gpu *gpu, rung_text *t)
{
    const char *why = atomic_load_explicit(&gpu->lost, memory_order_acquire);
    if (why != NULL && t != NULL)
        rung_text_add(t, why);
    return why != NULL;
}

int rung_cuda_note(rung_gpu *gpu, const char *call, int code)
{
    if (code == 0 || !is_fatal(code) || atomic_exchange(&gpu->losing, true))
        return code;
    rung_text t = rung_text_in(gpu->lost_text, sizeof gpu->lost_text);
    rung_cuda_say(&gpu->api, call, code, &t);
    rung_text_add(&t, ", which ends the use of the device by this process");
    atomic_store_explicit(&gpu->lost, gpu->lost_text, memory_order_release);
    return code;
}

rung_status rung_cuda_done(rung_gpu *gpu, int saved_errno, const char *call, int code, rung_text *t)
{
    rung_status status = RUNG_OK;
    if (code != 0) {
        (void)rung_cuda_note(gpu, call, code);
        rung_cuda_say(&gpu->api, call, code, t);
        status = code == OUT_OF_MEMORY ? RUNG_ERR_MEMORY : RUNG_ERR_DEVICE;
    }
    errno = saved_errno;
    return status;
}
