/// What this node announces about itself by DNS-SD (discovery.md, "DNS-SD").
/// It contains no name and no full key: it is a hint to peers, never evidence.
package struct ServiceInstance: Sendable, Hashable {
    /// A name that is random at each start, so that nobody can follow a node from day to day by it.
    package let name: String
    /// The TCP port on which links are accepted.
    package let port: UInt16
    /// The first 8 characters of the peer ID; `nil` if the node is hidden.
    package let peerIDPrefix: String?
    /// A tag of each workspace key in use: its 4 bytes as one big-endian number.
    package let workspaceTags: [UInt32]
    /// The port of a model server on this computer that others may use; `nil` if there is none, or the node is hidden.
    package let modelPort: UInt16?

    /// The longest name: it is also a host label (at most 63 bytes), to which a counter is appended.
    package static let maximumNameLength = 40

    /// Checks the parts, because the network would refuse a bad one much later and without a reason.
    package init(
        name: String,
        port: UInt16,
        peerIDPrefix: String?,
        workspaceTags: [UInt32],
        modelPort: UInt16? = nil
    ) throws(DiscoveryError) {
        guard (1...Self.maximumNameLength).contains(name.utf8.count), name.utf8.allSatisfy(Self.isNameByte),
            name.utf8.first != UInt8(ascii: "-")
        else { throw .badInstanceName(name) }
        guard port != 0, modelPort != 0 else { throw .badPort }
        if let prefix = peerIDPrefix, !ServiceText.isPeerIDPrefix(Array(prefix.utf8)) { throw .badPeerIDPrefix(prefix) }
        guard workspaceTags.count <= ServiceText.maximumTags else { throw .tooManyTags(workspaceTags.count) }
        self.name = name
        self.port = port
        self.peerIDPrefix = peerIDPrefix
        self.workspaceTags = workspaceTags
        self.modelPort = peerIDPrefix == nil ? nil : modelPort
    }

    /// The same, under another name, in other workspaces or with another model server.
    package func with(workspaceTags: [UInt32], modelPort: UInt16?) throws(DiscoveryError) -> ServiceInstance {
        try ServiceInstance(
            name: Self.randomName(),
            port: port,
            peerIDPrefix: peerIDPrefix,
            workspaceTags: workspaceTags,
            modelPort: modelPort
        )
    }

    /// Makes a name of 80 random bits: two nodes of one network never choose the same.
    package static func randomName() -> String {
        let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
        return String((0..<16).map { _ in alphabet[Int.random(in: 0..<alphabet.count)] })
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
