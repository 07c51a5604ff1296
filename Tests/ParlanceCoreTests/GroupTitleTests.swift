import Foundation
import ParlanceCore
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

    /// A check mark is not shown in titles, so nobody could type what is seen.
    @Test(arguments: ["Check \u{2713}", "\u{2705}Check", "\u{2713}"]) func aCheckMarkIsRefused(title: String) throws {
        var crew = try GroupBench(1)
        for force in [false, true] {
            #expect(try create(title, force: force, in: &crew) == .text(.markedTitle))
            #expect(try rename(crew.group, title, force: force, in: &crew) == .text(.markedTitle))
        }
    }

    /// Another program may let its user give such a title.
    @Test(arguments: ["Check \u{2713}", "\u{2714}\u{FE0F}Ch\u{202E}eck"])
    func aTitleIsFoundAsItIsShown(title: String) throws {
        var crew = try GroupBench(1)
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
        for typed in ["check", " Check ", title] {
            guard case .success(.group(let view)) = try crew.bench.ask(.findConversation(who: typed)) else {
                throw EngineBench.Unexpected(what: "\(typed) finds nothing")
            }
            #expect(view.conversation == group)
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
