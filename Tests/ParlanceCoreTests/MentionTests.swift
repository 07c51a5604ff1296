import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

/// Whom a text mentions: `@all` stands for everybody else in a group.
@Suite struct MentionTests {
    /// The names of those whom a text of Ada's mentions in the group of Ada, Bob and Cleo.
    private func mentioned(_ text: String, callingBob alias: String? = nil) throws -> [String] {
        let (world, group) = try GroupTests.world(3)
        if let alias { world.give(.setAlias(who: world.nodes[1].identity.text, alias: alias), to: 0) }
        world.run(for: 3_000)
        world.give(.send(who: "Bridge", text: text), to: 0)
        world.run(for: 5_000)
        let message = try #require(world.nodes[2].disk.history(of: group).last)
        #expect(message.text == text)
        return try #require(message.rich).mentions.map { peer in
            world.nodes.first { $0.identity == peer }?.name ?? "nobody"
        }
    }

    @Test func allMentionsEverybodyElse() throws {
        #expect(Set(try mentioned("@All: lunch!")) == ["Bob", "Cleo"])
    }

    @Test func whoIsMentionedTwiceIsListedOnce() throws {
        let names = try mentioned("@Cleo and @all")
        #expect(names == ["Cleo", "Bob"])
    }

    @Test func aLongerWordIsNotAll() throws {
        #expect(try mentioned("ask @allen, all of you").isEmpty)
    }

    @Test func aLongerNameOfAMemberComesFirst() throws {
        #expect(try mentioned("@all hands: lunch!", callingBob: "All Hands") == ["Bob"])
    }

    @Test func aMemberCalledAllDoesNotTakeTheMention() throws {
        #expect(Set(try mentioned("@all: lunch!", callingBob: "All")) == ["Bob", "Cleo"])
    }

    @Test func twoPeopleHaveNoAll() throws {
        let (world, _) = try GroupTests.world(2)
        let bob = world.nodes[1].identity
        world.give(.send(who: bob.text, text: "@all"), to: 0)
        world.run(for: 5_000)
        let direct = ConversationID(direct: world.nodes[0].identity, bob)
        #expect(world.nodes[1].disk.history(of: direct).map(\.rich?.mentions) == [[]])
    }
}
