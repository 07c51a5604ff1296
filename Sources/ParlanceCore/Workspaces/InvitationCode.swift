import FoundationEssentials
package import ParlanceSodium
import ParlanceWire

/// A code that admits to a workspace: its name, its key and the beginning of its charter's ID as text, with check
/// characters (workspaces.md and charter.md, "Invitation code"). A workspace without a charter has a shorter code, and one
/// that admits by itself is longer.
package struct InvitationCode: Sendable {
    package let name: String
    package let secret: SecretBytes
    /// The charter whose workspace it is; `nil` in the code of a workspace without one.
    package let charter: CharterPrefix?
    /// What lets its holder in where admins let members in; `nil` in a code that does not.
    package let invitation: InvitationSecret?

    /// How the key and what follows it are written.
    private struct Form {
        let bytes: Int
        /// Characters of one group; as many groups as make up all characters.
        let group: Int

        var characters: Int { (bytes * 8 + 4) / 5 + Self.checks }
        static let checks = 4
    }

    private static let keyForm = Form(bytes: 32, group: 8)
    private static let charterForm = Form(bytes: 32 + CharterPrefix.count, group: 9)
    private static let invitationForm = Form(bytes: 32 + CharterPrefix.count + 1 + InvitationSecret.count, group: 9)
    /// What follows the charter in the longest form: an invitation. Other numbers are for later versions.
    private static let invitationKind: UInt8 = 1

    package init(name: String, secret: SecretBytes, charter: CharterPrefix? = nil, _ invitation: InvitationKey? = nil) {
        self.name = name
        self.secret = secret
        self.charter = invitation?.charter ?? charter
        self.invitation = invitation?.secret
    }

    /// The key to join with.
    package var key: WorkspaceKey { WorkspaceKey(unnumbered: secret) }

    /// The invitation to the charter that the code names.
    package var invitationKey: InvitationKey? {
        guard let invitation, let charter else { return nil }
        return InvitationKey(invitation, to: charter)
    }

    /// The name, then 7 groups of 8 characters, or 9 groups of 9 with a charter, or 12 with an invitation.
    package var text: String {
        var bytes = secret.withBytes { Array($0) } + (charter?.bytes ?? [])
        if let invitation { bytes += [Self.invitationKind] + invitation.bytes.withBytes { Array($0) } }
        let form = invitation != nil ? Self.invitationForm : charter != nil ? Self.charterForm : Self.keyForm
        let all = Base32.encode(bytes) + CheckCharacters.of(bytes)
        let groups = stride(from: 0, to: all.count, by: form.group).map { all.dropFirst($0).prefix(form.group) }
        return ([name] + groups.map(String.init)).joined(separator: " ")
    }

    /// Parses a code of any form in either case, with or without spaces or hyphens; the name may be missing.
    ///
    /// - Returns: `nil` if a character is missing or wrong.
    package init?(text: String) {
        // The longer form first: a shorter one could be in it only by chance.
        for form in [Self.invitationForm, Self.charterForm, Self.keyForm] {
            guard let (name, bytes) = Self.read(text, form) else { continue }
            let secret = SecretBytes(copying: Array(bytes.prefix(32)))
            let charter = CharterPrefix(bytes.dropFirst(32).prefix(CharterPrefix.count))
            let rest = bytes.dropFirst(32 + CharterPrefix.count)
            guard let kind = rest.first else {
                self.init(name: name, secret: secret, charter: charter)
                return
            }
            guard kind == Self.invitationKind, let charter,
                let invitation = InvitationSecret(SecretBytes(copying: Array(rest.dropFirst()))),
                let key = InvitationKey(invitation, to: charter)
            else { return nil }
            self.init(name: name, secret: secret, charter: charter, key)
            return
        }
        return nil
    }

    private static func read(_ text: String, _ form: Form) -> (name: String, bytes: [UInt8])? {
        var key: [Character] = []
        var rest = Substring(text)
        while key.count < form.characters, let last = rest.popLast() {
            if last != " " && last != "-" { key.append(last) }
        }
        let compact = String(key.reversed()).lowercased()
        guard compact.utf8.count == form.characters, let bytes = Base32.decode(compact.dropLast(Form.checks)),
            CheckCharacters.of(bytes) == compact.suffix(Form.checks)
        else { return nil }
        while let last = rest.last, last == "-" || last.isWhitespace { rest.removeLast() }
        // Of a link only what is behind its last slash can be a name.
        if rest.contains("://"), let slash = rest.lastIndex(of: "/") { rest = rest[rest.index(after: slash)...] }
        return (String(rest.drop(while: \.isWhitespace)), bytes)
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
