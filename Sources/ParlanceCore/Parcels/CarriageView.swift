package import ParlanceRecords
package import ParlanceWire

/// Of what the files are chosen that go with the parcels for a peer (carry.md, "Packing files").
package struct CarriageView: Equatable, Sendable {
    package var peer: PeerID
    /// The conversations that both read at present: files that messages there name may be given to the peer.
    package var conversations: Set<ConversationID>
    /// The logs of which events are packed, each with the last sequence that the peer is known to have.
    package var reached: [LogKey: UInt64]
    /// Of what the keys of the files are made; `nil` if the peer's key is not here, so that nothing can be sealed.
    package var secret: SealedFileSecret?
}
