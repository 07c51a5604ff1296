/// A peer as mDNS shows it now: a hint where to dial, never evidence of who is there.
package struct Sighting: Sendable, Hashable {
    /// The announced instance name, which identifies the announcement when it changes or is lost.
    package let instance: String
    /// The first characters of its peer ID; `nil` if it is hidden.
    package let peerIDPrefix: String?
    /// Tags of the workspace keys it uses.
    package let workspaceTags: [UInt32]
    /// Where it accepts links, in the order to try.
    package let addresses: [SightedAddress]
    /// The port of a model server there, which others may use; `nil` if there is none.
    package let modelPort: UInt16?

    package init(
        instance: String,
        peerIDPrefix: String?,
        workspaceTags: [UInt32],
        addresses: [SightedAddress],
        modelPort: UInt16? = nil
    ) {
        self.instance = instance
        self.peerIDPrefix = peerIDPrefix
        self.workspaceTags = workspaceTags
        self.addresses = addresses
        self.modelPort = modelPort
    }
}
