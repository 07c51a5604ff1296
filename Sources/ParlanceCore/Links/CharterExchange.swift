import ParlanceRecords
import ParlanceWire

/// What was said of the workspace's charter on a link (charter.md, "Who hands on what").
struct CharterExchange: Equatable, Sendable {
    /// The charter that the peer names.
    private(set) var named: ConversationID?
    /// The short hash of what the peer holds, as it said last.
    private(set) var heard: [UInt8]?
    /// Whether that is another one than before: it holds something new.
    private(set) var hasGrown = false
    /// Whether the peer is told all that is durable here, or holds it anyway. Parts of it may be owed still.
    private(set) var isTelling = false
    /// The charter that the peer was told of.
    private(set) var greeted: ConversationID?
    /// The last event of those that it was told. If it is no longer held, the peer is told everything again.
    private(set) var last: EventID?
    /// Events that have come and wait for the rest of them.
    private(set) var parts: [StoredEvent] = []
    private(set) var partBytes = 0
    /// What came from the peer and need not go back to it.
    private var received: Set<EventID> = []
    /// Events that the peer is to be told when it has answered.
    private var owed: ArraySlice<StoredEvent> = []

    /// The peer says which charter it holds, and how much of it.
    ///
    /// - Returns: whether it names the same one as before. No node goes from one charter to another on a link.
    mutating func heard(_ charter: ConversationID, _ hash: [UInt8]) -> Bool {
        guard named == nil || named == charter else { return false }
        hasGrown = heard != nil && heard != hash
        (named, heard) = (charter, hash)
        return true
    }

    /// Notes what the peer is to be told, besides what it is owed already.
    mutating func owe(_ events: [StoredEvent]) { owed += events }

    var owes: Bool { !owed.isEmpty }

    /// What is told next, at most `Limits.charterPartBytes` and one event: more would not fit into what waits for a link.
    mutating func takeOwed() -> [StoredEvent] {
        var bytes = 0
        let part = owed.prefix { event in
            defer { bytes += event.byteCount }
            return bytes < Limits.charterPartBytes
        }
        owed = owed.dropFirst(part.count)
        return Array(part)
    }

    mutating func greeted(with charter: ConversationID) { greeted = charter }

    /// Whether the peer is told the charter as it is.
    func isTelling(_ charter: Charter) -> Bool { isTelling && last == charter.events.last?.id }

    /// Whether the peer was told all that is durable here, so that it knows the rotation of the key that it is given.
    var isTold: Bool { isTelling && !owes }

    /// The peer has all that is durable here.
    mutating func told(_ charter: Charter) {
        isTelling = true
        greeted = charter.id
        last = charter.events.last?.id
        received = []
    }

    /// The durable events that the peer may lack.
    func untold(_ charter: Charter) -> [StoredEvent] {
        guard heard != charter.hash else { return [] }
        let events = charter.events
        let told = last.flatMap { last in events.lastIndex { $0.id == last } }
        return (told.map { events[($0 + 1)...] } ?? events[...]).filter { !received.contains($0.id) }
    }

    func contains(_ id: EventID) -> Bool { received.contains(id) }

    /// Keeps an event until the rest has come.
    mutating func add(_ event: StoredEvent) {
        guard received.insert(event.id).inserted else { return }
        parts.append(event)
        partBytes += event.byteCount
    }

    /// Whether there is room for more before they are inserted.
    var hasRoom: Bool { partBytes < Limits.charterPartBytes }

    mutating func takeParts() -> [StoredEvent] {
        defer { (parts, partBytes) = ([], 0) }
        return parts
    }

    /// Forgets what came and is not held: anybody can make up such events without end.
    mutating func forget(allBut held: Charter) {
        received = received.filter { held.contains($0) }
    }
}
