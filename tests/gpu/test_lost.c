/* SPDX-License-Identifier: Apache-2.0
 *
 * A device that is lost while another thread chooses: what that thread had found by then is not what stays chosen.
 *
 * The choosing is that of the library, with a hook where the other thread comes in between.
 */
#define rung_judge judge_with_hook
#include "choose.c"
#undef rung_judge

#include "scene.h"

rung_reason rung_judge(const rung_registry *registry, const rung_platform *p, uint32_t cell, uint32_t memory,
                       rung_text *detail);

static rung_platform *losing; /* NULL: nothing happens */

rung_reason judge_with_hook(const rung_registry *registry, const rung_platform *p, uint32_t cell, uint32_t memory,
                            rung_text *detail)
{
    rung_reason reason = rung_judge(registry, p, cell, memory, detail);
    uint32_t device = registry->arch_names[registry->cells[cell].arch].device;
    if (p == losing && reason == RUNG_REASON_NONE && device == p->position[0].device) {
        rung_platform *now = losing;
        losing = NULL;
        mock_lose(rung_gpu_at(&now->position[0]));
        rung_gpu_check(now, 0);
    }
    return reason;
}

static void a_device_that_is_lost_while_it_is_chosen(void **state)
{
    (void)state;
    enum { N = 40 };
    scene s;
    scene_begin(&s);
    rung_platform *p = scene_open(&s, "cuda,cpu");
    rung_buffer *y = scene_buffer(p, N);
    assert_int_equal(scene_call(p, &s, ON_CUDA, y, NULL, N, 1, true), RUNG_OK);
    assert_int_equal(mock_calls(MOCK_LAUNCH), 1);
    losing = p;
    rung_choose_op(p, ON_CUDA);
    assert_null(losing);
    for (unsigned char i = 2; i < 5; i++) {
        assert_int_equal(scene_call(p, &s, ON_CUDA, y, NULL, N, i, true), RUNG_OK);
        assert_int_equal(*(const unsigned char *)rung_buffer_read(y), i);
    }
    assert_int_equal(mock_calls(MOCK_LAUNCH), 1);
    rung_buffer_destroy(y);
    scene_end(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_device_that_is_lost_while_it_is_chosen)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
