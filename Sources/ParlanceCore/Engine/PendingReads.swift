import ParlanceWire

/// The reads of the store that are under way, and what each is for.
struct PendingReads: Equatable, Sendable {
    private var purposes: [ReadID: ReadPurpose] = [:]

    var count: Int { purposes.count }

    func count(where matches: (ReadPurpose) -> Bool) -> Int { purposes.values.count(where: matches) }

    func contains(where matches: (ReadPurpose) -> Bool) -> Bool { purposes.values.contains(where: matches) }

    mutating func add(_ read: ReadID, for purpose: ReadPurpose) { purposes[read] = purpose }

    /// A read is over: what it was for; `nil` if nobody waits for it any more.
    mutating func take(_ read: ReadID) -> ReadPurpose? { purposes.removeValue(forKey: read) }

    /// A link is gone: nobody waits for what was read for it.
    mutating func drop(_ link: LinkID) { purposes = purposes.filter { $0.value.link != link } }
}
