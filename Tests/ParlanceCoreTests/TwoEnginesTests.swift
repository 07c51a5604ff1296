import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Two engines in memory, in virtual time, over a network that fails.
@Suite struct TwoEnginesTests {
    /// Ada and Bob run and are linked; Bob has accepted Ada.
    private func acquainted(seed: UInt64) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: seed)
        world.start(0)
        world.start(1)
        #expect(world.run(until: { self.isLinked(world) }, within: 60_000))
        world.give(.send(who: "bob", text: "hello"), to: 0)
        #expect(world.run(until: { self.request(world) != nil }, within: 60_000))
        world.give(.accept(who: "ada"), to: 1)
        #expect(world.run(until: { self.texts(world, 1) == ["hello"] }, within: 60_000))
        return world
    }

    private func isLinked(_ world: SimulatedWorld) -> Bool {
        world.nodes.allSatisfy { node in
            node.notices.contains {
                if case .peer(let view) = $0 { view.connected && !view.record.announcedName.isEmpty } else { false }
            }
        }
    }

    private func request(_ world: SimulatedWorld) -> PeerView? {
        for case .request(let view) in world.nodes[1].notices { return view }
        return nil
    }

    private func conversation(_ world: SimulatedWorld) -> ConversationID {
        ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity)
    }

    private func texts(_ world: SimulatedWorld, _ node: Int) -> [String] {
        world.nodes[node].disk.history(of: conversation(world)).map(\.text)
    }

    /// The deliveries of its log that a node shows.
    private func delivery(_ world: SimulatedWorld, of node: Int) throws -> DeliveryView.LogDelivery? {
        try world.deliveries(of: node).first?.logs.first { $0.log.replica == world.nodes[node].replica }
    }

    @Test func aFirstMessageIsARequestUntilItIsAccepted() throws {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: 1)
        world.start(0)
        world.start(1)
        #expect(world.run(until: { self.isLinked(world) }, within: 60_000))
        world.give(.send(who: "bob", text: "hello"), to: 0)
        #expect(world.run(until: { self.request(world) != nil }, within: 60_000))
        #expect(request(world)?.record.request?.preview == "hello")
        world.run(for: 10_000)
        #expect(texts(world, 1).isEmpty)
        #expect(try delivery(world, of: 0)?.delivered.sequence == 0)
        world.give(.accept(who: "ada"), to: 1)
        world.run(for: 5_000)
        #expect(texts(world, 1) == ["hello"])
        #expect(try delivery(world, of: 0)?.delivered.sequence == 1)
        #expect(try delivery(world, of: 0)?.read.sequence == 0)
        world.give(.read(who: "ada"), to: 1)
        world.run(for: 1_000)
        #expect(try delivery(world, of: 0)?.read.sequence == 1)
    }

    @Test func twoWhoWriteFirstAtTheSameMomentJustMeet() throws {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: 2)
        world.start(0)
        world.start(1)
        #expect(world.run(until: { self.isLinked(world) }, within: 60_000))
        world.give(.send(who: "bob", text: "from ada"), to: 0)
        world.give(.send(who: "ada", text: "from bob"), to: 1)
        world.run(for: 5_000)
        #expect(texts(world, 0).sorted() == ["from ada", "from bob"])
        #expect(texts(world, 0) == texts(world, 1))
    }

    /// Both write, and the link is cut at the frame with a given number; every number is tried.
    @Test func theLinkMayBeLostAtEveryFrameBoundary() throws {
        let quiet = try exchange(seed: 3, cutAt: nil)
        #expect(quiet.framesDelivered > 20)
        for frame in 1...quiet.framesDelivered {
            let world = try exchange(seed: 3, cutAt: frame)
            try expectWhole(world, "cut at frame \(frame)")
        }
    }

    private func exchange(seed: UInt64, cutAt frame: Int?) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: seed)
        world.cutAtFrame = frame
        world.start(0)
        world.start(1)
        #expect(world.run(until: { self.isLinked(world) }, within: 60_000))
        world.give(.send(who: "bob", text: "a0"), to: 0)
        world.run(for: 200)
        world.give(.accept(who: "ada"), to: 1)
        #expect(
            world.run(
                until: {
                    self.texts(world, 1).count == 1
                        || world.nodes[1].answers.values.contains { if case .success = $0 { true } else { false } }
                },
                within: 60_000
            )
        )
        world.give(.accept(who: "ada"), to: 1)
        for number in 1...5 {
            world.give(.send(who: "bob", text: "a\(number)"), to: 0)
            world.give(.send(who: "ada", text: "b\(number)"), to: 1)
            world.run(for: 30)
        }
        world.give(.read(who: "bob"), to: 0)
        world.run(for: 60_000)
        return world
    }

    private func expectWhole(_ world: SimulatedWorld, _ what: String) throws {
        let a = (0...5).map { "a\($0)" }
        let b = (1...5).map { "b\($0)" }
        let shown = texts(world, 0)
        #expect(shown == texts(world, 1), "\(what): both show the same order")
        #expect(shown.filter { $0.hasPrefix("a") } == a, "\(what): Ada's are there once and in order")
        #expect(shown.filter { $0.hasPrefix("b") } == b, "\(what): Bob's are there once and in order")
        #expect(try delivery(world, of: 0)?.delivered.sequence == 6, "\(what): Ada knows that all is delivered")
        #expect(try delivery(world, of: 1)?.delivered.sequence == 5, "\(what): Bob knows that all is delivered")
    }

    /// Random cuts, crashes and messages; in the end both have every accepted message once, in order.
    @Test(arguments: 1...40) func accepted(seed: Int) throws {
        let world = try acquainted(seed: UInt64(seed))
        var random = SeededGenerator(seed: UInt64(seed))
        world.skew = [random.below(2) == 0 ? 0 : 315_360_000_000, random.below(2) == 0 ? 0 : -315_360_000_000]
        var given: [[(CommandID, String)]] = [[], []]
        for number in 0..<120 {
            world.cutOnceIn = number < 100 ? 25 : nil
            let node = Int(random.below(2))
            let text = "\(world.nodes[node].name) \(number)"
            if world.nodes[node].engine != nil {
                given[node].append((world.give(.send(who: node == 0 ? "bob" : "ada", text: text), to: node), text))
            }
            switch random.below(40) {
            case 0: world.crash(node)
            case 1: world.cutAll()
            default: break
            }
            world.run(for: random.below(300))
            if random.below(4) == 0 { for index in 0...1 where world.nodes[index].engine == nil { world.start(index) } }
        }
        world.cutOnceIn = nil
        for index in 0...1 where world.nodes[index].engine == nil { world.start(index) }
        world.run(for: 90_000)
        let shown = texts(world, 0)
        #expect(shown == texts(world, 1), "seed \(seed): the same order at both")
        #expect(Set(shown).count == shown.count, "seed \(seed): nothing twice")
        for node in 0...1 {
            let accepted = given[node].filter { world.nodes[node].answers[$0.0].map(isSuccess) == true }.map(\.1)
            let own = shown.filter { $0.hasPrefix(world.nodes[node].name) }
            #expect(Set(accepted).isSubset(of: own), "seed \(seed): all that was accepted is there")
            #expect(own == given[node].map(\.1).filter { own.contains($0) }, "seed \(seed): in the order given")
            let through = try delivery(world, of: node)
            #expect(
                through?.delivered.sequence == UInt64(own.count + (node == 0 ? 1 : 0)),
                "seed \(seed): all delivered"
            )
        }
    }

    private func isSuccess(_ result: Result<Answer, Refusal>) -> Bool {
        if case .success = result { true } else { false }
    }

    @Test func theSameSeedGivesTheSameRun() throws {
        let first = try exchange(seed: 9, cutAt: 12)
        let second = try exchange(seed: 9, cutAt: 12)
        #expect(first.framesDelivered == second.framesDelivered)
        #expect(first.nodes[0].notices == second.nodes[0].notices)
        #expect(first.nodes[1].engine == second.nodes[1].engine)
    }
}
