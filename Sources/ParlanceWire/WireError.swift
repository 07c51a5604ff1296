/// Why bytes from a peer are not what the protocol says. Costs the sender its link.
package enum WireError: Error, Equatable, Sendable {
    case frameTooLarge(limit: Int)
    case emptyFrame
    /// Not protobuf of the expected message, or a field of another shape than its description says.
    case malformed(String)

    package var message: String {
        switch self {
        case .frameTooLarge(let limit): "a frame is larger than \(limit) bytes"
        case .emptyFrame: "a frame is empty"
        case .malformed(let what): "\(what) is malformed"
        }
    }
}
