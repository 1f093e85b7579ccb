/* SPDX-License-Identifier: Apache-2.0
 *
 * wmma.h: nvcuda::wmma for bf16 and tf32 with sums in float, and for double. Products are exact and are added one
 * after another, in float for the first two: the order and the rounding of a tensor core's sums are not known.
 * A tensor core takes the upper 19 bits of a tf32 number, rounded (__float_to_tf32) or not.
 * Which lane holds which element is left open by CUDA: here element e of lane l is number 32 e + l of the matrix.
 */
#ifndef RUNG_ON_HOST_WMMA_H
#define RUNG_ON_HOST_WMMA_H

namespace nvcuda
{
namespace wmma
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision
{
struct tf32;
}

/* What a number is stored as, and its value as the multiplier takes it. */
template <class T> struct number {
    typedef T stored;
    static T value(T x)
    {
        return x;
    }
};
template <> struct number<__nv_bfloat16> {
    typedef __nv_bfloat16 stored;
    static float value(__nv_bfloat16 x)
    {
        return (float)x;
    }
};
template <> struct number<precision::tf32> {
    typedef float stored;
    static float value(float x)
    {
        return __uint_as_float(__float_as_uint(x) & 0xffffe000U);
    }
};

template <int m, int n, int k, class T> struct shape {
    static constexpr bool known = false;
};
template <> struct shape<16, 16, 16, __nv_bfloat16> {
    static constexpr bool known = true;
};
template <> struct shape<32, 8, 16, __nv_bfloat16> : shape<16, 16, 16, __nv_bfloat16> {
};
template <> struct shape<8, 32, 16, __nv_bfloat16> : shape<16, 16, 16, __nv_bfloat16> {
};
template <> struct shape<16, 16, 8, precision::tf32> : shape<16, 16, 16, __nv_bfloat16> {
};
template <> struct shape<8, 8, 4, double> : shape<16, 16, 16, __nv_bfloat16> {
};

template <class Use, int m, int n, int k> struct extent;
template <int m, int n, int k> struct extent<matrix_a, m, n, k> {
    static constexpr int rows = m, columns = k;
};
template <int m, int n, int k> struct extent<matrix_b, m, n, k> {
    static constexpr int rows = k, columns = n;
};
template <int m, int n, int k> struct extent<accumulator, m, n, k> {
    static constexpr int rows = m, columns = n;
};

template <class Layout> struct by_column {
    static constexpr bool value = false;
};
template <> struct by_column<col_major> {
    static constexpr bool value = true;
};

template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment : extent<Use, m, n, k> {
    typedef T element_type;
    typedef typename number<T>::stored storage_element_type;
    static constexpr int num_elements = extent<Use, m, n, k>::rows * extent<Use, m, n, k>::columns / 32;
    storage_element_type x[num_elements];
};

/* The address of element e of the calling lane in a matrix of `rows` by `columns`. */
template <class F> static inline size_t place(int e, unsigned stride, bool columns_first)
{
    const unsigned number = 32U * (unsigned)e + rung_on_host::lane_number();
    const unsigned row = number / F::columns, column = number % F::columns;
    return columns_first ? (size_t)column * stride + row : (size_t)row * stride + column;
}

/* All lanes of the warp, at one line. */
static inline void whole_warp(rung_on_host::together_fn *what, int line)
{
    rung_on_host::need_whole_warp(line);
    (void)rung_on_host::together(what, 0xffffffffU, line);
}

/* CUDA asks for an address on 32 bytes and a stride that is a multiple of 16 bytes. */
static inline void check(const void *at, unsigned stride, size_t size, int line)
{
    if ((uintptr_t)at % 32 != 0 || stride * size % 16 != 0)
        rung_on_host::fail(
            "line %d: a matrix at %p with a stride of %u times %zu bytes: wmma wants multiples of 32 and "
            "16 bytes",
            line, at, stride, size);
    whole_warp(rung_on_host::meet, line);
}

template <class Use, int m, int n, int k, class T, class Layout>
static inline void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &to, const typename number<T>::stored *from,
                                    unsigned stride, int line = __builtin_LINE())
{
    typedef fragment<Use, m, n, k, T, Layout> F;
    check(from, stride, sizeof *from, line);
    for (int e = 0; e < F::num_elements; e++)
        to.x[e] = from[place<F>(e, stride, by_column<Layout>::value)];
}

template <int m, int n, int k, class T>
static inline void load_matrix_sync(fragment<accumulator, m, n, k, T> &to, const T *from, unsigned stride,
                                    layout_t layout, int line = __builtin_LINE())
{
    typedef fragment<accumulator, m, n, k, T> F;
    check(from, stride, sizeof *from, line);
    for (int e = 0; e < F::num_elements; e++)
        to.x[e] = from[place<F>(e, stride, layout == mem_col_major)];
}

template <int m, int n, int k, class T>
static inline void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &from, unsigned stride,
                                     layout_t layout, int line = __builtin_LINE())
{
    typedef fragment<accumulator, m, n, k, T> F;
    check(to, stride, sizeof *to, line);
    for (int e = 0; e < F::num_elements; e++)
        to[place<F>(e, stride, layout == mem_col_major)] = from.x[e];
}

template <class Use, int m, int n, int k, class T, class Layout, class V>
static inline void fill_fragment(fragment<Use, m, n, k, T, Layout> &to, const V &value)
{
    for (auto &x : to.x)
        x = value;
}

/* To the nearest, halves away from zero. */
static inline float __float_to_tf32(float x)
{
    const unsigned u = __float_as_uint(x);
    return (u & 0x7f800000U) == 0x7f800000U ? x : __uint_as_float((u + 0x1000U) & 0xffffe000U);
}

template <class A, class B, class C> struct product {
    const A *a;
    const B *b;
    const C *c;
    C *d;
};

template <class T, class A, class B, class C> static void multiply(rung_on_host::lane *lanes, unsigned)
{
    typedef product<A, B, C> P;
    typedef decltype(number<T>::value(typename number<T>::stored())) V;
    constexpr int m = C::rows, n = C::columns, k = A::columns;
    V a[m * k], b[k * n], sum[m * n];
    for (int l = 0; l < 32; l++) {
        const P *p = static_cast<const P *>(lanes[l].data);
        for (int e = 0; e < A::num_elements; e++)
            a[32 * e + l] = number<T>::value(p->a->x[e]);
        for (int e = 0; e < B::num_elements; e++)
            b[32 * e + l] = number<T>::value(p->b->x[e]);
        for (int e = 0; e < C::num_elements; e++)
            sum[32 * e + l] = p->c->x[e];
    }
    for (int i = 0; i < m; i++)
        for (int t = 0; t < k; t++)
            for (int j = 0; j < n; j++)
                sum[i * n + j] += a[i * k + t] * b[t * n + j];
    for (int l = 0; l < 32; l++) {
        const P *p = static_cast<const P *>(lanes[l].data);
        for (int e = 0; e < C::num_elements; e++)
            p->d->x[e] = sum[32 * e + l];
    }
}

template <int m, int n, int k, class T, class S, class La, class Lb>
static inline void mma_sync(fragment<accumulator, m, n, k, S> &d, const fragment<matrix_a, m, n, k, T, La> &a,
                            const fragment<matrix_b, m, n, k, T, Lb> &b, const fragment<accumulator, m, n, k, S> &c,
                            int line = __builtin_LINE())
{
    static_assert(shape<m, n, k, T>::known, "on_host.h does not know this shape of wmma");
    typedef fragment<matrix_a, m, n, k, T, La> A;
    typedef fragment<matrix_b, m, n, k, T, Lb> B;
    typedef fragment<accumulator, m, n, k, S> C;
    product<A, B, C> p = {&a, &b, &c, &d};
    rung_on_host::own_lane().data = &p;
    whole_warp(multiply<T, A, B, C>, line);
}

} // namespace wmma
} // namespace nvcuda

#endif
