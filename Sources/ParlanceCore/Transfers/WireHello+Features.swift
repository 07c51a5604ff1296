import ParlanceWire

extension WireHello {
    /// The feature of a node that answers when it is asked for files.
    static let files = "files"
}
