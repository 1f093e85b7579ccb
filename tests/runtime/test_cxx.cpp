// SPDX-License-Identifier: Apache-2.0
// The public headers as C++ sees them, and a call from there.
#include "fx/fx.h"
#include "rung/cpu_features.h"
#include "rung/kernel.h"
#include "rung/rung.h"
#include "rung/table.h"

#include <cstdint>
#include <cstdio>

static int count(const rung_cell *cell, void *user)
{
    static_cast<void>(cell);
    ++*static_cast<int *>(user);
    return 0;
}

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
    return good ? 0 : 1;
}
