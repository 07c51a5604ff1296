import ParlanceCore
import ParlanceHistory
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// An invitation code that names a charter (workspaces.md, "Invitation code").
@Suite struct CharterCodeTests {
    private let secret = SecretBytes(copying: (0..<32).map { UInt8($0 * 7) })
    private let charter = ConversationID(value: CharterWriter.key(3))

    @Test func itIsReadAsItIsTyped() throws {
        let code = InvitationCode(name: "Night watch", secret: secret, charter: CharterPrefix(of: charter)).text
        let groups = code.dropFirst("Night watch ".count)
        #expect(groups.split(separator: " ").map(\.count) == [Int](repeating: 9, count: 9))
        for typed in [code, code.uppercased(), "Night watch-" + groups.replacing(" ", with: "-"), String(groups)] {
            let read = try #require(InvitationCode(text: typed))
            #expect(read.secret.withBytes { Array($0) } == secret.withBytes { Array($0) })
            #expect(read.charter?.names(charter) == true)
            #expect(typed == String(groups) ? read.name.isEmpty : read.name.lowercased() == "night watch")
        }
    }

    @Test func aWrongCharacterIsFound() throws {
        let code = InvitationCode(name: "Ship", secret: secret, charter: CharterPrefix(of: charter)).text
        let characters = Array(code)
        for index in characters.indices where index >= "Ship ".count && characters[index] != " " {
            var wrong = characters
            wrong[index] = wrong[index] == "a" ? "b" : "a"
            #expect(InvitationCode(text: String(wrong)) == nil)
            wrong.remove(at: index)
            #expect(InvitationCode(text: String(wrong)) == nil)
        }
    }

    /// A code without a charter is read as before, also behind a long name.
    @Test func anOldCodeNamesNoCharter() throws {
        for name in ["Ship", "", String(repeating: "abcdefgh ", count: 8)] {
            let code = InvitationCode(name: name, secret: secret).text
            let read = try #require(InvitationCode(text: code))
            #expect(read.charter == nil && read.secret.withBytes { Array($0) } == secret.withBytes { Array($0) })
        }
    }

    private func invitation() throws -> InvitationKey {
        let secret = try #require(InvitationSecret(SecretBytes(copying: (0..<16).map { UInt8(200 - $0) })))
        return try #require(InvitationKey(secret, to: CharterPrefix(of: charter)))
    }

    @Test func aCodeWithAnInvitationIsReadAsItIsTyped() throws {
        let invitation = try invitation()
        let code = InvitationCode(name: "Night watch", secret: secret, invitation).text
        let groups = code.dropFirst("Night watch ".count)
        #expect(groups.split(separator: " ").map(\.count) == [Int](repeating: 9, count: 12))
        let written = String(groups)
        for typed in [code, code.uppercased(), written.replacing(" ", with: "-"), written.replacing(" ", with: "")] {
            let read = try #require(InvitationCode(text: typed))
            #expect(read.charter?.names(charter) == true && read.invitationKey == invitation)
            #expect(read.secret.withBytes { Array($0) } == secret.withBytes { Array($0) })
        }
        let characters = Array(code)
        for index in characters.indices where index >= "Night watch ".count && characters[index] != " " {
            var wrong = characters
            wrong[index] = wrong[index] == "a" ? "b" : "a"
            #expect(InvitationCode(text: String(wrong)) == nil)
            wrong.remove(at: index)
            #expect(InvitationCode(text: String(wrong)) == nil)
        }
    }

    /// The byte before the secret says what follows; a later version may write another one.
    @Test func aCodeOfALaterKindIsRefused() {
        let bytes = secret.withBytes { Array($0) } + charter.bytes.prefix(16) + [2] + [UInt8](repeating: 1, count: 16)
        #expect(InvitationCode(text: Base32.encode(bytes) + CheckCharacters.of(bytes)) == nil)
    }

    @Test func aProofIsForOnePersonAndOneCharter() throws {
        let (invitation, bob) = (try invitation(), PeerID(value: CharterWriter.key(1)))
        let proof = try #require(invitation.proof(for: bob))
        let prefix = CharterPrefix(of: charter)
        #expect(proof.isValid(for: bob, in: prefix) && InvitationProof(proof.bytes) == proof && proof.bytes.count == 96)
        #expect(!proof.isValid(for: PeerID(value: CharterWriter.key(2)), in: prefix))
        let other = CharterPrefix(of: ConversationID(value: CharterWriter.key(4)))
        #expect(!proof.isValid(for: bob, in: other))
        #expect(InvitationKey(invitation.secret, to: other)?.policy != invitation.policy)
        #expect(invitation.policy.utf8.count == 59 && invitation.policy.isPolicyName)
    }
}
