import ParlanceCore
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
}
