import ParlanceCore
import ParlanceErrorCode
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Groups of real engines on the simulated network.
@Suite struct GroupTests {
    static let names = ["Ada", "Bob", "Cleo", "Dan"]

    /// A world in which everybody is linked and the first node has created a group with the others.
    static func world(_ count: Int, seed: UInt64 = 1) throws -> (world: SimulatedWorld, group: ConversationID) {
        let world = try SimulatedWorld(names: Array(names.prefix(count)), seed: seed)
        for index in 0..<count { world.start(index) }
        world.run(for: 3_000)
        let others = (1..<count).map { world.nodes[$0].identity.grouped }
        // An invitation is accepted only from an accepted peer.
        for index in 1..<count { world.give(.accept(who: world.nodes[0].identity.grouped), to: index) }
        world.run(for: 1_000)
        let id = world.give(
            .createGroup(title: "Bridge", who: others, nonce: [UInt8](repeating: 7, count: 16)),
            to: 0
        )
        world.run(for: 3_000)
        guard case .success(.group(let view)) = world.nodes[0].answers[id] else {
            throw EngineBench.Unexpected(what: "no group: \(String(describing: world.nodes[0].answers[id]))")
        }
        return (world, view.conversation)
    }

    static func texts(_ world: SimulatedWorld, _ node: Int, _ group: ConversationID) -> [String] {
        world.nodes[node].disk.history(of: group).filter { $0.note == nil }.map(\.text)
    }

    static func view(_ world: SimulatedWorld, _ node: Int, _ who: String = "Bridge") throws -> GroupView {
        let id = world.give(.findConversation(who: who), to: node)
        world.run(for: 0)
        guard case .success(.group(let view)) = world.nodes[node].answers[id] else {
            throw EngineBench.Unexpected(what: "no group: \(String(describing: world.nodes[node].answers[id]))")
        }
        return view
    }

    @Test func everybodyGetsTheGroupAndWhatIsWritten() throws {
        let (world, group) = try Self.world(4)
        for index in 0..<4 {
            #expect(try Self.view(world, index).members.count == 4)
            world.give(.send(who: "Bridge", text: "from \(index)"), to: index)
            world.run(for: 200)
        }
        world.run(for: 5_000)
        for index in 0..<4 {
            #expect(Self.texts(world, index, group) == (0..<4).map { "from \($0)" })
            let delivery = try Self.view(world, index).delivery
            #expect(delivery.recipients.allSatisfy { $0.reason == nil })
        }
    }

    /// Bob hears of Cleo's removal and return at once; he has ignored what she told him in between.
    @Test func whatWasReadBetweenRemovalAndReturnIsToldAgain() throws {
        let (world, group) = try Self.world(3)
        let (bob, cleo) = (world.nodes[1].identity, world.nodes[2].identity)
        world.give(.send(who: "Bridge", text: "hello"), to: 2)
        world.run(for: 5_000)
        world.give(.block(who: bob.text), to: 0)
        world.run(for: 5_000)
        world.give(.changeGroup(who: "Bridge", .remove([cleo.text])), to: 0)
        world.run(for: 5_000)
        #expect(world.nodes[2].disk.memberships[group]?.isMember(cleo) == false)
        #expect(world.nodes[1].disk.memberships[group]?.isMember(cleo) == true)
        world.give(.read(who: "Bridge"), to: 1)
        world.run(for: 5_000)
        let link = world.links(between: 1, 2)
        world.give(.changeGroup(who: "Bridge", .add([cleo.text])), to: 0)
        world.run(for: 20_000)
        #expect(link == 1 && world.links(between: 1, 2) == 1)
        let delivery = try Self.view(world, 2).delivery
        let place = try #require(delivery.recipients.firstIndex { $0.peer == bob })
        #expect(delivery.logs.map { $0.progress[place].read.sequence } == [1])
    }

    /// While the author is away, another member passes on what it wrote, and the author learns of that later.
    @Test func aMemberHandsOnWhatAnotherWrote() throws {
        let (world, group) = try Self.world(3)
        world.crash(2)
        world.run(for: 2_000)
        let sent = world.give(.send(who: "Bridge", text: "hello"), to: 0)
        world.run(for: 3_000)
        guard case .success(.sent(let message)) = world.nodes[0].answers[sent] else {
            throw EngineBench.Unexpected(what: "not sent")
        }
        world.crash(0)
        world.run(for: 2_000)
        world.start(2)
        world.run(for: 10_000)
        #expect(Self.texts(world, 2, group) == ["hello"])
        world.give(.read(who: "Bridge"), to: 2)
        world.run(for: 5_000)
        world.crash(2)
        world.start(0)
        world.run(for: 10_000)
        let reach = try Self.view(world, 0).delivery.reach(
            of: message.sequence,
            in: LogID(author: world.nodes[0].identity, replica: world.nodes[0].replica)
        )
        #expect(reach.delivered.count == 2)
        #expect(reach.read == [world.nodes[2].identity])
        // Cleo is away: the author knows it from Bob.
        let view = try Self.view(world, 0).delivery
        let cleo = try #require(view.recipients.firstIndex { $0.peer == world.nodes[2].identity })
        let bob = try #require(view.recipients.firstIndex { $0.peer == world.nodes[1].identity })
        let progress = try #require(view.logs.first { $0.isWritten }).progress
        #expect(progress[cleo].readVia == world.nodes[1].identity)
        #expect(progress[bob].deliveredVia == nil && progress[bob].readVia == nil)
    }

    /// Members who are strangers are known from the moment on at which they are members: by name, over a crash too.
    @Test func membersAreKnownAfterACrash() throws {
        let (world, _) = try Self.world(3)
        world.crash(1)
        world.crash(2)
        world.start(1)
        world.run(for: 2_000)
        let cleo = world.nodes[2].identity
        #expect(world.nodes[1].disk.snapshot.peers.first { $0.id == cleo }?.announcedName == Self.names[2])
    }

    /// A crash between holding an event and signing its receipt loses no receipt.
    @Test(arguments: [false, true]) func receiptsThatACrashLeftUnsignedAreSigned(alone: Bool) throws {
        let (world, group) = try Self.world(3)
        world.crash(2)
        world.run(for: 2_000)
        let sent = world.give(.send(who: "Bridge", text: "hello"), to: 0)
        world.run(for: 3_000)
        guard case .success(.sent(let message)) = world.nodes[0].answers[sent] else {
            throw EngineBench.Unexpected(what: "not sent")
        }
        world.crash(0)
        world.run(for: 2_000)
        world.start(2)
        for _ in 0..<200 where Self.texts(world, 2, group).isEmpty { world.run(for: 50) }
        #expect(Self.texts(world, 2, group) == ["hello"])
        world.crash(2)
        // For a while nobody is there to take a receipt.
        if alone { world.crash(1) }
        world.start(2)
        world.run(for: 10_000)
        if alone { world.start(1) }
        world.run(for: 40_000)
        world.crash(2)
        world.start(0)
        world.run(for: 40_000)
        let log = LogID(author: world.nodes[0].identity, replica: world.nodes[0].replica)
        let reach = try Self.view(world, 0).delivery.reach(of: message.sequence, in: log)
        #expect(reach.delivered.count == 2)
    }

    /// Two members that cannot reach each other get each other's receipts through a member that reaches both.
    @Test func whoIsLinkedWithTheAuthorHandsItReceipts() throws {
        let (world, _) = try Self.world(3)
        world.crash(2)
        world.network.deaf = [.init(from: 0, to: 2), .init(from: 2, to: 0)]
        world.start(2)
        world.run(for: 10_000)
        #expect(world.links(between: 0, 2) == 0)
        let sent = world.give(.send(who: "Bridge", text: "hello"), to: 0)
        world.run(for: 10_000)
        guard case .success(.sent(let message)) = world.nodes[0].answers[sent] else {
            throw EngineBench.Unexpected(what: "not sent")
        }
        let log = LogID(author: world.nodes[0].identity, replica: world.nodes[0].replica)
        #expect(try Self.view(world, 0).delivery.reach(of: message.sequence, in: log).delivered.count == 2)
        world.give(.read(who: "Bridge"), to: 2)
        world.run(for: 5_000)
        #expect(try Self.view(world, 0).delivery.reach(of: message.sequence, in: log).read.count == 1)
    }

    @Test func whoIsRemovedIsToldAndGetsNothingMore() throws {
        let (world, group) = try Self.world(3)
        world.give(.send(who: "Bridge", text: "before"), to: 0)
        world.run(for: 2_000)
        world.give(.changeGroup(who: "Bridge", .remove([world.nodes[2].identity.grouped])), to: 0)
        world.run(for: 2_000)
        world.give(.send(who: "Bridge", text: "after"), to: 0)
        world.give(.send(who: "Bridge", text: "after too"), to: 1)
        let late = world.give(.send(who: "Bridge", text: "me too"), to: 2)
        world.run(for: 40_000)
        #expect(Self.texts(world, 2, group) == ["before"])
        #expect(try Self.view(world, 2).isMember == false)
        guard case .failure(let error) = world.nodes[2].answers[late] else {
            throw EngineBench.Unexpected(what: "sent all the same")
        }
        #expect(error.code == .notMember)
        #expect(Self.texts(world, 0, group) == Self.texts(world, 1, group))
        #expect(Self.texts(world, 1, group).count == 3)
    }

    /// A message that a recipient has got cannot be cancelled, even if the recipient or the author has been removed
    /// since.
    @Test(arguments: [0, 1]) func whatSomebodyGotBeforeARemovalIsNotCancelled(author: Int) throws {
        let (world, group) = try Self.world(3)
        world.crash(2)
        world.run(for: 1_000)
        let sent = world.give(.send(who: "Bridge", text: "too late"), to: author)
        world.run(for: 2_000)
        guard case .success(.sent(let message)) = world.nodes[author].answers[sent] else {
            throw EngineBench.Unexpected(what: "not sent")
        }
        world.give(.changeGroup(who: "Bridge", .remove([world.nodes[1].identity.grouped])), to: 0)
        world.run(for: 2_000)
        let log = LogID(author: world.nodes[author].identity, replica: world.nodes[author].replica)
        let cancel = world.give(.cancel(log, conversation: group, sequence: message.sequence), to: author)
        world.run(for: 1_000)
        guard case .failure(let error) = world.nodes[author].answers[cancel] else {
            throw EngineBench.Unexpected(what: "cancelled all the same")
        }
        #expect(error.code == .notWaiting)
        #expect(Self.texts(world, author, group) == ["too late"])
    }

    /// A member that was removed while it was away learns of it from the first member that it meets.
    @Test func whoWasRemovedWhileAwayLearnsItLater() throws {
        let (world, group) = try Self.world(3)
        world.crash(2)
        world.run(for: 1_000)
        world.give(.changeGroup(who: "Bridge", .remove([world.nodes[2].identity.grouped])), to: 0)
        world.run(for: 2_000)
        world.give(.send(who: "Bridge", text: "secret"), to: 0)
        world.give(.changeGroup(who: "Bridge", .appoint([world.nodes[1].identity.grouped])), to: 0)
        world.run(for: 2_000)
        let changes = world.nodes[1].disk.memberships[group]?.events ?? []
        #expect(changes.count == 3)
        world.crash(0)
        world.start(2)
        world.run(for: 10_000)
        #expect(Self.texts(world, 2, group).isEmpty)
        #expect(try Self.view(world, 2).isMember == false)
        let told = world.nodes[2].disk.memberships[group]?.events ?? []
        #expect(told.map(\.id) == changes.dropLast().map(\.id), "who is made an admin later is not theirs to know")
    }

    /// A member that learns of its removal on a link is told of its return on the same link.
    @Test func whoLearnsItLaterComesBackOnTheSameLink() throws {
        let (world, group) = try Self.world(3)
        world.crash(2)
        world.run(for: 1_000)
        let cleo = world.nodes[2].identity.grouped
        world.give(.changeGroup(who: "Bridge", .remove([cleo])), to: 0)
        world.run(for: 2_000)
        world.start(2)
        world.run(for: 10_000)
        #expect(try Self.view(world, 2).isMember == false)
        world.give(.changeGroup(who: "Bridge", .add([cleo])), to: 0)
        world.give(.send(who: "Bridge", text: "welcome back"), to: 0)
        world.run(for: 5_000)
        #expect(try Self.view(world, 2).isMember)
        #expect(Self.texts(world, 2, group) == ["welcome back"])
    }

    @Test func aLateMemberGetsTheWholeHistory() throws {
        let (world, group) = try Self.world(3)
        for text in ["one", "two"] { world.give(.send(who: "Bridge", text: text), to: 0) }
        world.run(for: 2_000)
        world.give(.changeGroup(who: "Bridge", .remove([world.nodes[2].identity.grouped])), to: 0)
        world.run(for: 2_000)
        world.give(.send(who: "Bridge", text: "three"), to: 1)
        world.run(for: 2_000)
        world.give(.changeGroup(who: "Bridge", .add([world.nodes[2].identity.grouped])), to: 0)
        world.run(for: 40_000)
        #expect(Self.texts(world, 2, group) == ["one", "two", "three"])
        world.give(.send(who: "Bridge", text: "back"), to: 2)
        world.run(for: 5_000)
        for index in 0..<3 { #expect(Self.texts(world, index, group) == ["one", "two", "three", "back"]) }
    }

    /// A member signs receipts for the authors of logs only. What else it told on a link is known after the link ended.
    @Test func whatAMemberHeldIsKnownWhileItIsAway() throws {
        let (world, _) = try Self.world(3)
        for index in 0..<3 { world.give(.send(who: "Bridge", text: "from \(index)"), to: index) }
        world.run(for: 120_000)
        let bob = world.nodes[1].identity
        func bobHolds() throws -> UInt64 {
            let member = try Self.view(world, 0).members.first { $0.peer == bob }
            return try #require(member).holds
        }
        let all = try Self.view(world, 0).events
        #expect(try bobHolds() == all)
        world.stop(1)
        world.run(for: 10_000)
        #expect(try Self.view(world, 0).members.first { $0.peer == bob }?.connected == false)
        #expect(try bobHolds() == all)
        world.give(.send(who: "Bridge", text: "to those who are here"), to: 0)
        world.run(for: 1_000)
        #expect(try bobHolds() == all && Self.view(world, 0).events > all)
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func twoHalvesMerge(seed: UInt64) throws {
        let (world, group) = try Self.world(4, seed: seed)
        world.partition([0, 0, 1, 1], .cut, until: 0)
        for round in 0..<5 {
            for index in 0..<4 { world.give(.send(who: "Bridge", text: "\(round) by \(index)"), to: index) }
            world.run(for: 700)
        }
        world.network.heal()
        world.run(for: 60_000)
        let first = Self.texts(world, 0, group)
        #expect(first.count == 20, "seed \(seed)")
        for index in 1..<4 { #expect(Self.texts(world, index, group) == first, "seed \(seed)") }
    }
}
