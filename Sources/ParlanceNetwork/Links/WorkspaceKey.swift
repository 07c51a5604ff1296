package import ParlanceSodium

/// A key that all nodes of a workspace share, and the tag that says which one is meant.
package struct WorkspaceKey: Sendable {
    /// Names the key without giving it away; stands in the preamble and in discovery.
    package let tag: UInt32
    /// 32 bytes, the pre-shared key of the handshake.
    package let secret: SecretBytes

    package init(tag: UInt32, secret: SecretBytes) {
        self.tag = tag
        self.secret = secret
    }
}
