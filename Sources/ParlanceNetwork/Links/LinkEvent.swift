package import ParlanceWire

/// The events in the bytes of a link.
package enum LinkEvent {
    /// The other side has proved who it is: frames may go both ways.
    case opened(PeerCertificate)
    /// A whole frame, and its size in bytes.
    case frame(WireFrame, bytes: Int)
    /// The closing record arrived: everything that was sent before it is here.
    case closed
}

/// How a stream of bytes ended.
package enum LinkEnding: Equatable {
    case closed
    case cutOff
}
