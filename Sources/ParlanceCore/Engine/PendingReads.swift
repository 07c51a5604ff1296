import ParlanceWire

/// The pending reads of the store and their purposes.
struct PendingReads: Equatable, Sendable {
    private var purposes: [ReadID: ReadPurpose] = [:]

    var count: Int { purposes.count }

    func count(where matches: (ReadPurpose) -> Bool) -> Int { purposes.values.count(where: matches) }

    func contains(where matches: (ReadPurpose) -> Bool) -> Bool { purposes.values.contains(where: matches) }

    mutating func add(_ read: ReadID, for purpose: ReadPurpose) { purposes[read] = purpose }

    /// Ends a read and returns its purpose; `nil` if it is no longer awaited.
    mutating func take(_ read: ReadID) -> ReadPurpose? { purposes.removeValue(forKey: read) }

    /// What the links of a peer cost.
    func cost(of links: Set<LinkID>) -> PeerCost {
        PeerCost(reads: count { $0.link.map(links.contains) ?? false })
    }

    /// Drops the reads of a link that has closed.
    mutating func drop(_ link: LinkID) { purposes = purposes.filter { $0.value.link != link } }
}
