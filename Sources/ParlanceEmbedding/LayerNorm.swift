import CParlanceKernel

/// Layer normalisation: each row gets mean 0 and variance 1, then a weight and a bias per column.
struct LayerNorm {
    let weight: [Float]
    let bias: [Float]

    /// Keeps a row of equal numbers from a division by zero (`layer_norm_eps` of the model's config.json).
    private static let epsilon: Float = 1e-12

    func apply(to values: inout [Float], adding residual: [Float]? = nil, kernel: Kernel) {
        let count = values.count / weight.count
        precondition(values.count == count * weight.count && residual?.count ?? values.count == values.count)
        func normalise(_ residual: UnsafePointer<Float>?) {
            parlance_layer_norm(kernel.choice, &values, residual, count, weight.count, weight, bias, Self.epsilon)
        }
        guard let residual else { return normalise(nil) }
        residual.withUnsafeBufferPointer { normalise($0.baseAddress) }
    }
}
