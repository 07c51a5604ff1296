#include "parlance_kernel.h"

#include <math.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// Each function is written once, always inlined, and compiled twice: for every machine, and for one with AVX2 and FMA.
// Only the two sums of integers have a version by hand.
#define BODY static inline __attribute__((always_inline))

enum { lanes = 8, tile_rows = 2, tile_inputs = 4, mixed_vectors = 4, most_columns = 2048 };

typedef float vector __attribute__((vector_size(lanes * sizeof(float))));
typedef float half_vector __attribute__((vector_size(lanes / 2 * sizeof(float))));

BODY float dot_float(const float *a, const float *b, size_t count) {
    vector sums[4] = {{0}, {0}, {0}, {0}};
    size_t i = 0;
    for (; i + 4 * lanes <= count; i += 4 * lanes) {
        for (size_t j = 0; j < 4; j++) {
            vector x, y;
            memcpy(&x, a + i + j * lanes, sizeof x);
            memcpy(&y, b + i + j * lanes, sizeof y);
            sums[j] += x * y;
        }
    }
    vector sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    half_vector half = __builtin_shufflevector(sum, sum, 0, 1, 2, 3) + __builtin_shufflevector(sum, sum, 4, 5, 6, 7);
    float total = (half[0] + half[2]) + (half[1] + half[3]);
    for (; i < count; i++) total += a[i] * b[i];
    return total;
}

// e^x for x ≤ 0, right to about 2e-7: 2^n · e^r with |r| ≤ ln 2 / 2, and e^r by its series.
BODY float exponential(float x) {
    const float nearest = 12582912.0f;  // 1.5 · 2^23: adding it rounds to a whole number
    x = x > -87.0f ? x : -87.0f;  // also of a NaN, which no whole number can stand for
    float n = (x * 1.44269504f + nearest) - nearest;
    float r = x - n * 0.693359375f + n * 2.12194440e-4f;
    float series = 1.0f / 720;
    series = series * r + 1.0f / 120;
    series = series * r + 1.0f / 24;
    series = series * r + 1.0f / 6;
    series = series * r + 0.5f;
    series = series * r + 1.0f;
    series = series * r + 1.0f;
    int32_t bits = ((int32_t)n + 127) << 23;
    float power;
    memcpy(&power, &bits, sizeof power);
    return series * power;
}

// The largest magnitude, as its bits: those of an infinity or NaN are above those of all numbers.
BODY int32_t largest_bits(const float *values, size_t count) {
    int32_t largest = 0;
    for (size_t i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, values + i, sizeof bits);
        bits &= 0x7fffffff;
        largest = bits > largest ? bits : largest;
    }
    return largest;
}

#define QUANTISE(name, type, limit)                                             \
    BODY float name(const float *values, size_t count, type *output) {          \
        const float nearest = 12582912.0f;                                      \
        int32_t bits = largest_bits(values, count);                             \
        float largest;                                                          \
        memcpy(&largest, &bits, sizeof largest);                                \
        /* Below that, the inverse would be infinite. */                        \
        if (bits >= 0x7f800000 || largest < 1e-30f) {                           \
            memset(output, 0, count * sizeof *output);                          \
            return bits >= 0x7f800000 ? NAN : 0;                                \
        }                                                                       \
        float inverse = limit / largest;                                        \
        for (size_t i = 0; i < count; i++)                                      \
            output[i] = (type)(int32_t)((values[i] * inverse + nearest) - nearest); \
        return largest / limit;                                                 \
    }
QUANTISE(quantise_int8, int8_t, 127.0f)
// The largest sum of products is then 2,048 · 127 · 8,191, which 32 bits can hold.
QUANTISE(quantise_int16, int16_t, 8191.0f)

BODY void multiply_float(
    const float *weights, const float *bias, size_t rows, size_t columns, const float *inputs, size_t count,
    float *output) {
    for (size_t r = 0; r < rows; r++)
        for (size_t i = 0; i < count; i++)
            output[i * rows + r] = bias[r] + dot_float(weights + r * columns, inputs + i * columns, columns);
}

BODY void layer_norm(
    float *values, const float *residual, size_t count, size_t columns, const float *weight, const float *bias,
    float epsilon) {
    for (size_t i = 0; i < count; i++) {
        float *row = values + i * columns;
        float sums[lanes] = {0};
        if (residual)
            for (size_t c = 0; c < columns; c++) row[c] += residual[i * columns + c];
        size_t whole = columns - columns % lanes;
        for (size_t c = 0; c < whole; c += lanes)
            for (size_t j = 0; j < lanes; j++) sums[j] += row[c + j];
        float mean = 0;
        for (size_t j = 0; j < lanes; j++) mean += sums[j];
        for (size_t c = whole; c < columns; c++) mean += row[c];
        mean /= (float)columns;
        for (size_t c = 0; c < columns; c++) row[c] -= mean;
        float inverse = 1.0f / sqrtf(dot_float(row, row, columns) / (float)columns + epsilon);
        for (size_t c = 0; c < columns; c++) row[c] = row[c] * inverse * weight[c] + bias[c];
    }
}

BODY void gelu(float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        float x = values[i];
        float z = fabsf(x) * 0.707106781f;
        float t = 1.0f / (1.0f + 0.3275911f * z);
        float series = 1.061405429f;
        series = series * t - 1.453152027f;
        series = series * t + 1.421413741f;
        series = series * t - 0.284496736f;
        series = series * t + 0.254829592f;
        float error = copysignf(1.0f - series * t * exponential(-z * z), x);
        values[i] = 0.5f * x * (1.0f + error);
    }
}

BODY void attention(
    const float *projections, size_t count, size_t heads, size_t width, float *scores, float *output) {
    size_t columns = heads * width;
    size_t stride = 3 * columns;
    float scale = 1.0f / sqrtf((float)width);
    for (size_t head = 0; head < heads; head++) {
        const float *keys = projections + columns + head * width;
        const float *values = keys + columns;
        for (size_t i = 0; i < count; i++) {
            const float *query = projections + i * stride + head * width;
            float largest = -INFINITY;
            for (size_t j = 0; j < count; j++) {
                scores[j] = scale * dot_float(query, keys + j * stride, width);
                largest = scores[j] > largest ? scores[j] : largest;
            }
            float sum = 0;
            for (size_t j = 0; j < count; j++) scores[j] = exponential(scores[j] - largest);
            for (size_t j = 0; j < count; j++) sum += scores[j];
            for (size_t c = 0; c < width; c += mixed_vectors * lanes) {
                vector mixed[mixed_vectors] = {{0}, {0}, {0}, {0}};
                for (size_t j = 0; j < count; j++) {
                    for (size_t k = 0; k < mixed_vectors; k++) {
                        vector value;
                        memcpy(&value, values + j * stride + c + k * lanes, sizeof value);
                        mixed[k] += scores[j] * value;
                    }
                }
                for (size_t k = 0; k < mixed_vectors; k++) mixed[k] /= sum;
                memcpy(output + i * columns + head * width + c, mixed, sizeof mixed);
            }
        }
    }
}

BODY void multiply_int8_plain(
    const int8_t *weights, const float *weight_scales, const float *bias, size_t rows, size_t columns,
    const int16_t *inputs, const float *scales, size_t count, float *output) {
    int16_t row[most_columns];
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) row[c] = weights[r * columns + c];
        for (size_t i = 0; i < count; i++) {
            int32_t sum = 0;
            for (size_t c = 0; c < columns; c++) sum += row[c] * inputs[i * columns + c];
            output[i * rows + r] = bias[r] + weight_scales[r] * scales[i] * (float)sum;
        }
    }
}

BODY int32_t dot_int8_plain(const int8_t *a, const int8_t *b, size_t count) {
    int32_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += a[i] * b[i];
    return sum;
}

#define SCAN(name, dot)                                                                                     \
    BODY void name(const int8_t *query, size_t columns, const uint8_t *rows, size_t count, float *output) { \
        for (size_t i = 0; i < count; i++) {                                                                \
            const uint8_t *row = rows + i * (columns + sizeof(float));                                      \
            float scale;                                                                                    \
            memcpy(&scale, row + columns, sizeof scale);                                                    \
            output[i] = scale * (float)dot(query, (const int8_t *)row, columns);                            \
        }                                                                                                   \
    }
SCAN(scan_int8_plain, dot_int8_plain)

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2,fma")))

AVX2 BODY __m256i widened(const int8_t *values) {
    return _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)values));
}

AVX2 BODY int32_t total(__m256i sums) {
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0x4e));
    half = _mm_add_epi32(half, _mm_shuffle_epi32(half, 0xb1));
    return _mm_cvtsi128_si32(half);
}

AVX2 BODY int32_t dot_int8_avx2(const int8_t *a, const int8_t *b, size_t count) {
    __m256i first = _mm256_setzero_si256(), second = first;
    size_t i = 0;
    for (; i + 32 <= count; i += 32) {
        first = _mm256_add_epi32(first, _mm256_madd_epi16(widened(a + i), widened(b + i)));
        second = _mm256_add_epi32(second, _mm256_madd_epi16(widened(a + i + 16), widened(b + i + 16)));
    }
    return total(_mm256_add_epi32(first, second)) + dot_int8_plain(a + i, b + i, count - i);
}

AVX2 SCAN(scan_int8_avx2, dot_int8_avx2)

// The products of a few rows with a few inputs, whose sums all stay in registers.
AVX2 BODY void multiply_tile(
    size_t row_count, size_t input_count, const int8_t *weights, const float *weight_scales, const float *bias,
    size_t rows, size_t columns, const int16_t *inputs, const float *scales, float *output) {
    __m256i sums[tile_rows][tile_inputs];
    for (size_t r = 0; r < row_count; r++)
        for (size_t i = 0; i < input_count; i++) sums[r][i] = _mm256_setzero_si256();
    size_t whole = columns - columns % 16;
    for (size_t c = 0; c < whole; c += 16) {
        __m256i weight[tile_rows];
        for (size_t r = 0; r < row_count; r++) weight[r] = widened(weights + r * columns + c);
        for (size_t i = 0; i < input_count; i++) {
            __m256i input = _mm256_loadu_si256((const __m256i *)(inputs + i * columns + c));
            for (size_t r = 0; r < row_count; r++)
                sums[r][i] = _mm256_add_epi32(sums[r][i], _mm256_madd_epi16(weight[r], input));
        }
    }
    for (size_t r = 0; r < row_count; r++) {
        for (size_t i = 0; i < input_count; i++) {
            int32_t sum = total(sums[r][i]);
            for (size_t c = whole; c < columns; c++) sum += weights[r * columns + c] * inputs[i * columns + c];
            output[i * rows + r] = bias[r] + weight_scales[r] * scales[i] * (float)sum;
        }
    }
}

AVX2 BODY void multiply_int8_avx2(
    const int8_t *weights, const float *weight_scales, const float *bias, size_t rows, size_t columns,
    const int16_t *inputs, const float *scales, size_t count, float *output) {
#define TILE(row_count, input_count)                                                                      \
    multiply_tile(                                                                                        \
        row_count, input_count, weights + r * columns, weight_scales + r, bias + r, rows, columns,        \
        inputs + i * columns, scales + i, output + i * rows + r)
    size_t r = 0;
    for (; r + tile_rows <= rows; r += tile_rows) {
        size_t i = 0;
        for (; i + tile_inputs <= count; i += tile_inputs) TILE(tile_rows, tile_inputs);
        for (; i < count; i++) TILE(tile_rows, 1);
    }
    for (; r < rows; r++)
        for (size_t i = 0; i < count; i++) TILE(1, 1);
#undef TILE
}

#endif

#define LIST(...) __VA_ARGS__

// Defines a public function: a body, and the same or another body where the compiler may use AVX2 and FMA.
#if defined(__x86_64__)
#define PUBLIC(type, name, plain, avx2, parameters, arguments)                            \
    AVX2 static type name##_fast(parameters) { return avx2(arguments); }                  \
    type parlance_##name(parlance_kernel kernel, parameters) {                            \
        return kernel == PARLANCE_KERNEL_AVX2 ? name##_fast(arguments) : plain(arguments); \
    }

parlance_kernel parlance_kernel_best(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? PARLANCE_KERNEL_AVX2
                                                                          : PARLANCE_KERNEL_PLAIN;
}
#else
#define PUBLIC(type, name, plain, avx2, parameters, arguments)          \
    type parlance_##name(parlance_kernel kernel, parameters) {          \
        (void)kernel;                                                   \
        return plain(arguments);                                        \
    }

parlance_kernel parlance_kernel_best(void) { return PARLANCE_KERNEL_PLAIN; }
#endif

PUBLIC(
    float, quantise_int8, quantise_int8, quantise_int8, LIST(const float *values, size_t count, int8_t *output),
    LIST(values, count, output))

PUBLIC(
    float, quantise_int16, quantise_int16, quantise_int16, LIST(const float *values, size_t count, int16_t *output),
    LIST(values, count, output))

PUBLIC(
    void, multiply_int8, multiply_int8_plain, multiply_int8_avx2,
    LIST(const int8_t *weights, const float *weight_scales, const float *bias, size_t rows, size_t columns,
         const int16_t *inputs, const float *scales, size_t count, float *output),
    LIST(weights, weight_scales, bias, rows, columns, inputs, scales, count, output))

PUBLIC(
    void, multiply_float, multiply_float, multiply_float,
    LIST(const float *weights, const float *bias, size_t rows, size_t columns, const float *inputs, size_t count,
         float *output),
    LIST(weights, bias, rows, columns, inputs, count, output))

PUBLIC(
    void, layer_norm, layer_norm, layer_norm,
    LIST(float *values, const float *residual, size_t count, size_t columns, const float *weight, const float *bias,
         float epsilon),
    LIST(values, residual, count, columns, weight, bias, epsilon))

PUBLIC(void, gelu, gelu, gelu, LIST(float *values, size_t count), LIST(values, count))

PUBLIC(
    void, attention, attention, attention,
    LIST(const float *projections, size_t count, size_t heads, size_t width, float *scores, float *output),
    LIST(projections, count, heads, width, scores, output))

PUBLIC(
    int32_t, dot_int8, dot_int8_plain, dot_int8_avx2, LIST(const int8_t *a, const int8_t *b, size_t count),
    LIST(a, b, count))

PUBLIC(
    void, scan_int8, scan_int8_plain, scan_int8_avx2,
    LIST(const int8_t *query, size_t columns, const uint8_t *rows, size_t count, float *output),
    LIST(query, columns, rows, count, output))
