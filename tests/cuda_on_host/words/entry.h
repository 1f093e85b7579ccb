/* SPDX-License-Identifier: Apache-2.0
 *
 * entry.h: RUNG_ON_HOST_ENTRY(name) lists a kernel, after its definition, for rung_on_host_find.
 */
#ifndef RUNG_ON_HOST_ENTRY_H
#define RUNG_ON_HOST_ENTRY_H

namespace rung_on_host
{

template <size_t... each> struct numbers {
};
template <size_t count, size_t... each> struct up_to : up_to<count - 1, count - 1, each...> {
};
template <size_t... each> struct up_to<0, each...> {
    typedef numbers<each...> type;
};

/* The stored form of a parameter: without `const`, so that it can be read from a copy. */
template <class T> struct plain {
    typedef T type;
};
template <class T> struct plain<const T> {
    typedef T type;
};

template <class T> struct is_pointer {
    static constexpr uint8_t value = 0;
};
template <class T> struct is_pointer<T *> {
    static constexpr uint8_t value = 1;
};

/* A kernel's parameters, and how it is called with their addresses. */
template <auto kernel> struct called;
template <class... P, void (*kernel)(P...)> struct called<kernel> {
    static constexpr uint16_t sizes[sizeof...(P) + 1] = {sizeof(P)..., 0};
    static constexpr uint8_t pointer[sizeof...(P) + 1] = {is_pointer<typename plain<P>::type>::value..., 0};
    static constexpr uint32_t count = sizeof...(P);

    static void call(void **parameters)
    {
        unpack(parameters, typename up_to<sizeof...(P)>::type());
    }

  private:
    template <size_t... each> static void unpack(void **parameters, numbers<each...>)
    {
        (void)parameters;
        kernel(*static_cast<typename plain<P>::type *>(parameters[each])...);
    }
};

RUNG_HIDDEN rung_on_host_result run(const rung_on_host_kernel *kernel, const rung_on_host_launch *launch, char *message,
                                    size_t size);

} // namespace rung_on_host

extern RUNG_HIDDEN char RUNG_ON_HOST_PASTE(__start_shared_, RUNG_ON_HOST_IMAGE)[];
extern RUNG_HIDDEN char RUNG_ON_HOST_PASTE(__stop_shared_, RUNG_ON_HOST_IMAGE)[];

/* The section is there even where the image has no shared memory. */
__attribute__((used)) __shared__ char rung_on_host_mark[16];

#define RUNG_ON_HOST_ENTRY(kernel)                                                                                     \
    static const rung_on_host_kernel rung_on_host_of_##kernel = {                                                      \
        #kernel,                                                                                                       \
        rung_on_host::called<kernel>::count,                                                                           \
        rung_on_host::called<kernel>::sizes,                                                                           \
        rung_on_host::called<kernel>::pointer,                                                                         \
        rung_on_host::called<kernel>::call,                                                                            \
        RUNG_ON_HOST_PASTE(__start_shared_, RUNG_ON_HOST_IMAGE),                                                       \
        RUNG_ON_HOST_PASTE(__stop_shared_, RUNG_ON_HOST_IMAGE),                                                        \
        rung_on_host::run,                                                                                             \
    };                                                                                                                 \
    __attribute__((section("kernels_on_host"), used)) static const rung_on_host_kernel *rung_on_host_listed_##kernel = \
        &rung_on_host_of_##kernel;

#endif
