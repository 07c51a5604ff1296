import CParlanceKernel

/// A layer of the BERT encoder (Devlin et al., 2019): attention, then two dense layers, each with a residual.
struct EncoderLayer {
    /// Queries, keys and values in one matrix of 3 × 384 rows.
    let projection: DenseLayer
    let attentionOutput: DenseLayer
    let attentionNorm: LayerNorm
    let intermediate: DenseLayer
    let output: DenseLayer
    let outputNorm: LayerNorm

    /// Replaces the states of all tokens, a row each.
    func apply(to states: inout [Float], kernel: Kernel) {
        var attended = attentionOutput(attention(projection(states, kernel: kernel), kernel: kernel), kernel: kernel)
        attentionNorm.apply(to: &attended, adding: states, kernel: kernel)
        var inner = intermediate(attended, kernel: kernel)
        parlance_gelu(kernel.choice, &inner, inner.count)
        states = output(inner, kernel: kernel)
        outputNorm.apply(to: &states, adding: attended, kernel: kernel)
    }

    private func attention(_ projections: [Float], kernel: Kernel) -> [Float] {
        let count = projections.count / (3 * MiniLM.dimensions)
        var scores = [Float](repeating: 0, count: count)
        var mixed = [Float](repeating: 0, count: count * MiniLM.dimensions)
        parlance_attention(
            kernel.choice,
            projections,
            count,
            MiniLM.heads,
            MiniLM.dimensions / MiniLM.heads,
            &scores,
            &mixed
        )
        return mixed
    }
}
