import CParlanceKernel
import Foundation
import ParlanceRandom
import Testing

@testable import ParlanceAssistant
@testable import ParlanceEmbedding

/// Both kernels against the plainest way to compute the same.
@Suite(.serialized) struct KernelTests {
    @Test(arguments: [Kernel.plain, Kernel.best])
    func itMultipliesBytes(kernel: Kernel) {
        var random = SplitMix.printingSeed()
        for (rows, columns, count) in [(1, 1, 1), (3, 17, 5), (4, 384, 9), (2, 1536, 4), (5, 2048, 2)] {
            let weights = (0..<rows * columns).map { index -> Int8 in
                index < columns ? (Bool.random(using: &random) ? 127 : -127) : .random(in: -127...127, using: &random)
            }
            // The largest sums that can be are among them.
            let inputs = (0..<count * columns).map { index in
                index < columns
                    ? 8_191 * Int16(weights[index].signum()) : .random(in: -8_191...8_191, using: &random)
            }
            let scales = Self.floats(rows, &random)
            let inputScales = Self.floats(count, &random)
            let bias = Self.floats(rows, &random)
            var output = [Float](repeating: 0, count: rows * count)
            parlance_multiply_int8(
                kernel.choice,
                weights,
                scales,
                bias,
                rows,
                columns,
                inputs,
                inputScales,
                count,
                &output
            )
            for row in 0..<rows {
                for input in 0..<count {
                    let sum = (0..<columns).reduce(0) {
                        $0 + Int(weights[row * columns + $1]) * Int(inputs[input * columns + $1])
                    }
                    let expected = bias[row] + scales[row] * inputScales[input] * Float(sum)
                    #expect(abs(output[input * rows + row] - expected) <= 1e-5 * max(1, abs(expected)))
                }
            }
        }
    }

    @Test(arguments: [Kernel.plain, Kernel.best])
    func itMultipliesFloats(kernel: Kernel) {
        var random = SplitMix.printingSeed()
        let (rows, columns, count) = (3, 45, 4)
        let weights = Self.floats(rows * columns, &random)
        let inputs = Self.floats(count * columns, &random)
        let bias = Self.floats(rows, &random)
        var output = [Float](repeating: 0, count: rows * count)
        parlance_multiply_float(kernel.choice, weights, bias, rows, columns, inputs, count, &output)
        for (index, found) in output.enumerated() {
            let (input, row) = index.quotientAndRemainder(dividingBy: rows)
            let sum = (0..<columns).reduce(0) { $0 + weights[row * columns + $1] * inputs[input * columns + $1] }
            #expect(abs(found - bias[row] - sum) < 1e-4)
        }
    }

    @Test(arguments: [Kernel.plain, Kernel.best])
    func itRoundsToScales(kernel: Kernel) {
        var bytes = [Int8](repeating: 9, count: 5)
        #expect(parlance_quantise_int8(kernel.choice, [0, -2.54, 1.26, 0.031, 0.6], 5, &bytes) == 2.54 / 127)
        #expect(bytes == [0, -127, 63, 2, 30])
        #expect(parlance_quantise_int8(kernel.choice, [0, -0, 1e-38], 3, &bytes) == 0)
        #expect(bytes.prefix(3) == [0, 0, 0])
        var words = [Int16](repeating: 9, count: 3)
        #expect(parlance_quantise_int16(kernel.choice, [-1, 0.51, 1], 3, &words) == Float(1) / 8_191)
        #expect(words == [-8_191, 4_177, 8_191])
        for odd in [Float.infinity, -.infinity, .nan, -.nan] {
            #expect(parlance_quantise_int8(kernel.choice, [1, odd, 2], 3, &bytes).isNaN)
            #expect(bytes.prefix(3) == [0, 0, 0])
        }
    }

    @Test(arguments: [Kernel.plain, Kernel.best])
    func itComputesTheGaussianUnit(kernel: Kernel) {
        let inputs = (-1200...1200).map { Float($0) / 100 } + [-1e30, 1e30]
        var found = inputs
        parlance_gelu(kernel.choice, &found, found.count)
        for (x, y) in zip(inputs, found) {
            let expected = Double(x) * 0.5 * (1 + erf(Double(x) / 2.0.squareRoot()))
            #expect(abs(Double(y) - expected) < 2e-6 * max(1, abs(expected)))
        }
        var odd: [Float] = [.nan, .infinity]
        parlance_gelu(kernel.choice, &odd, odd.count)
        #expect(odd[0].isNaN)
    }

    @Test(arguments: [Kernel.plain, Kernel.best])
    func itNormalisesRows(kernel: Kernel) {
        var random = SplitMix.printingSeed()
        let (count, columns) = (3, 21)
        let values = Self.floats(count * columns, &random)
        let residual = Self.floats(count * columns, &random)
        let norm = LayerNorm(weight: Self.floats(columns, &random), bias: Self.floats(columns, &random))
        var found = values
        norm.apply(to: &found, adding: residual, kernel: kernel)
        for row in 0..<count {
            let sums = (0..<columns).map { Double(values[row * columns + $0] + residual[row * columns + $0]) }
            let mean = sums.reduce(0, +) / Double(columns)
            let variance = sums.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(columns)
            for column in 0..<columns {
                let expected = (sums[column] - mean) / (variance + 1e-12).squareRoot() * Double(norm.weight[column])
                #expect(abs(Double(found[row * columns + column] - norm.bias[column]) - expected) < 1e-4)
            }
        }
    }

    @Test(arguments: [Kernel.plain, Kernel.best])
    func itMixesValuesByAttention(kernel: Kernel) {
        var random = SplitMix.printingSeed()
        let (count, heads, width) = (5, 2, 64)
        let columns = heads * width
        let all = Self.floats(count * 3 * columns, &random)
        var scores = [Float](repeating: 0, count: count)
        var found = [Float](repeating: 0, count: count * columns)
        parlance_attention(kernel.choice, all, count, heads, width, &scores, &found)
        for token in 0..<count {
            for column in 0..<columns {
                let head = column / width * width
                let weights = (0..<count).map { other in
                    exp(
                        (0..<width).reduce(0.0) {
                            $0 + Double(all[token * 3 * columns + head + $1])
                                * Double(all[other * 3 * columns + columns + head + $1])
                        } / Double(width).squareRoot()
                    )
                }
                let sum = (0..<count).reduce(0.0) {
                    $0 + weights[$1] * Double(all[$1 * 3 * columns + 2 * columns + column])
                }
                #expect(abs(Double(found[token * columns + column]) - sum / weights.reduce(0, +)) < 1e-5)
            }
        }
    }

    private static func floats(_ count: Int, _ random: inout SplitMix) -> [Float] {
        (0..<count).map { _ in Float.random(in: -2...2, using: &random) }
    }
}
