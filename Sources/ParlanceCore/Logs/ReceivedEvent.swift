import Foundation
package import ParlanceWire

/// An event as a peer sent it, decoded and hashed once. Nothing of it is verified.
package struct ReceivedEvent: Equatable, Sendable {
    /// The hash of the header's bytes.
    package let id: EventID
    /// `nil` if the bytes are no header.
    package let header: EventHeader?
    package let headerBytes: [UInt8]
    /// `nil` if none came with it.
    package let body: [UInt8]?
    /// Empty if none came with it.
    package let signature: [UInt8]

    package init(_ wire: WireEvent) {
        headerBytes = [UInt8](wire.header)
        header = try? EventHeader(decoding: headerBytes)
        id = EventID(hashing: headerBytes)
        body = wire.hasBody ? [UInt8](wire.body) : nil
        signature = [UInt8](wire.signature)
    }

    /// An event that is held here, compared with what a peer sent.
    init(_ held: StoredEvent) {
        headerBytes = held.headerBytes
        header = held.header
        id = held.id
        body = held.body
        signature = held.signature ?? []
    }

    /// What a proof says of it: its header and its signature.
    var bare: WireEvent {
        var wire = WireEvent()
        wire.header = Data(headerBytes)
        wire.signature = Data(signature)
        return wire
    }
}
