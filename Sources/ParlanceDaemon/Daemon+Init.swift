import ParlanceControl
package import ParlanceProfile
import ParlanceSodium
import ParlanceWire
import ParlanceWords

extension Daemon {
    /// Creates the data folder and an identity in it, without starting a node.
    ///
    /// - Parameter isProtected: whether to ask for a passphrase, so that the secret is never stored in the clear.
    /// - Returns: a line for programs and people, like `ready:` in every language the same.
    package func makeIdentity(underPassphrase isProtected: Bool) throws(DaemonError) -> String {
        do { try Sodium.start() } catch { throw DaemonError(error.text, advice: "") }
        try OpenedProfile.prepare(paths.dataDirectory)
        let file = IdentityFile(in: paths.dataDirectory)
        guard !file.exists else { throw Self.identityExists(file.path) }
        let key = SigningKey.generate()
        guard try file.make(key, under: isProtected ? try passphrase.new() : nil), let id = PeerID(key.publicKey) else {
            throw Self.identityExists(file.path)
        }
        return "made: \(id.grouped)"
    }

    private static func identityExists(_ path: String) -> DaemonError {
        DaemonError(
            "There is an identity already: \(path)",
            advice: "Nothing was changed. To put it under a passphrase: start parlanced, then parlance passphrase set"
        )
    }
}
