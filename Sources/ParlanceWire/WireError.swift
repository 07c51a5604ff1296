/// Why bytes from a peer violate the protocol. The blast radius is the sender's link.
package enum WireError: Error, Equatable, Sendable {
    case frameTooLarge(limit: Int)
    case emptyFrame
    /// The bytes are not the expected protobuf message, or a field does not have the specified shape.
    case malformed(String)
}
