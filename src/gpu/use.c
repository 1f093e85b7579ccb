/* SPDX-License-Identifier: Apache-2.0
 *
 * use.c: what everything that calls a driver has in common: whether the device can be used, and what is said when
 * something fails.
 */
#include "error.h"
#include "gpu/gpu.h"
#include "log.h"
#include "names.h"

rung_status rung_gpu_failed(rung_platform *p, uint32_t position, rung_status status, const char *what,
                            const char *detail, rung_error *err)
{
    const char *device = rung_device_text(p->head.registry, p->position[position].device);
    rung_text t = rung_error_begin(err, status);
    const char *const parts[] = {device, ": ", what, detail[0] == '\0' ? "" : ": ", detail, NULL};
    rung_text_join(&t, parts);
    if (rung_log_hears(p, RUNG_LOG_INFO)) {
        char line[RUNG_ERROR_TEXT];
        t = rung_text_in(line, sizeof line);
        rung_text_join(&t, parts);
        rung_log_tell(p, RUNG_LOG_INFO, line);
    }
    rung_gpu_check(p, position);
    return status;
}

rung_gpu *rung_gpu_here(const rung_position *position)
{
    if (position->of_process != NULL && rung_driver_is_forked(position->of_process))
        return NULL;
    return rung_gpu_at(position);
}

rung_gpu *rung_gpu_usable(const rung_platform *p, uint32_t position)
{
    const rung_position *at = &p->position[position];
    rung_gpu *gpu = rung_gpu_here(at);
    return gpu != NULL && rung_gpu_driver_of(at)->lost(gpu) == NULL ? gpu : NULL;
}

rung_gpu *rung_gpu_ready(rung_platform *p, uint32_t position, rung_error *err)
{
    const rung_position *at = &p->position[position];
    rung_gpu *gpu = rung_gpu_here(at);
    const char *lost = gpu == NULL ? NULL : rung_gpu_driver_of(at)->lost(gpu);
    if (gpu != NULL && lost == NULL)
        return gpu;
    char figures[RUNG_FIGURES_SIZE];
    rung_text t = rung_text_in(figures, sizeof figures);
    const char *what = "lost";
    if (gpu == NULL) {
        rung_reason state = rung_position_state(at, &t);
        what = state == RUNG_REASON_NONE ? "it has not been opened" : rung_reason_text(state);
    }
    (void)rung_gpu_failed(p, position, RUNG_ERR_DEVICE, what, lost == NULL ? figures : lost, err);
    return NULL;
}

rung_gpu *rung_gpu_enter(rung_platform *p, uint32_t position, rung_error *err)
{
    rung_gpu *gpu = rung_gpu_ready(p, position, err);
    if (gpu == NULL)
        return NULL;
    char figures[RUNG_FIGURES_SIZE];
    rung_text t = rung_text_in(figures, sizeof figures);
    if (rung_gpu_driver_of(&p->position[position])->enter(gpu, &t) == RUNG_OK)
        return gpu;
    (void)rung_gpu_failed(p, position, RUNG_ERR_DEVICE, "making it current", figures, err);
    return NULL;
}

rung_status rung_gpu_open_first(rung_platform *p, uint32_t *position, rung_error *err)
{
    uint32_t first = rung_gpu_first(p);
    *position = first;
    if (first == RUNG_NONE)
        return RUNG_OK;
    if (rung_gpu_at(&p->position[first]) != NULL)
        return rung_gpu_ready(p, first, err) != NULL ? RUNG_OK : RUNG_ERR_DEVICE;
    char figures[RUNG_FIGURES_SIZE];
    rung_text detail = rung_text_in(figures, sizeof figures);
    rung_reason reason = RUNG_REASON_NONE;
    if (rung_gpu_open(p, first, &reason, &detail) != NULL)
        return RUNG_OK;
    return rung_gpu_failed(p, first, RUNG_ERR_UNAVAILABLE, rung_reason_text(reason), figures, err);
}
