import FoundationEssentials
import SwiftProtobuf

/// What an event says about itself: its position in its log, what it follows, and the hash of its body (events.md,
/// "Header").
/// The bytes that were hashed are always kept beside it; this is only their decoded form.
package struct EventHeader: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    package var sequence: UInt64
    /// The previous header in the same log; `nil` at sequence 1.
    package var previous: EventID?
    package var time: EventTime
    package var dependencies: [EventReference]
    package var kind: EventKind
    package var bodyHash: Bytes32
    /// The message that this event answers, edits, deletes or reacts to.
    package var target: EventReference?
    /// How far the author's clock was behind `time` when it wrote, in milliseconds: it had been ahead before. A claim, as
    /// `time` is. 0: it was not behind.
    package var behind: UInt64

    package init(
        conversation: ConversationID,
        log: LogID,
        sequence: UInt64,
        previous: EventID?,
        time: EventTime,
        dependencies: [EventReference],
        kind: EventKind,
        bodyHash: Bytes32,
        target: EventReference? = nil,
        behind: UInt64 = 0
    ) {
        self.conversation = conversation
        self.log = log
        self.sequence = sequence
        self.previous = previous
        self.time = time
        self.dependencies = dependencies
        self.kind = kind
        self.bodyHash = bodyHash
        self.target = target
        self.behind = behind
    }

    /// When the author wrote it, by its clock, in milliseconds since 1970 (events.md, "Time").
    package var written: Int64 { max(0, time.milliseconds - Int64(clamping: behind)) }

    /// Events of other logs that must be applied before this one: its dependencies, and its target.
    package var references: [EventReference] {
        guard let target, target.log != log, !dependencies.contains(target) else { return dependencies }
        return dependencies + [target]
    }

    /// Reads a header from the bytes that arrived.
    package init(decoding bytes: [UInt8]) throws(WireError) {
        if let header = CanonicalHeader.read(bytes) {
            self = header
        } else {
            try self.init(inAnyLayout: bytes)
        }
    }

    /// Reads a header in any layout that protobuf allows.
    init(inAnyLayout bytes: [UInt8]) throws(WireError) {
        guard bytes.count <= Limits.headerBytes,
            let wire = try? WireEventHeader(serializedBytes: bytes),
            let conversation = ConversationID(wire.conversation),
            let log = LogID(wire.log),
            (1...Limits.sequence).contains(wire.sequence),
            let bodyHash = Bytes32(wire.bodyHash),
            wire.dependencies.count <= Limits.dependencies
        else { throw .malformed("event header") }
        let previous = EventID(wire.previous)
        guard (previous == nil) == (wire.sequence == 1), previous != nil || wire.previous.isEmpty else {
            throw .malformed("event header")
        }
        var dependencies: [EventReference] = []
        for reference in wire.dependencies {
            guard let dependency = EventReference(reference), dependency.log != log else {
                throw .malformed("event header")
            }
            dependencies.append(dependency)
        }
        var target: EventReference?
        if wire.hasTarget {
            target = EventReference(wire.target)
            guard let target, target.log != log || target.sequence < wire.sequence else {
                throw .malformed("event header")
            }
        }
        self.init(
            conversation: conversation,
            log: log,
            sequence: wire.sequence,
            previous: previous,
            time: EventTime(raw: wire.time),
            dependencies: dependencies,
            kind: EventKind(wire.kind),
            bodyHash: bodyHash,
            target: target,
            behind: wire.behind
        )
    }

    package func encoded() -> [UInt8] { HeaderWriter(self).bytes }
}
