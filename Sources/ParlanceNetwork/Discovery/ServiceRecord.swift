/// One resolved announcement: what one interface and one protocol family say about one instance.
struct ServiceRecord: Sendable, Hashable {
    /// Where an announcement was seen; the same instance may be seen in several places.
    struct Place: Sendable, Hashable {
        var instance: String
        /// The index of the interface.
        var interface: UInt32
        /// What tells families apart for the backend; opaque to everybody else.
        var family: Int32
    }

    var place: Place
    var port: UInt16
    var text: [[UInt8]]
    /// Raw addresses of 4 or 16 bytes.
    var addresses: [[UInt8]]

    /// Whether an instance name is one we deal with: 1 to 63 printable ASCII bytes, as ours and a renamed one are.
    static func isAcceptableName(_ name: String) -> Bool {
        (1...63).contains(name.utf8.count) && name.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
}
