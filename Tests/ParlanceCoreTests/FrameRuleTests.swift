import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// What the specification says of values at the ends of their ranges, and of the order in which a frame is checked.
@Suite struct FrameRuleTests {
    /// Ada is linked with Bob, whom she has accepted, on link 1, and has written one message.
    private struct Scene {
        var bench: EngineBench
        var bob: RemotePeer
        let conversation: ConversationID
        let own: StoredEvent

        init() throws {
            bob = try RemotePeer()
            bench = try EngineBench(peers: [bob.record()])
            bench.open(1, with: bob)
            conversation = bob.conversation(with: bench.identity)
            _ = try bench.ask(.send(who: "Bob", text: "hello"))
            own = try #require(bench.batches.flatMap(\.events).last)
            _ = bench.takeFrames(on: 1)
        }

        var isOpen: Bool { bench.closed.isEmpty }

        /// Receives an event of Bob's without its body.
        mutating func receiveBare(_ text: String) -> StoredEvent {
            let event = bob.write(text, to: bench.identity)
            var bare = event
            bare.body = nil
            bench.received(bob.events(conversation, [bare]), on: 1)
            return event
        }

        func bodies(_ entries: [(UInt64, [UInt8])], log: Data? = nil) -> WireFrame.OneOf_Kind {
            var frame = WireBodies()
            frame.conversation = Data(conversation.bytes)
            frame.log = bob.logID.wire
            if let log { frame.log.author = log }
            frame.entries = entries.map { sequence, body in
                var entry = WireBodies.Entry()
                entry.sequence = sequence
                entry.body = Data(body)
                return entry
            }
            return .bodies(frame)
        }
    }

    // Bodies of zero bytes.

    /// A body of zero bytes and no body have one hash, so they are one event to everybody (events.md, "Hashes and
    /// signatures").
    @Test(arguments: [true, false]) func aBodyOfZeroBytesNeedNotTravel(_ travels: Bool) throws {
        var scene = try Scene()
        func receive(_ event: StoredEvent) {
            var sent = event
            if !travels, event.body?.isEmpty == true { sent.body = nil }
            scene.bench.received(scene.bob.events(scene.conversation, [sent]), on: 1)
        }
        let place = scene.conversation
        var hours = WireLifetimeBody()
        hours.seconds = 7_200
        receive(scene.bob.append(hours.encodedBytes(), in: place, kind: .lifetime))
        receive(scene.bob.append([], in: place, kind: .lifetime))
        receive(scene.bob.append([], in: place))
        receive(scene.bob.write("after it", to: scene.bench.identity))
        #expect(scene.isOpen)
        let history = scene.bench.disk.history(of: place)
        #expect(history.compactMap(\.note) == [.lifetime(seconds: 7_200), .lifetime(seconds: 0)])
        #expect(history.filter { $0.note == nil }.map(\.text) == ["hello", "after it"])
        let missing = scene.bench.disk.snapshot.logs.flatMap(\.missingBodies)
        #expect(missing.isEmpty)
    }

    // Typing and Refuse.

    @Test func typingAndRefuseWithAMalformedConversationArePassedOver() throws {
        var scene = try Scene()
        scene.bench.received(.typing(WireTyping()), on: 1)
        scene.bench.received(.refuse(WireRefuse()), on: 1)
        #expect(scene.isOpen)
        var want = WireWant()
        want.log = scene.own.header.log.wire
        scene.bench.received(.want(want), on: 1)
        #expect(!scene.isOpen, "in other frames a malformed conversation is a breach")
    }

    // Ranges.

    @Test func wantTakesSequencesUpToTheLargest() throws {
        var scene = try Scene()
        let log = scene.own.header.log
        scene.bench.received(scene.bob.want(scene.conversation, log, after: 0), on: 1)
        #expect(scene.bench.takeFrames(on: 1).contains { if case .events = $0 { true } else { false } })
        scene.bench.received(scene.bob.want(scene.conversation, log, after: Limits.sequence), on: 1)
        #expect(scene.isOpen && scene.bench.takeFrames(on: 1).isEmpty)
        scene.bench.received(scene.bob.want(scene.conversation, log, after: Limits.sequence + 1), on: 1)
        #expect(!scene.isOpen)
    }

    @Test func aWatermarkAtSequenceZeroIsABreach() throws {
        var scene = try Scene()
        var mark = scene.bob.mark(scene.own)
        mark.sequence = 0
        scene.bench.received(scene.bob.marks([mark], in: scene.conversation), on: 1)
        #expect(!scene.isOpen)
    }

    @Test func aRunWithoutEventsIsABreach() throws {
        var scene = try Scene()
        let nobody: [StoredEvent] = []
        scene.bench.received(scene.bob.events(scene.conversation, nobody), on: 1)
        #expect(!scene.isOpen)
        // A run for a conversation that is not shared is refused before it is verified.
        var other = try Scene()
        let elsewhere = ConversationID(value: .zero)
        other.bench.received(other.bob.events(elsewhere, nobody), on: 1)
        #expect(other.isOpen)
        #expect(other.bench.takeFrames(on: 1).contains { if case .refuse = $0 { true } else { false } })
    }

    @Test func bodiesAreNotSentForSequencesThatAreNotHeld() throws {
        var scene = try Scene()
        var wanted = WireBodiesWanted()
        wanted.conversation = Data(scene.conversation.bytes)
        wanted.log = scene.own.header.log.wire
        wanted.sequences = [0, 1, 2, Limits.sequence + 1]
        scene.bench.received(.bodiesWanted(wanted), on: 1)
        let sent = scene.bench.takeFrames(on: 1).compactMap { if case .bodies(let bodies) = $0 { bodies } else { nil } }
        #expect(sent.flatMap(\.entries).map(\.sequence) == [1])
        #expect(scene.isOpen)
    }

    // Bodies.

    @Test func aMalformedLogOfBodiesIsABreachBeforeAnythingElse() throws {
        var scene = try Scene()
        scene.bench.received(scene.bodies([], log: Data([1, 2, 3])), on: 1)
        #expect(!scene.isOpen)
    }

    @Test func bodiesThatAreNotMissingArePassedOverWhateverTheirSize() throws {
        var scene = try Scene()
        let large = [UInt8](repeating: 0, count: Limits.bodyBytes + 1)
        scene.bench.received(scene.bodies([(1, large)]), on: 1)
        #expect(scene.isOpen, "nothing of the log is held")
        _ = scene.receiveBare("bare")
        scene.bench.received(scene.bodies([(2, large)]), on: 1)
        #expect(scene.isOpen, "the second one is not missing")
        scene.bench.received(scene.bodies([(1, large)]), on: 1)
        #expect(!scene.isOpen)
    }

    @Test func bodiesBeforeOneThatIsTooLargeAreTaken() throws {
        var scene = try Scene()
        let first = scene.receiveBare("one")
        _ = scene.receiveBare("two")
        let large = [UInt8](repeating: 0, count: Limits.bodyBytes + 1)
        scene.bench.received(scene.bodies([(1, try #require(first.body)), (2, large)]), on: 1)
        #expect(!scene.isOpen)
        #expect(scene.bench.disk.history(of: scene.conversation).map(\.text) == ["hello", "one"])
    }

    @Test func aBodyOfAnotherEventIsPassedOver() throws {
        var scene = try Scene()
        let event = scene.receiveBare("one")
        scene.bench.received(scene.bodies([(1, [1, 2, 3])]), on: 1)
        #expect(scene.isOpen && scene.bench.disk.history(of: scene.conversation).map(\.text) == ["hello"])
        scene.bench.received(scene.bodies([(1, try #require(event.body))]), on: 1)
        #expect(scene.bench.disk.history(of: scene.conversation).map(\.text) == ["hello", "one"])
    }

    // Watermarks.

    /// The clock on the link already shows what is delivered; a watermark of that level counts nevertheless.
    @Test func aDeliveredMarkInADirectConversationCounts() throws {
        var scene = try Scene()
        let mark = scene.bob.mark(scene.own, level: .delivered)
        scene.bench.received(scene.bob.marks([mark], in: scene.conversation), on: 1)
        #expect(scene.isOpen)
        let view = try scene.bench.view(of: scene.bob.identity)
        #expect(view.delivery.logs.map(\.delivered.sequence) == [1])
        #expect(view.delivery.logs.map(\.read.sequence) == [0])
    }

    /// A member that keeps a watermark for an author with which it is linked hands it over once it is on disk, and not
    /// before.
    @Test func aCarrierHandsOnIfItIsLinkedWithTheAuthor() throws {
        var crew = try GroupBench(2)
        crew.open(0)
        crew.open(1)
        let event = crew.write("hello", by: 0)
        crew.send([event], by: 0)
        _ = crew.take { $0 }
        let mark = crew.peers[1].mark(event)
        crew.bench.diskWaits = true
        crew.bench.received(crew.peers[1].marks([mark], in: crew.group), on: 1)
        crew.bench.pass(Limits.handOnDelayMilliseconds)
        #expect(crew.marksTold(to: 0).isEmpty)
        crew.bench.diskWaits = false
        crew.bench.settle()
        #expect(crew.marksTold(to: 0) == [mark])
    }

    // Dependencies.

    @Test func unsortedAndRepeatedDependenciesAreAccepted() throws {
        var scene = try Scene()
        let first = EventReference(log: scene.own.header.log, sequence: 1, id: scene.own.id)
        var twin = try RemotePeer(1, replica: 0x21)
        let other = twin.write("from before", to: scene.bob.identity)
        scene.bench.received(scene.bob.events(scene.conversation, [other]), on: 1)
        let second = EventReference(log: twin.logID, sequence: 1, id: other.id)
        #expect(second.log < first.log)
        let answer = scene.bob.write("after both", to: scene.bench.identity, after: [first, second, first])
        scene.bench.received(scene.bob.events(scene.conversation, [answer]), on: 1)
        #expect(scene.isOpen)
        #expect(scene.bench.disk.history(of: scene.conversation).last?.text == "after both")
    }

    @Test func unsortedAndRepeatedParentsOfAChangeAreAccepted() throws {
        var bench = try MembershipBench(people: 5)
        let creation = bench.create([1, 2])
        let one = bench.change(.add, [3], by: 0, after: [creation])
        let other = bench.change(.appoint, [1], by: 0, after: [creation])
        let parents = [one, other].sorted { $1.id < $0.id }
        let last = bench.change(.remove, [2], by: 1, after: parents + parents)
        let membership = Membership([creation, one, other, last])
        #expect(membership.isValid(last.id))
        #expect(!membership.isMember(bench.people[2]))
    }

    @Test func ofTwoMarksOfOneLogTheLastHolds() throws {
        var bench = try MembershipBench(people: 3)
        let creation = bench.create([1])
        let removal = bench.change(.remove, [1], by: 0, after: [creation], marks: [bench.log(1): 7])
        var body = try #require(WireMembersBody(decoding: removal.body ?? []))
        var lower = body.marks[0]
        lower.sequence = 3
        body.marks.append(lower)
        let twice = bench.event(.members, body.encodedBytes(), by: 0, at: 3)
        #expect(try #require(MembershipChange(twice)).mark(of: bench.log(1)) == 3)
    }

    // Names.

    @Test func anEmptyNameAndOneWithoutMembershipChangeNothing() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1], names: [1: "Bea"])
        let empty = bench.change(.add, [1], by: 0, after: [creation], names: [1: ""])
        let void = bench.change(.add, [1], by: 1, after: [empty], names: [1: "Mallory"])
        let membership = Membership([creation, empty, void])
        #expect(membership.isValid(empty.id) && !membership.isValid(void.id))
        #expect(membership.names[bench.people[1]] == "Bea")
    }

    @Test func namesAreCutBehindAWholeCluster() {
        let family = "👨‍👩‍👧‍👦"
        #expect(family.utf8.count == 25)
        #expect((family + family + family).prefix(utf8: 64) == family + family)
        #expect(String(repeating: "e\u{301}", count: 30).prefix(utf8: 64).utf8.count == 63)
    }
}

extension GroupBench {
    /// The watermarks that were sent to a member since the last call.
    fileprivate mutating func marksTold(to peer: Int) -> [WireWatermark] {
        bench.takeFrames(on: UInt64(peer)).flatMap { kind -> [WireWatermark] in
            if case .watermarks(let marks) = kind { marks.entries } else { [] }
        }
    }
}
