/// One resolved announcement: what was seen of one instance on one interface in one protocol family.
package struct ServiceRecord: Sendable, Hashable {
    /// Where an announcement was seen; one instance may be seen on several interfaces and in several families.
    package struct Place: Sendable, Hashable {
        package var instance: String
        /// The index of the interface.
        package var interface: UInt32
        /// Distinguishes the families for the backend; opaque to other code.
        package var family: Int32

        package init(instance: String, interface: UInt32, family: Int32) {
            self.instance = instance
            self.interface = interface
            self.family = family
        }
    }

    package var place: Place
    package var port: UInt16
    package var text: [[UInt8]]
    /// Raw addresses of 4 or 16 bytes.
    package var addresses: [[UInt8]]

    package init(place: Place, port: UInt16, text: [[UInt8]], addresses: [[UInt8]]) {
        self.place = place
        self.port = port
        self.text = text
        self.addresses = addresses
    }

    /// Whether we process an instance with this name: 1 to 63 printable ASCII bytes, as ours and renamed ones have.
    static func isAcceptableName(_ name: String) -> Bool {
        (1...63).contains(name.utf8.count) && name.utf8.allSatisfy { (0x20...0x7e).contains($0) }
    }
}
