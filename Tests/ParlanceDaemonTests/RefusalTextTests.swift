import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// Every refusal of the engine has words, and a name that protocol/control.md lists with its values.
@Suite struct RefusalTextTests {
    private typealias Reason = ParlanceCore.Refusal

    private static func all() throws -> [Reason] {
        let id = try #require(PeerID([UInt8](repeating: 7, count: 32)))
        let bob = Reason.Named(id: id, name: "Bob")
        let found = [Reason.Candidate.peer(id)]
        let naming: [Reason.NamingReason] = [
            .ownIdentity("Ada"), .unknownPeer("Bo"), .unverified("Bob"), .unknownGroup("Crew"),
            .severalPeers("Bob", found),
            .sharedName("Ada", found), .severalConversations("Bob", found), .severalGroups("Crew", found),
            .severalMembers("bob", found),
        ]
        let text: [Reason.TextReason] = [
            .emptyMessage, .emptyEdit, .longMessage(bytes: 70_000), .notAnEmoji, .name(.controlCharacters),
            .name(.checkMark),
            .name(.length), .workspaceName(.controlCharacters), .workspaceName(.checkMark), .workspaceName(.length),
            .reservedName("You"), .takenAlias("Bob"), .aliasOfGroup("Crew"), .markedTitle,
            .title(.controlCharacters), .title(.empty), .title(.long(bytes: 201)),
            .titleOfPerson("Bob"), .titleOfGroup("Crew"), .statusWithControlCharacters, .longStatus, .pictureSize,
            .aliasOfID("k3f9a2bc"), .titleOfID("k3f9a2bc"),
        ]
        let message: [Reason.MessageReason] = [
            .editByOther, .deletionByOther, .otherCopy, .unknown, .delivered, .onItsWay, .unknownConversation,
        ]
        let group: [Reason.GroupReason] = [
            .nonce, .large(members: 300), .full(members: 256), .notAppliedYet(.toSend), .notMember(nil),
            .notMember(.left), .notMember(.removed(by: "Bob")), .notMemberHere(bob), .empty(isAdmin: true),
            .empty(isAdmin: false), .lastAdmin, .adminsOnly(["Bob"]), .manyChanges, .voidChange,
        ]
        let contact: [Reason.ContactReason] = [
            .blocked(bob, .toSend), .notBlocked(bob), .noRequest(bob), .verifiesStranger(bob), .trustsStranger(bob),
            .carriesToStranger(bob), .carriesToLeftOut(bob),
            .noConversation(bob),
        ]
        let workspace: [Reason.WorkspaceReason] = [
            .none, .other("Ship"), .unnumbered, .manyRemoved, .noCharter, .charterNotCome, .hasCharter, .noOffer,
            .otherOffer,
            .manyOffers,
            .adminsOnly(["Ada"]),
            .senior(bob), .excluded(bob), .excludedUser(bob), .notExcluded(bob), .excludesOneself, .policyName,
            .policyValue, .manyAdmins, .manyChanges,
            .invitationPolicy, .admissionOpen, .invitationUses, .invitationOver, .unknownInvitation("abc"),
        ]
        return naming.map { .naming($0) } + text.map { .text($0) } + message.map { .message($0) }
            + group.map { .group($0) } + contact.map { .contact($0) } + workspace.map { .workspace($0) }
            + [.file(.unknown), .file(.notFetched), .file(.many(files: 10_000)), .file(.tooMany(count: 40))]
            + [.file(.badName("plan.pdf")), .file(.longNames)]
            + [.muteLength, .retentionLength, .notStored("The disk is full."), .notRead]
    }

    /// Rows of the table "Reasons": the name, then the names of its values.
    private static func documented() throws -> [String: Set<String>] {
        let page = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "protocol/control.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let table = try #require(
            text.components(separatedBy: "\n### Reasons\n").last?.components(separatedBy: "\n## ")[0]
        )
        var rows: [String: Set<String>] = [:]
        for row in table.split(separator: "\n") where row.hasPrefix("| `") {
            let cells = row.split(separator: "|").map { cell in cell.matches(of: /`(\w+)`/).map { String($0.1) } }
            for name in cells[0] { rows[name] = Set(cells[1]) }
        }
        return rows
    }

    @Test func everyReasonIsDocumentedWithItsValues() throws {
        let words = try Self.all().map(\.inEnglish)
        let documented = try Self.documented()
        for reason in words.map(\.reason) {
            #expect(documented[reason.name] == Set(reason.values.keys), "\(reason.name)")
        }
        #expect(Set(words.map(\.reason.name)) == Set(documented.keys))
    }

    @Test func everyReasonHasANameAndWordsOfItsOwn() throws {
        let words = try Self.all().map(\.inEnglish)
        #expect(Set(words.map(\.reason.name)).count == words.count)
        for said in words {
            #expect(said.message.english.hasSuffix("."), "\(said.message)")
            #expect(
                said.advice.english.hasSuffix(".")
                    || said.advice.english.contains("parlance ") && !said.message.english.contains("nil"),
                "\(said)"
            )
        }
    }

    /// A title or name may equal the beginning of an ID: to type that again would not help.
    @Test func aLongerIDIsAdvisedWhereItsBeginningWasTyped() throws {
        let id = try #require(PeerID([UInt8](repeating: 7, count: 32)))
        let near = try #require(PeerID([UInt8](repeating: 7, count: 31) + [9]))
        let typed = String(id.text.prefix(8))
        let longer = Reason.naming(.severalConversations(typed, [.peer(id)])).inEnglish
        #expect(longer.advice.english == "Use more of the ID: at least 9 characters of it.")
        let nearer = Reason.naming(.severalPeers(typed, [.peer(id), .peer(near)])).inEnglish
        let shared = zip(id.text, near.text).prefix { $0 == $1 }.count
        #expect(nearer.advice.english == "Use more of the ID: at least \(shared + 1) characters of it.")
        // Whoever means the group learns how to name that.
        let crew = ConversationID(direct: id, near)
        let either = Reason.naming(.severalConversations(typed, [.peer(id), .group(crew, title: typed)])).inEnglish
        let group = " If you mean a group with that title, use the beginning of the group's ID."
        #expect(either.advice.english == "Use more of the ID: at least 9 characters of it." + group)
        let named = Reason.naming(.severalConversations("Bob", [.peer(id)])).inEnglish
        #expect(named.advice.english == "Use the beginning of an ID instead.")
    }

    @Test func theReasonTravelsInTheError() throws {
        let refusal = Reason.text(.longMessage(bytes: 70_000))
        let error = RPCError(ControlError(refusal) { _ in .init(id: "", displayName: "", trust: nil) })
        #expect(error.code == "textTooLong" && error.candidates == nil)
        let read = ControlFailure(RPCError(json: try JSONParser.parse(Array(JSONWriter.text(error.json()).utf8))))
        #expect(read.reason == ErrorReason("longMessage", ["bytes": .number(70_000), "limit": .number(65_536)]))
        let group = Reason.group(.adminsOnly(["Ada", "Bob"]))
        let admins = RPCError(ControlError(group) { _ in .init(id: "", displayName: "", trust: nil) })
        #expect(RPCError(json: admins.json()).reason?.values["admins"] == .list(["Ada", "Bob"]))
    }

    @Test func aVulnerableLibraryIsNamedWithThePackageToInstall() {
        let text = SodiumError.vulnerableLibrary(version: "1.0.18").text.english
        #expect(text.contains("CVE-2025-69277") && text.contains("1.0.18-1+deb12u1"))
    }
}
