#pragma once

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// The arithmetic of the embedding model, in C so that the compiler can use the vector instructions of the machine that
/// runs the program. All matrices are row by row, without gaps. No function keeps a pointer or allocates memory.

/// Which instructions a function may use. `PARLANCE_KERNEL_AVX2` is only for machines where `parlance_kernel_best`
/// gives it.
typedef enum {
    PARLANCE_KERNEL_PLAIN = 0,
    PARLANCE_KERNEL_AVX2 = 1,
} parlance_kernel;

/// The fastest kernel of this machine: AVX2 and FMA if it has both.
parlance_kernel parlance_kernel_best(void);

/// Rounds the values to whole multiples of a common scale, the largest value being 127 of them, and returns the scale.
/// It is 0 if all values are 0, and NaN if one is not finite; the output is then all 0.
float parlance_quantise_int8(parlance_kernel kernel, const float *values, size_t count, int8_t *output);

/// The same for activations: the largest value is 8,191 multiples of the scale.
float parlance_quantise_int16(parlance_kernel kernel, const float *values, size_t count, int16_t *output);

/// output[i][r] = bias[r] + weight_scales[r] · scales[i] · Σ_c weights[r][c] · inputs[i][c]
///
/// - columns: at most 2,048; only multiples of 16 are fast.
/// - inputs: from -8,191 to 8,191, and weights from -127 to 127, so that no sum of 32 bits overflows.
void parlance_multiply_int8(
    parlance_kernel kernel, const int8_t *weights, const float *weight_scales,
    const float *bias, size_t rows, size_t columns, const int16_t *inputs,
    const float *scales, size_t count, float *output);

/// output[i][r] = bias[r] + Σ_c weights[r][c] · inputs[i][c]
void parlance_multiply_float(
    parlance_kernel kernel, const float *weights, const float *bias, size_t rows, size_t columns,
    const float *inputs, size_t count, float *output);

/// Adds the residual (if any) to each row, then brings the row to mean 0 and variance 1, then applies weight and bias.
void parlance_layer_norm(
    parlance_kernel kernel, float *values, const float *_Nullable residual, size_t count, size_t columns,
    const float *weight, const float *bias, float epsilon);

/// x · Φ(x), in place. The error function is a formula of Abramowitz and Stegun (7.1.26), right to 1.5e-7.
void parlance_gelu(parlance_kernel kernel, float *values, size_t count);

/// Scaled dot-product attention of one text.
///
/// - projections: a row per token: all queries, all keys, all values (each `heads` × `width`).
/// - width: a multiple of 32.
/// - scores: `count` floats of scratch memory.
/// - output: a row of `heads` × `width` per token.
void parlance_attention(
    parlance_kernel kernel, const float *projections, size_t count, size_t heads, size_t width,
    float *scores, float *output);

/// Σ a[i] · b[i]; count at most 65,536.
int32_t parlance_dot_int8(parlance_kernel kernel, const int8_t *a, const int8_t *b, size_t count);

/// output[i] = scale of row i · Σ query · row i. A row is `columns` bytes and then its scale, a little-endian float.
void parlance_scan_int8(
    parlance_kernel kernel, const int8_t *query, size_t columns, const uint8_t *rows, size_t count,
    float *output);

#pragma clang assume_nonnull end
