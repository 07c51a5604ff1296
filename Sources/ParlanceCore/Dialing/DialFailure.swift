/// Why an attempt to open a link failed. The shells choose the words (link.md, "Failures").
package enum DialFailure: Hashable, Sendable {
    case refused
    case timedOut
    case noRoute
    case networkUnreachable
    case reset
    /// The address cannot be reached from here.
    case unusableAddress
    /// The address is link-local, and nobody said by which interface it is reached.
    case needsInterface
    /// The address names an interface that this machine does not have.
    case noInterface(String)
    /// This machine forbids the connection.
    case notPermitted
    case invalidAddress
    case nameNotFound(String)
    /// Another error, with the system's message.
    case system(String)
    /// This node is stopping.
    case stopping
    /// This node has no room for one more link to a peer that is not accepted.
    case tooManyUnaccepted
    /// The other side closed the connection before it answered the preamble. It is in another workspace or in none,
    /// speaks another version, or has no room.
    case notTaken
    case closedInHandshake
    case handshakeTimedOut
    /// The other side's part of the handshake is not valid. The text gives the technical reason.
    case handshake(String)
    /// The other side did not prove its identity. The text gives the technical reason.
    case certificate(String)
    /// Another peer than the one dialled answers at this address.
    case otherIdentity
    /// This node itself answers at this address.
    case ownIdentity

    /// Whether the network carried nothing back that a node has said: a firewall, or a machine that is off.
    package var isSilence: Bool {
        switch self {
        case .refused, .timedOut, .noRoute, .networkUnreachable, .reset, .notPermitted, .handshakeTimedOut, .system:
            true
        case .unusableAddress, .needsInterface, .noInterface, .invalidAddress, .nameNotFound, .stopping,
            .tooManyUnaccepted, .notTaken, .closedInHandshake, .handshake, .certificate, .otherIdentity, .ownIdentity:
            false
        }
    }
}
