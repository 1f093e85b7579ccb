// SPDX-License-Identifier: Apache-2.0
// The public headers as C++ sees them, and a call from there.
#include "fx/fx.h"
#include "rung/cpu_features.h"
#include "rung/kernel.h"
#include "rung/rung.h"
#include "rung/table.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>

static int count(const rung_cell *cell, void *user)
{
    static_cast<void>(cell);
    ++*static_cast<int *>(user);
    return 0;
}

// Opened and called before main, as a static object of a program may do.
struct early {
    std::int32_t number = -1;
    early()
    {
        rung_platform *platform = nullptr;
        if (rung_platform_open(&fx_registry, "accel/sm90", RUNG_OPEN_NO_ENV, &platform, nullptr) != RUNG_OK)
            return;
        rung_ctx cx = rung_ctx_of(platform);
        if (fx_which(&cx, &number) != RUNG_OK)
            number = -2;
        rung_platform_close(platform);
    }
    ~early()
    {
        std::int32_t late = -1;
        rung_platform *platform = nullptr;
        if (rung_platform_open(&fx_registry, "accel/sm80", RUNG_OPEN_NO_ENV, &platform, nullptr) == RUNG_OK) {
            rung_ctx cx = rung_ctx_of(platform);
            static_cast<void>(fx_which(&cx, &late));
            rung_platform_close(platform);
        }
        if (late != 10)
            std::_Exit(3);
    }
};
static const early before_main;

int main()
{
    rung_platform *platform = nullptr;
    rung_error err;
    if (rung_platform_open(&fx_registry, "cpu", RUNG_OPEN_NO_ENV, &platform, &err) != RUNG_OK) {
        std::fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    rung_ctx cx = rung_ctx_of(platform);
    std::int32_t number = -1;
    int rungs = 0;
    const bool good = fx_which(&cx, &number) == RUNG_OK && number > 0 &&
                      rung_explain(platform, FX_OP_WHICH, FX_VARIANT_DEFAULT, count, &rungs) == RUNG_OK && rungs > 0;
    rung_platform_close(platform);
    return good && before_main.number == 11 ? 0 : 1;
}
