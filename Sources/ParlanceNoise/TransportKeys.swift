/// What a finished handshake leaves: one cipher for each direction, and the hash of the whole.
///
/// The owner may use it as it is, or move `send` and `receive` out of it into places of their own (`let keys = try
/// handshake.split(); inbound = keys.receive; outbound = keys.send`).
///
/// Frozen, because Swift lets only such a type be taken apart in another module.
@frozen
package struct TransportKeys: ~Copyable {
    /// Seals what this side sends.
    package var send: CipherState
    /// Opens what this side receives.
    package var receive: CipherState
    /// The hash of the whole handshake, the same on both sides and of no other session (section 11.2).
    package let handshakeHash: [UInt8]
}
