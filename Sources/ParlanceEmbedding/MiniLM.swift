/// The sentence-embedding network all-MiniLM-L6-v2 (https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2,
/// Apache-2.0): BERT with 6 layers, then the mean over the tokens, then length 1. Two texts of like meaning get vectors
/// with a large dot product. It was trained on English texts.
///
/// It keeps 23 MB. An embedding is computed by the calling thread alone.
package struct MiniLM: Sendable {
    /// How the matrices are kept.
    package enum Precision: Sendable {
        /// A byte per weight and a scale per row.
        case int8
        /// As in the file; four times as large and the measure for the other.
        case float
    }

    /// The length of an embedding.
    package static let dimensions = 384
    /// The most tokens of a text, with the two special ones (`max_seq_length` of sentence_bert_config.json).
    package static let longest = 256

    // Of the model's config.json.
    static let heads = 12
    static let layerCount = 6
    static let intermediate = 1536
    static let vocabularySize = 30_522
    static let positionCount = 512

    let words: Matrix
    /// A row for each position, with the row of the one token type that single texts have added.
    let positions: [Float]
    let embeddingNorm: LayerNorm
    let layers: [EncoderLayer]
    var kernel = Kernel.best

    /// The embedding of a text: 384 numbers whose squares have the sum 1.
    ///
    /// - tokens: at least one; those after the 256th, and such as are not in the vocabulary, do not count.
    package func embed(tokens: [Int32]) -> [Float] {
        let tokens = tokens.lazy.map(Int.init).filter { words.rows > $0 && $0 >= 0 }.prefix(Self.longest)
        var states = [Float](repeating: 0, count: tokens.count * Self.dimensions)
        for (position, token) in tokens.enumerated() {
            let start = position * Self.dimensions
            words.copyRow(token, into: &states, at: start)
            for index in start..<start + Self.dimensions { states[index] += positions[index] }
        }
        embeddingNorm.apply(to: &states, kernel: kernel)
        for layer in layers { layer.apply(to: &states, kernel: kernel) }
        return Self.normalisedMean(states)
    }

    /// The mean of the rows, at length 1. Every row is a token: a text that is computed alone needs no padding.
    private static func normalisedMean(_ states: [Float]) -> [Float] {
        var sum = [Float](repeating: 0, count: dimensions)
        for start in stride(from: 0, to: states.count, by: dimensions) {
            for column in 0..<dimensions { sum[column] += states[start + column] }
        }
        let length = sum.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length > 0, length.isFinite else { return [Float](repeating: 0, count: dimensions) }
        return sum.map { $0 / length }
    }
}
