/// The result of a finished handshake: one cipher for each direction, and the hash of the handshake.
/// The owner may use it as it is, or move `send` and `receive` out of it into separate variables
/// (`let keys = try handshake.split(); inbound = keys.receive; outbound = keys.send`).
/// Frozen, because Swift allows moving members out of a type of another module only if it is frozen.
@frozen
package struct TransportKeys: ~Copyable {
    /// Seals what this side sends.
    package var send: CipherState
    /// Opens what this side receives.
    package var receive: CipherState
    /// The hash of the whole handshake: the same on both sides, different for each session (section 11.2).
    package let handshakeHash: [UInt8]
}
