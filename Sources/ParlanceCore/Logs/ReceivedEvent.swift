import FoundationEssentials
import ParlanceRecords
package import ParlanceWire

/// An event as a peer sent it, decoded and hashed once. Nothing in it is verified.
package struct ReceivedEvent: Equatable, Sendable {
    /// The hash of the header's bytes.
    package let id: EventID
    /// `nil` if the bytes do not decode to a header.
    package let header: EventHeader?
    package let headerBytes: [UInt8]
    /// `nil` if the event came without a body.
    package let body: [UInt8]?
    /// Empty if the event came without a signature.
    package let signature: [UInt8]

    package init(_ wire: WireEvent) {
        headerBytes = wire.header.withUnsafeBytes { [UInt8]($0) }
        header = try? EventHeader(decoding: headerBytes)
        id = EventID(hashing: headerBytes)
        body = wire.hasBody ? wire.body.withUnsafeBytes { [UInt8]($0) } : nil
        signature = wire.signature.withUnsafeBytes { [UInt8]($0) }
    }

    /// Wraps an event that is held here, to compare it with one that a peer sent.
    init(_ held: StoredEvent) {
        headerBytes = held.headerBytes
        header = held.header
        id = held.id
        body = held.body
        signature = held.signature ?? []
    }

    /// The event as a proof of a fork carries it: header and signature, no body.
    var bare: WireEvent {
        var wire = WireEvent()
        wire.header = Data(headerBytes)
        wire.signature = Data(signature)
        return wire
    }
}
