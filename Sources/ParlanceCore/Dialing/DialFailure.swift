/// Why an attempt to open a link failed; the shells have the words (link.md, "Failures").
package enum DialFailure: Hashable, Sendable {
    case refused
    case timedOut
    case noRoute
    case networkUnreachable
    case reset
    /// The address cannot be reached from here, such as a link-local one without its interface.
    case unusableAddress
    /// This machine forbids the connection.
    case notPermitted
    case invalidAddress
    case nameNotFound(String)
    /// Another error, in the system's words.
    case system(String)
    /// This node is stopping.
    case stopping
    /// This node has no room for one more link to a peer that is not accepted.
    case tooManyUnaccepted
    /// The other side closed the connection before it answered the preamble: it does not take this node. It is in another
    /// workspace or in none, speaks another version, or has no room.
    case notTaken
    case closedInHandshake
    case handshakeTimedOut
    /// The other side's part of the handshake is not valid: why, for experts.
    case handshake(String)
    /// The other side does not prove who it is: why, for experts.
    case certificate(String)
    /// Somebody else than the peer that was dialled answers there.
    case otherIdentity
    /// This node itself answers there.
    case ownIdentity
}
