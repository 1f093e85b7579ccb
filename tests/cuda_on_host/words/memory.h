/* SPDX-License-Identifier: Apache-2.0
 *
 * memory.h: loads and stores with a hint, and the copies to shared memory that run beside a thread (cuda_pipeline.h):
 * here they are made when the thread waits for them, so that what is read before has not come.
 */
#ifndef RUNG_ON_HOST_MEMORY_H
#define RUNG_ON_HOST_MEMORY_H

#define RUNG_LOAD(name)                                                                                                \
    template <class T> static inline T name(const T *at)                                                               \
    {                                                                                                                  \
        return *at;                                                                                                    \
    }
#define RUNG_STORE(name)                                                                                               \
    template <class T> static inline void name(T *at, T value)                                                         \
    {                                                                                                                  \
        *at = value;                                                                                                   \
    }
RUNG_LOAD(__ldg)
RUNG_LOAD(__ldcg)
RUNG_LOAD(__ldca)
RUNG_LOAD(__ldcs)
RUNG_LOAD(__ldlu)
RUNG_LOAD(__ldcv)
RUNG_STORE(__stwb)
RUNG_STORE(__stcg)
RUNG_STORE(__stcs)
RUNG_STORE(__stwt)
#undef RUNG_LOAD
#undef RUNG_STORE

namespace rung_on_host
{
RUNG_HIDDEN void copy_later(void *to, const void *from, size_t bytes, size_t zeros);
RUNG_HIDDEN void copies_commit();
/* Waits for all but the last `ahead` batches. */
RUNG_HIDDEN void copies_wait(size_t ahead);
} // namespace rung_on_host

/* The last `zeros` of `bytes` are not read: zeros are written. */
static inline void __pipeline_memcpy_async(void *to, const void *from, size_t bytes, size_t zeros = 0)
{
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros > bytes || (uintptr_t)to % bytes != 0 ||
        (uintptr_t)from % bytes != 0)
        rung_on_host::fail("__pipeline_memcpy_async of %zu bytes, %zu zeros, to %p from %p", bytes, zeros, to, from);
    rung_on_host::copy_later(to, from, bytes - zeros, zeros);
}

static inline void __pipeline_commit()
{
    rung_on_host::copies_commit();
}

static inline void __pipeline_wait_prior(size_t ahead)
{
    rung_on_host::copies_wait(ahead);
}

#endif
