import FoundationEssentials
package import ParlanceRecords
import ParlanceSodium
package import ParlanceWire

/// A vector clock of one conversation: for each log, how many events are held without a gap, and which bodies are
/// missing.
package struct Clock: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package var position: LogPosition
        /// Sequences held without a body and not withdrawn by any held event, ascending.
        package var missing: [UInt64] = []
        /// Through here the bodies of messages and edits were removed by age (events.md, "Removed by age"). `missing` names
        /// none of them.
        package var floor: UInt64 = 0

        package init(position: LogPosition, missing: [UInt64] = [], floor: UInt64 = 0) {
            self.position = position
            self.missing = missing
            self.floor = floor
        }

        /// Whether the body of a message or an edit should be where this entry comes from.
        func hasBody(at sequence: UInt64) -> Bool {
            sequence > floor && sequence <= position.sequence && !missing.contains(sequence)
        }

        /// The last sequence through which all events and bodies are held: what may be called delivered.
        ///
        /// - Parameter writer: the entry of the copy that wrote the log. A body that it lacks too was removed by a deletion
        ///   that later became void, or by age, so no peer can be expected to have it (sync.md, "Delivered and read").
        package func completeThrough(besides writer: Self? = nil) -> UInt64 {
            let first = missing.first { sequence in
                writer.map { sequence > $0.floor && !$0.missing.contains(sequence) } ?? true
            }
            return first.map { min($0 - 1, position.sequence) } ?? position.sequence
        }

        /// The same for an entry that a peer told: of many missing bodies it names only the first, and nothing is known of
        /// what comes after them.
        package func toldCompleteThrough(besides writer: Self?) -> UInt64 {
            let through = completeThrough(besides: writer)
            guard missing.count >= Limits.missingTold, let last = missing.last else { return through }
            return min(through, last)
        }
    }

    package var entries: SortedTable<LogID, Entry>

    package init(entries: SortedTable<LogID, Entry> = [:]) {
        self.entries = entries
    }

    package subscript(log: LogID) -> LogPosition { entries[log]?.position ?? .start }

    /// The short hash that `Summary` carries: 8 bytes of BLAKE2b over the entries in order (sync.md, "Summary").
    package var hash: [UInt8] {
        var bytes: [UInt8] = []
        for (log, entry) in entries where entry.position.sequence > 0 {
            bytes += log.author.bytes + log.replica.bytes
            bytes += entry.position.sequence.bigEndianBytes + entry.position.head.bytes
            let hasFloor: UInt64 = entry.floor > 0 ? 1 << 63 : 0
            bytes += (UInt64(entry.missing.count) | hasFloor).bigEndianBytes
            for sequence in entry.missing { bytes += sequence.bigEndianBytes }
            if entry.floor > 0 { bytes += entry.floor.bigEndianBytes }
        }
        return Array(Blake2b.hash(Domain.clock, bytes).prefix(8))
    }

    /// Decodes the entries of a `Clock` or `Have`. One malformed entry fails the whole.
    package init(decoding entries: [WireClockEntry]) throws(WireError) {
        var known: [SortedTable<LogID, Entry>.Element] = []
        for entry in entries {
            guard let log = LogID(entry.log), (1...Limits.sequence).contains(entry.sequence),
                let head = EventID(entry.head),
                entry.missingBodies == entry.missingBodies.sorted(), entry.floor <= entry.sequence,
                entry.missingBodies.allSatisfy({ (1...entry.sequence).contains($0) })
            else { throw .malformed("clock entry") }
            let position = LogPosition(sequence: entry.sequence, head: head)
            known.append((log, Entry(position: position, missing: entry.missingBodies, floor: entry.floor)))
        }
        self.init(entries: SortedTable(known))
    }

    /// The same clock with a bounded number of entries per author for logs that are not held here. The smallest are
    /// kept: no author needs more copies, and invented logs must not fill the memory (sync.md, "Clock").
    func bounded(isHeld: (LogID) -> Bool) -> Clock {
        guard entries.count > Limits.clockEntriesPerAuthor else { return self }
        var others: [PeerID: [LogID]] = [:]
        for log in entries.keys where !isHeld(log) { others[log.author, default: []].append(log) }
        let over = others.values.flatMap { $0.dropFirst(Limits.clockEntriesPerAuthor) }
        guard !over.isEmpty else { return self }
        let dropped = SortedSet(over)
        return Clock(entries: entries.filter { !dropped.contains($0.key) })
    }

    /// The entries as sent, in the order of their logs.
    package var wire: [WireClockEntry] {
        entries.filter { $0.value.position.sequence > 0 }
            .map { log, entry in
                var wire = WireClockEntry()
                wire.log = log.wire
                wire.sequence = entry.position.sequence
                wire.head = Data(entry.position.head.bytes)
                wire.missingBodies = Array(entry.missing.prefix(Limits.missingTold))
                wire.floor = entry.floor
                return wire
            }
    }

    /// The entries in portions that fit a frame; one empty portion if there are no entries.
    package var portions: [[WireClockEntry]] {
        var portions: [[WireClockEntry]] = [[]]
        var room = Limits.runBytes
        for entry in wire {
            // Log, sequence, head, floor and their framing take at most 121 bytes, a missing sequence at most 10.
            let size = 121 + 10 * entry.missingBodies.count
            if size > room {
                portions.append([])
                room = Limits.runBytes
            }
            portions[portions.count - 1].append(entry)
            room -= size
        }
        return portions
    }
}

extension UInt64 {
    /// The 8 bytes, most significant first, as in everything that is hashed or signed.
    package var bigEndianBytes: [UInt8] { Swift.withUnsafeBytes(of: bigEndian) { Array($0) } }
}
