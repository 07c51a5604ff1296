import FoundationEssentials
import ParlanceWire

/// A chunk that is being put together from the pieces of one source, so that a wrong chunk has one culprit.
struct ChunkAssembly: Equatable, Sendable {
    let link: LinkID
    private let numbers: Range<UInt64>
    private var pieces: [Data?]
    private var missing: Int
    /// The first piece that was not asked for.
    private var next: UInt64

    init(_ numbers: Range<UInt64>, from link: LinkID) {
        self.link = link
        self.numbers = numbers
        pieces = Array(repeating: nil, count: numbers.count)
        missing = numbers.count
        next = numbers.lowerBound
    }

    var hasAskedForAll: Bool { next == numbers.upperBound }
    var isComplete: Bool { missing == 0 }

    /// All pieces, in order.
    var bytes: [Data] { pieces.compactMap { $0 } }

    /// The next pieces to ask for, at most so many.
    mutating func takeNext(_ limit: Int) -> Range<UInt64> {
        let end = min(next + UInt64(max(0, limit)), numbers.upperBound)
        defer { next = end }
        return next..<end
    }

    mutating func put(_ piece: Data, _ number: UInt64) {
        guard numbers.contains(number) else { return broken("a piece is put into its own chunk") }
        let place = Int(number - numbers.lowerBound)
        guard pieces[place] == nil else { return }
        pieces[place] = piece
        missing -= 1
        invariant(missing == pieces.count { $0 == nil }, "the pieces that a chunk lacks are counted")
        invariant(next >= numbers.lowerBound && next <= numbers.upperBound, "pieces of the chunk are asked for")
    }
}
