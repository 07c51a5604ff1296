import FoundationEssentials
package import ParlanceSodium
import ParlanceWire

/// A code that admits to a workspace: its name and key as text, with check characters (workspaces.md, "Invitation code").
package struct InvitationCode: Sendable {
    package let name: String
    package let secret: SecretBytes

    /// Number of characters of the key and its check characters, without spaces.
    private static let length = 56

    package init(name: String, secret: SecretBytes) {
        self.name = name
        self.secret = secret
    }

    /// The key to join with.
    package var key: WorkspaceKey { WorkspaceKey(unnumbered: secret) }

    /// The name, then 7 groups of 8 characters.
    package var text: String {
        let bytes = secret.withBytes { Array($0) }
        let all = Base32.encode(bytes) + CheckCharacters.of(bytes)
        let groups = stride(from: 0, to: all.count, by: 8).map { all.dropFirst($0).prefix(8) }
        return ([name] + groups.map(String.init)).joined(separator: " ")
    }

    /// Parses a code in either case, with or without spaces or hyphens; the name may be missing.
    ///
    /// - Returns: `nil` if a character is missing or wrong.
    package init?(text: String) {
        var key: [Character] = []
        var rest = Substring(text)
        while key.count < Self.length, let last = rest.popLast() {
            if last != " " && last != "-" { key.append(last) }
        }
        let compact = String(key.reversed()).lowercased()
        guard compact.utf8.count == Self.length, let bytes = Base32.decode(compact.prefix(52)),
            CheckCharacters.of(bytes) == compact.suffix(4)
        else { return nil }
        while let last = rest.last, last == " " || last == "-" { rest.removeLast() }
        self.init(name: String(rest), secret: SecretBytes(copying: bytes))
    }
}

extension WorkspaceKey {
    /// Derives the key from a passphrase (workspaces.md, "Key"). This takes 256 MiB and most of a second.
    package init(
        name: String,
        passphrase: String,
        cost: PasswordHash.Cost = .moderate
    ) throws(SodiumError) {
        let salt = Blake2b.hash(
            Domain.workspace,
            Array(name.composed.utf8),
            count: PasswordHash.saltByteCount
        )
        let typed = SecretBytes(copying: Array(passphrase.composed.utf8))
        self.init(secret: try PasswordHash.key(from: typed, salt: salt, cost: cost))
    }
}
