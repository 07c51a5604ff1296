import CParlanceKernel

/// The weights of a dense layer or a table, a row per output.
struct Matrix {
    enum Storage {
        /// Each row is whole numbers of -127 to 127 and a scale.
        case int8(values: [Int8], scales: [Float])
        case float([Float])
    }

    let rows: Int
    let columns: Int
    let storage: Storage

    /// Writes a row as floats.
    func copyRow(_ row: Int, into output: inout [Float], at start: Int) {
        switch storage {
        case .int8(let values, let scales):
            for column in 0..<columns {
                output[start + column] = Float(values[row * columns + column]) * scales[row]
            }
        case .float(let values):
            for column in 0..<columns { output[start + column] = values[row * columns + column] }
        }
    }
}

/// A dense layer: a matrix and a number that is added to each output.
struct DenseLayer {
    let weights: Matrix
    let bias: [Float]

    /// The outputs for each row of `inputs`. With weights of 8 bits, activations are rounded to 14: 16 of
    /// these products cost one instruction, and the error is far below that of the weights.
    func callAsFunction(_ inputs: [Float], kernel: Kernel) -> [Float] {
        let count = inputs.count / weights.columns
        precondition(inputs.count == count * weights.columns, "inputs are whole rows")
        return [Float](unsafeUninitializedCapacity: count * weights.rows) { output, initialized in
            // The kernel writes every element.
            guard let target = output.baseAddress else { return }
            initialized = count * weights.rows
            switch weights.storage {
            case .int8(let values, let weightScales):
                let (quantised, scales) = quantise(inputs, count: count, kernel: kernel)
                parlance_multiply_int8(
                    kernel.choice,
                    values,
                    weightScales,
                    bias,
                    weights.rows,
                    weights.columns,
                    quantised,
                    scales,
                    count,
                    target
                )
            case .float(let values):
                parlance_multiply_float(
                    kernel.choice,
                    values,
                    bias,
                    weights.rows,
                    weights.columns,
                    inputs,
                    count,
                    target
                )
            }
        }
    }

    private func quantise(_ inputs: [Float], count: Int, kernel: Kernel) -> (values: [Int16], scales: [Float]) {
        var scales = [Float](repeating: 0, count: count)
        let values = [Int16](unsafeUninitializedCapacity: inputs.count) { output, initialized in
            initialized = inputs.count
            guard let target = output.baseAddress else { return }
            inputs.withUnsafeBufferPointer { inputs in
                guard let source = inputs.baseAddress else { return }
                for row in 0..<count {
                    let start = row * weights.columns
                    scales[row] = parlance_quantise_int16(
                        kernel.choice,
                        source + start,
                        weights.columns,
                        target + start
                    )
                }
            }
        }
        return (values, scales)
    }
}
