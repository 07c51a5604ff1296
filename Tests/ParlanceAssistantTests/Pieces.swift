import Synchronization

/// The pieces of a streamed answer, in order.
final class Pieces: Sendable {
    private let kept = Mutex<[String]>([])

    func append(_ piece: String) { kept.withLock { $0.append(piece) } }

    var all: [String] { kept.withLock { $0 } }
}
