import ParlanceWire

/// The readers that wait until the rate allows their pieces: each file of each link takes its turn.
struct ReadTurns: Equatable, Sendable {
    private var waiting: [Reader] = []

    struct Reader: Equatable, Sendable {
        let link: LinkID
        let file: FileID
    }

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }

    /// Adds a reader at the end, unless it waits already.
    mutating func add(_ reader: Reader) {
        if !waiting.contains(reader) { waiting.append(reader) }
    }

    mutating func takeFirst() -> Reader? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Removes and returns the last readers, so that `count` are left.
    mutating func takeSurplus(over count: Int) -> [Reader] {
        defer { waiting = Array(waiting.prefix(max(0, count))) }
        return Array(waiting.dropFirst(max(0, count)))
    }

    mutating func remove(_ reader: Reader) { waiting.removeAll { $0 == reader } }

    mutating func drop(_ link: LinkID) { waiting.removeAll { $0.link == link } }
}
