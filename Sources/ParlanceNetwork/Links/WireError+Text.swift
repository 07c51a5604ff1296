import ParlanceWire

extension WireError {
    /// What is wrong with the bytes, for logs and for people.
    var text: String {
        switch self {
        case .frameTooLarge(let limit): "a frame is larger than \(limit) bytes"
        case .emptyFrame: "a frame is empty"
        case .malformed(let what): "\(what) is malformed"
        }
    }
}
