package import ParlanceWire

/// What the bytes of a link mean.
package enum LinkEvent {
    /// The other side proved who it is: frames may go both ways.
    case opened(PeerCertificate)
    /// A whole frame, and its size in bytes.
    case frame(WireFrame, bytes: Int)
    /// The closing record came: all that was sent before it is here.
    case closed
}

/// How a stream of bytes ended.
package enum LinkEnding: Equatable {
    case closed
    case cutOff
}
