import Foundation
import ParlanceSodium
package import ParlanceWire

/// A vector clock of one conversation: for each log, how many events are held without a gap, and which bodies lack.
package struct Clock: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package var position: LogPosition
        /// Sequences held without a body that nothing held withdraws, ascending.
        package var missing: [UInt64] = []

        package init(position: LogPosition, missing: [UInt64] = []) {
            self.position = position
            self.missing = missing
        }

        /// Through where everything is there, bodies too: what may be called delivered.
        ///
        /// - Parameter gone: bodies that the copy which wrote them lacks itself: a deletion took them away that lost its right
        ///   later, so nobody can be expected to have them (sync.md, "Delivered and read").
        package func completeThrough(besides gone: [UInt64] = []) -> UInt64 {
            let first = missing.first { !gone.contains($0) }
            return first.map { min($0 - 1, position.sequence) } ?? position.sequence
        }
    }

    package var entries: [LogID: Entry]

    package init(entries: [LogID: Entry] = [:]) {
        self.entries = entries
    }

    package subscript(log: LogID) -> LogPosition { entries[log]?.position ?? .start }

    /// The short hash that a `Summary` tells: 8 bytes of BLAKE2b over the entries in order (sync.md, "Summary").
    package var hash: [UInt8] {
        var bytes: [UInt8] = []
        for (log, entry) in entries.sorted(by: { $0.key < $1.key }) where entry.position.sequence > 0 {
            bytes += log.author.bytes + log.replica.bytes
            bytes += entry.position.sequence.bigEndianBytes + entry.position.head.bytes
            bytes += UInt64(entry.missing.count).bigEndianBytes
            for sequence in entry.missing { bytes += sequence.bigEndianBytes }
        }
        return Array(Blake2b.hash(Domain.clock, bytes).prefix(8))
    }

    /// Reads the entries of a `Clock` or `Have`; a malformed one fails the whole.
    package init(decoding entries: [WireClockEntry]) throws(WireError) {
        self.init()
        for entry in entries {
            guard let log = LogID(entry.log), (1...Limits.sequence).contains(entry.sequence),
                let head = EventID(entry.head),
                entry.missingBodies == entry.missingBodies.sorted(),
                entry.missingBodies.allSatisfy({ (1...entry.sequence).contains($0) })
            else { throw .malformed("clock entry") }
            self.entries[log] = Entry(
                position: LogPosition(sequence: entry.sequence, head: head),
                missing: entry.missingBodies
            )
        }
    }

    /// The same with at most so many entries of one author that are not held here, the smallest: nobody needs more copies,
    /// and made-up ones must not fill the memory (sync.md, "Clock").
    func bounded(isHeld: (LogID) -> Bool) -> Clock {
        guard entries.count > Limits.clockEntriesPerAuthor else { return self }
        var others: [PeerID: [LogID]] = [:]
        for log in entries.keys where !isHeld(log) { others[log.author, default: []].append(log) }
        var bounded = self
        for logs in others.values where logs.count > Limits.clockEntriesPerAuthor {
            for log in logs.sorted().dropFirst(Limits.clockEntriesPerAuthor) { bounded.entries[log] = nil }
        }
        return bounded
    }

    /// The entries as they travel, in the order of their logs.
    package var wire: [WireClockEntry] {
        entries.sorted { $0.key < $1.key }
            .filter { $0.value.position.sequence > 0 }
            .map { log, entry in
                var wire = WireClockEntry()
                wire.log = log.wire
                wire.sequence = entry.position.sequence
                wire.head = Data(entry.position.head.bytes)
                wire.missingBodies = Array(entry.missing.prefix(Limits.missingTold))
                return wire
            }
    }

    /// The entries in portions that fit a frame; one, if there are none.
    package var portions: [[WireClockEntry]] {
        var portions: [[WireClockEntry]] = [[]]
        var room = Limits.runBytes
        for entry in wire {
            // Log, sequence, head and what stands around them take 110 bytes at most, a sequence 10.
            let size = 110 + 10 * entry.missingBodies.count
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
    /// The 8 bytes, the most significant first, as everything hashed or signed has them.
    package var bigEndianBytes: [UInt8] { Swift.withUnsafeBytes(of: bigEndian) { Array($0) } }
}
