import Foundation
package import ParlanceSodium
import ParlanceWire

/// What lets somebody into a workspace: its name and its key as text, with check characters (workspaces.md, "Invitation code").
package struct InvitationCode: Sendable {
    package let name: String
    package let secret: SecretBytes

    /// Characters of the key and its check, without spaces.
    private static let length = 56

    package init(name: String, secret: SecretBytes) {
        self.name = name
        self.secret = secret
    }

    /// What it lets somebody join with.
    package var key: WorkspaceKey { WorkspaceKey(unnumbered: secret) }

    /// The name, then 7 groups of 8 characters.
    package var text: String {
        let bytes = secret.withBytes { Array($0) }
        let all = Base32.encode(bytes) + CheckCharacters.of(bytes)
        let groups = stride(from: 0, to: all.count, by: 8).map { all.dropFirst($0).prefix(8) }
        return ([name] + groups.map(String.init)).joined(separator: " ")
    }

    /// Reads a code in either case, with or without its spaces, or with hyphens; the name may be left out.
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
    /// The key that a typed passphrase stands for (workspaces.md, "Key"). It costs 256 MiB and most of a second.
    package init(
        name: String,
        passphrase: String,
        cost: PasswordHash.Cost = .moderate
    ) throws(SodiumError) {
        let salt = Blake2b.hash(
            Domain.workspace,
            Array(name.precomposedStringWithCanonicalMapping.utf8),
            count: PasswordHash.saltByteCount
        )
        let typed = SecretBytes(copying: Array(passphrase.precomposedStringWithCanonicalMapping.utf8))
        self.init(secret: try PasswordHash.key(from: typed, salt: salt, cost: cost))
    }
}
