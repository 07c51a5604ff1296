import ParlanceEmbedding

/// The embeddings of messages by one model in memory, as rows of one buffer.
struct VectorIndex: Sendable {
    /// What made them (`VectorMaker.identity`).
    let model: String
    private let dimensions: Int
    /// The messages, each with its conversation, in the order of the rows.
    private(set) var places: [(message: String, conversation: String)] = []
    private var rows: [UInt8] = []
    private var row: [String: Int] = [:]

    init(of model: String, dimensions: Int) {
        (self.model, self.dimensions) = (model, dimensions)
    }

    var isEmpty: Bool { places.isEmpty }

    /// Adds a row. A vector of another length is left out.
    mutating func add(_ message: String, in conversation: String, _ vector: [UInt8]) {
        guard vector.count == Int8Vector.byteCount(dimensions) else { return }
        row[message] = places.count
        places.append((message, conversation))
        rows += vector
    }

    /// The messages that are nearest to a question, the nearest first, with the cosines.
    func nearest(_ count: Int, to question: Int8Vector) -> [(message: String, conversation: String, cosine: Double)] {
        guard question.values.count == dimensions else { return [] }
        return rows.withUnsafeBytes { VectorScan.best(count, for: question, in: $0) }
            .map { (places[$0.row].message, places[$0.row].conversation, Double($0.score)) }
    }

    /// How near a message is; nil if it has no embedding.
    func cosine(of message: String, to question: Int8Vector) -> Double? {
        guard question.values.count == dimensions, let row = row[message] else { return nil }
        let size = Int8Vector.byteCount(dimensions)
        return Int8Vector(bytes: rows[row * size..<(row + 1) * size], dimensions: dimensions)
            .map { Double($0.dot(question)) }
    }
}
