import Foundation
import ParlanceCore
import ParlanceErrorCode
import ParlanceHistory
import ParlanceWire
import Testing

/// Titles that would be confused with the name of a person or of another group.
@Suite struct GroupTitleTests {
    private func create(_ title: String, force: Bool = false, in crew: inout GroupBench) throws -> Refusal? {
        let who = [crew.peers[0].identity.grouped]
        let nonce = [UInt8](repeating: 9, count: 16)
        let answer = try crew.bench.ask(.createGroup(title: title, who: who, nonce: nonce, force: force))
        if case .failure(let refusal) = answer { return refusal }
        return nil
    }

    private func rename(_ group: ConversationID, _ title: String, force: Bool = false, in crew: inout GroupBench) throws
        -> Refusal?
    {
        let answer = try crew.bench.ask(.changeGroup(who: group.text, .rename(title, force: force)))
        if case .failure(let refusal) = answer { return refusal }
        return nil
    }

    /// The first member invites the user to a group.
    private func invite(_ title: String, in crew: inout GroupBench) -> ConversationID {
        crew.open(0)
        var body = WireCreateBody()
        body.nonce = Data(repeating: 5, count: 16)
        body.title = title
        var member = WireMember()
        member.id = Data(crew.bench.identity.bytes)
        body.members = [member]
        let bytes = body.encodedBytes()
        let group = ConversationID(creator: crew.peers[0].identity, creation: bytes)
        let event = crew.peers[0].append(bytes, in: group, kind: .create)
        crew.bench.received(crew.peers[0].invite(group, [event]), on: 0)
        return group
    }

    @Test(arguments: ["Crew", "crew", " C r e w "]) func aTitleOfAGroupIsTaken(title: String) throws {
        var crew = try GroupBench(1)
        #expect(try create(title, in: &crew) == .text(.titleOfGroup(title)))
        #expect(try create(title, force: true, in: &crew) == nil)
    }

    @Test(arguments: ["Peer 0", "peer0", "PEER 0"]) func aNameOfAPersonIsTaken(title: String) throws {
        var crew = try GroupBench(1)
        #expect(try create(title, in: &crew) == .text(.titleOfPerson(title)))
        #expect(try rename(crew.group, title, in: &crew) == .text(.titleOfPerson(title)))
        #expect(try rename(crew.group, title, force: true, in: &crew) == nil)
    }

    /// It would make the beginning of that ID ambiguous.
    @Test func theIDOfAPersonIsTaken() throws {
        var crew = try GroupBench(1)
        for id in [crew.peers[0].identity.prefix, crew.peers[0].identity.text, crew.bench.identity.prefix] {
            #expect(try create(id, in: &crew) == .text(.titleOfID(id)))
            #expect(try rename(crew.group, id, in: &crew) == .text(.titleOfID(id)))
        }
        #expect(try create("zzzzzzzz", in: &crew) == nil)
    }

    @Test(arguments: ["Ada", "ada", "A da"]) func theUsersOwnNameIsTaken(title: String) throws {
        var crew = try GroupBench(1)
        #expect(try create(title, in: &crew) == .text(.titleOfPerson(title)))
        #expect(try rename(crew.group, title, in: &crew) == .text(.titleOfPerson(title)))
        #expect(try create(title, force: true, in: &crew) == nil)
    }

    /// Otherwise what is written to the group would go to the person.
    @Test(arguments: ["Crew", "crew", "C rew"]) func aTitleIsNoAlias(alias: String) throws {
        var crew = try GroupBench(2)
        let who = crew.peers[0].identity.grouped
        let refused = try crew.bench.ask(.setAlias(who: who, alias: alias))
        #expect(refused == .failure(.text(.aliasOfGroup(alias))))
        guard case .success(.group(let view)) = try crew.bench.ask(.findConversation(who: "Crew")) else {
            throw EngineBench.Unexpected(what: "no group")
        }
        #expect(view.conversation == crew.group)
        _ = try crew.bench.ask(.changeGroup(who: "Crew", .appoint([who]))).get()
        _ = try crew.bench.ask(.changeGroup(who: "Crew", .leave)).get()
        _ = try crew.bench.ask(.setAlias(who: who, alias: alias)).get()
    }

    /// Nobody knows whom the user means who has called both so.
    @Test func aTitleThatTheUserGaveANamesakeIsAmbiguous() throws {
        var crew = try GroupBench(1)
        #expect(try create("Peer 0", force: true, in: &crew) == nil)
        for typed in ["Peer 0", "peer 0"] {
            let answer = try crew.bench.ask(.send(who: typed, text: "hello"))
            guard case .failure(let refusal) = answer else { throw EngineBench.Unexpected(what: "\(typed) is sent") }
            #expect(refusal.code == .ambiguousPeer && refusal.candidates.count == 2)
        }
    }

    /// A check mark is not shown in titles, so nobody could type what is seen.
    @Test(arguments: ["Check \u{2713}", "\u{2705}Check", "\u{2713}"]) func aCheckMarkIsRefused(title: String) throws {
        var crew = try GroupBench(1)
        for force in [false, true] {
            #expect(try create(title, force: force, in: &crew) == .text(.markedTitle))
            #expect(try rename(crew.group, title, force: force, in: &crew) == .text(.markedTitle))
        }
    }

    /// Nobody could type what nobody sees, and what turns the direction of the text reads as something else.
    @Test func whatNobodySeesIsLeftOutOfATitle() throws {
        var crew = try GroupBench(1)
        let nonce = [UInt8](repeating: 8, count: 16)
        let who = [crew.peers[0].identity.grouped]
        let create = Command.createGroup(title: "Wa\u{202E}t\u{200B}ch ", who: who, nonce: nonce)
        guard case .success(.group(let view)) = try crew.bench.ask(create) else {
            throw EngineBench.Unexpected(what: "not created")
        }
        #expect(view.title == "Watch")
    }

    @Test func eachFaultOfATitleHasItsReason() throws {
        var crew = try GroupBench(1)
        let faults: [(String, TitleFault)] = [
            ("", .empty), (" ", .empty), ("\u{200B}\u{202E}", .empty), ("a\nb", .controlCharacters),
            ("a\u{1B}b", .controlCharacters), (String(repeating: "x", count: 201), .long(bytes: 201)),
        ]
        for (title, fault) in faults {
            #expect(try create(title, in: &crew) == .text(.title(fault)))
            #expect(try rename(crew.group, title, in: &crew) == .text(.title(fault)))
        }
    }

    /// Another program may let its user give such a title.
    @Test(arguments: ["Check \u{2713}", "\u{2714}\u{FE0F}Ch\u{202E}eck"])
    func aTitleIsFoundAsItIsShown(title: String) throws {
        var crew = try GroupBench(1)
        let group = invite(title, in: &crew)
        for typed in ["check", " Check ", title] {
            guard case .success(.group(let view)) = try crew.bench.ask(.findConversation(who: typed)) else {
                throw EngineBench.Unexpected(what: "\(typed) finds nothing")
            }
            #expect(view.conversation == group)
        }
    }

    /// A title that somebody else gave takes nobody's messages.
    @Test(arguments: ["Peer 1", "peer 1"]) func aPersonComesBeforeAGroupThatOthersMade(title: String) throws {
        var crew = try GroupBench(2)
        let group = invite(title, in: &crew)
        guard case .success(.group) = try crew.bench.ask(.findConversation(who: group.text)) else {
            throw EngineBench.Unexpected(what: "no group")
        }
        for typed in ["Peer 1", "PEER 1"] {
            guard case .success(.peer(let found)) = try crew.bench.ask(.findConversation(who: typed)) else {
                throw EngineBench.Unexpected(what: "no person")
            }
            #expect(found.record.id == crew.peers[1].identity)
        }
    }

    @Test func anAliasIsTakenToo() throws {
        var crew = try GroupBench(1)
        _ = try crew.bench.ask(.setAlias(who: crew.peers[0].identity.grouped, alias: "Boss"))
        #expect(try create("boss", in: &crew) == .text(.titleOfPerson("boss")))
    }

    @Test func aGroupMayBeRenamedToATitleLikeItsOwn() throws {
        var crew = try GroupBench(1)
        #expect(try rename(crew.group, "CREW", in: &crew) == nil)
    }

    @Test func theTitleOfAGroupThatTheUserLeftIsFree() throws {
        var crew = try GroupBench(1)
        _ = try crew.bench.ask(.changeGroup(who: "Crew", .appoint([crew.peers[0].identity.grouped])))
        guard case .success = try crew.bench.ask(.changeGroup(who: "Crew", .leave)) else {
            throw EngineBench.Unexpected(what: "Ada could not leave")
        }
        #expect(try create("Crew", in: &crew) == nil)
    }
}
