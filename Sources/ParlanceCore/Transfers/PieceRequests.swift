import ParlanceWire

/// The pieces that a peer was asked for on a link and that have not come.
struct PieceRequests: Equatable, Sendable {
    private var pending: [Request] = []

    private struct Request: Equatable {
        var file: FileID
        var number: UInt64
        var askedAt: Int64
    }

    var count: Int { pending.count }

    mutating func add(_ file: FileID, _ pieces: Range<UInt64>, at now: Int64) {
        pending += pieces.map { Request(file: file, number: $0, askedAt: now) }
    }

    /// A piece came.
    ///
    /// - Returns: when it was asked for; `nil` if it was not.
    mutating func take(_ file: FileID, _ number: UInt64) -> Int64? {
        guard let place = pending.firstIndex(where: { $0.number == number && $0.file == file }) else { return nil }
        return pending.remove(at: place).askedAt
    }

    /// When the oldest piece that has not come was asked for.
    func oldest(of file: FileID) -> Int64? { pending.first { $0.file == file }?.askedAt }

    /// The peer sends no more of a file.
    mutating func drop(_ file: FileID) { pending.removeAll { $0.file == file } }
}
