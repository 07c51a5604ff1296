import FoundationEssentials
package import SwiftProtobuf

// How the identifiers of the domain are represented in the generated messages.

extension SwiftProtobuf.Message {
    /// The message's bytes. Encoding fails only for a missing required field or text that is not UTF-8; neither is
    /// possible here, so nothing is thrown.
    package func encodedBytes() -> [UInt8] {
        do {
            return try serializedBytes()
        } catch {
            broken("every message of this program can be encoded")
            return []
        }
    }

    /// Reads a message; `nil` if the bytes are not such a message.
    package init?(decoding bytes: [UInt8]) {
        guard let message = try? Self(serializedBytes: bytes) else { return nil }
        self = message
    }
}

extension LogID {
    package init?(_ wire: WireLog) {
        guard let author = PeerID(wire.author), let replica = ReplicaID(wire.replica) else { return nil }
        self.init(author: author, replica: replica)
    }

    package var wire: WireLog {
        var wire = WireLog()
        wire.author = Data(author.bytes)
        wire.replica = Data(replica.bytes)
        return wire
    }
}

extension EventReference {
    package init?(_ wire: WireEventReference) {
        guard let log = LogID(wire.log), (1...Limits.sequence).contains(wire.sequence),
            let id = EventID(wire.id)
        else { return nil }
        self.init(log: log, sequence: wire.sequence, id: id)
    }

    package var wire: WireEventReference {
        var wire = WireEventReference()
        wire.log = log.wire
        wire.sequence = sequence
        wire.id = Data(id.bytes)
        return wire
    }
}
