import FoundationEssentials
import ParlanceRecords
import ParlanceWire

/// A parcel that is being packed. It is kept with each read of the store that it needs.
struct ParcelPacking: Equatable, Sendable {
    let command: CommandID
    let request: ParcelRequest
    let peer: PeerID
    /// What is still to be packed, in order, each from where it begins.
    private(set) var todo: [ParcelCursor]
    private(set) var load = WireParcelLoad()
    /// Messages that the peer is not known to hold.
    private(set) var messages = 0
    private var byteCount = 0

    init(_ request: ParcelRequest, for peer: PeerID, todo: [ParcelCursor], command: CommandID) {
        (self.request, self.peer, self.todo, self.command) = (request, peer, todo, command)
    }

    /// Bytes that a sealed part may still take. What surrounds the lists is smaller than the reserve.
    var room: Int { Limits.envelopeBytes - 2_048 - byteCount }
    var isEmpty: Bool { load == WireParcelLoad() }

    mutating func skip() { todo.removeFirst() }

    /// Adds membership events or watermarks, and removes the step if all fit.
    private mutating func add<Item>(_ items: [Item], _ cursor: ParcelCursor, size: (Item) -> Int) -> ArraySlice<Item> {
        let start = Int(min(cursor.done, UInt64(items.count)))
        var end = start
        while end < items.count, size(items[end]) <= room {
            byteCount += size(items[end])
            end += 1
        }
        // An item that does not even fit an empty parcel would stop everything behind it.
        if end == start, end < items.count, isEmpty { end += 1 }
        if end < items.count { todo[0].done = UInt64(end) } else { skip() }
        return items[start..<end]
    }

    /// - Returns: whether the step is complete.
    mutating func add(members events: [StoredEvent], _ cursor: ParcelCursor) -> Bool {
        let count = todo.count
        let added = add(events, cursor) { $0.byteCount + 8 }
        if !added.isEmpty {
            var invite = WireInvite()
            invite.conversation = Data(cursor.conversation.bytes)
            invite.events = added.map(\.wire)
            load.invites.append(invite)
        }
        return todo.count < count
    }

    /// - Returns: whether the step is complete.
    mutating func add(receipts marks: [WireWatermark], _ cursor: ParcelCursor) -> Bool {
        let count = todo.count
        let added = add(marks, cursor) { $0.encodedBytes().count + 8 }
        if !added.isEmpty {
            var watermarks = WireWatermarks()
            watermarks.conversation = Data(cursor.conversation.bytes)
            watermarks.entries = Array(added)
            load.receipts.append(watermarks)
        }
        return todo.count < count
    }

    /// - Returns: whether the step is complete.
    mutating func add(files: [CarriedFile], _ cursor: ParcelCursor) -> Bool {
        let count = todo.count
        load.files += add(files.map(\.wire), cursor) { $0.encodedBytes().count + 8 }
        return todo.count < count
    }

    /// Adds an envelope that was read, if there is room; one that no longer exists, or fits no parcel, is skipped.
    ///
    /// - Returns: whether the next one can be packed.
    mutating func add(envelope bytes: [UInt8]?, _ cursor: ParcelCursor) -> Bool {
        let size = (bytes?.count ?? 0) + 8
        guard size <= room || isEmpty else { return false }
        if size <= room, let envelope = bytes.flatMap({ WireEnvelope(decoding: $0) }) {
            load.envelopes.append(envelope)
            byteCount += size
        }
        todo[0].done += 1
        return true
    }

    /// Adds events that were read, up to the last head that fits.
    ///
    /// - Parameter known: the last sequence of the log that the peer is known to hold.
    /// - Returns: whether any fitted.
    mutating func add(run events: [StoredEvent], _ cursor: ParcelCursor, known: UInt64) -> Bool {
        var (bytes, fitting, count) = (0, 0, 0)
        for (index, event) in events.enumerated() {
            bytes += event.byteCount + 8
            guard bytes <= room else { break }
            if event.signature != nil { (fitting, count) = (bytes, index + 1) }
        }
        guard count > 0, let last = events[..<count].last else { return false }
        var run = WireEvents()
        run.conversation = Data(cursor.conversation.bytes)
        run.events = events[..<count].map(\.wire)
        load.runs.append(run)
        byteCount += fitting + 64
        messages += events[..<count].count { $0.header.kind == .message && $0.header.sequence > known }
        todo[0].done = last.header.sequence
        return true
    }
}
