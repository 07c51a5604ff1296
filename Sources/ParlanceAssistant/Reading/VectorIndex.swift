/// The embeddings of messages in memory, as rows of one buffer.
struct VectorIndex: Sendable {
    /// The messages, each with its conversation, in the order of the rows.
    private(set) var places: [(message: String, conversation: String)] = []
    private var rows: [UInt8] = []
    private var row: [String: Int] = [:]

    var byteCount: Int { rows.count }

    mutating func add(_ message: String, in conversation: String, _ vector: [UInt8]) {
        guard vector.count == Int8Vector.byteCount else { return }
        row[message] = places.count
        places.append((message, conversation))
        rows += vector
    }

    /// The messages that are nearest to a question, the nearest first, with the cosines.
    func nearest(_ count: Int, to question: Int8Vector) -> [(message: String, conversation: String, cosine: Double)] {
        rows.withUnsafeBytes { VectorScan.best(count, for: question, in: $0) }
            .map { (places[$0.row].message, places[$0.row].conversation, Double($0.score)) }
    }

    /// How near a message is; nil if it has no embedding.
    func cosine(of message: String, to question: Int8Vector) -> Double? {
        guard let row = row[message] else { return nil }
        let start = row * Int8Vector.byteCount
        return Int8Vector(bytes: rows[start..<start + Int8Vector.byteCount]).map { Double($0.dot(question)) }
    }
}
