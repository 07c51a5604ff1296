import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Islands that only a stick connects, with real engines and disks: whatever happens to the stick, and in whatever order
/// it travels, in the end everybody has everything once, in one order, and every status is true.
@Suite struct IslandTests {
    private static let names = ["ada", "bob", "cyd"]

    private func group(_ world: SimulatedWorld) -> ConversationID? { world.nodes[0].disk.groups.first }

    private func texts(_ world: SimulatedWorld, _ node: Int, _ id: ConversationID) -> [String] {
        world.nodes[node].disk.history(of: id).map(\.text)
    }

    private func between(_ world: SimulatedWorld, _ a: Int, _ b: Int) -> ConversationID {
        ConversationID(direct: world.nodes[a].identity, world.nodes[b].identity)
    }

    /// The stick goes around until everybody has had it often enough.
    private func goAround(_ world: SimulatedWorld, _ stick: inout TestStick, rounds: Int = 4) throws {
        for _ in 0..<rounds {
            for node in world.nodes.indices {
                try stick.takeAll(world, node)
                try stick.outAll(world, node)
            }
        }
    }

    @Test func aGroupIsFoundedAndLivesOnAStick() throws {
        let world = try SimulatedWorld.islands(Self.names, seed: 1)
        var stick = TestStick()
        try goAround(world, &stick, rounds: 2)
        let others = world.nodes.dropFirst().map(\.identity.text)
        world.give(.createGroup(title: "Bridge", who: others, nonce: [UInt8](repeating: 7, count: 16)), to: 0)
        world.run(for: 1_000)
        let id = try #require(group(world))
        world.give(.send(who: id.text, text: "all hands"), to: 0)
        world.run(for: 1_000)
        try goAround(world, &stick, rounds: 1)
        for node in 1...2 {
            #expect(texts(world, node, id).last == "all hands", "\(Self.names[node])")
            world.give(.send(who: id.text, text: "aye, \(Self.names[node])"), to: node)
        }
        world.run(for: 1_000)
        try goAround(world, &stick)
        let all = texts(world, 0, id)
        #expect(all.filter { $0.hasPrefix("aye") }.count == 2)
        for node in 1...2 { #expect(texts(world, node, id) == all) }
        for node in 0...2 {
            let view = try #require(try world.deliveries(of: node).first { $0.conversation == id })
            #expect(view.recipients.allSatisfy { $0.reason == nil }, "\(Self.names[node]) knows that all have it")
        }
    }

    /// Cyd is reached by Bob only, who hands on what Ada wrote, and brings the receipt back.
    @Test func whatOneWroteAnotherBrings() throws {
        let world = try SimulatedWorld.islands(Self.names, seed: 2)
        var stick = TestStick()
        try goAround(world, &stick, rounds: 2)
        let others = world.nodes.dropFirst().map(\.identity.text)
        world.give(.createGroup(title: "Bridge", who: others, nonce: [UInt8](repeating: 7, count: 16)), to: 0)
        world.run(for: 1_000)
        let id = try #require(group(world))
        world.give(.send(who: id.text, text: "by Bob"), to: 0)
        world.run(for: 1_000)
        stick.files = [:]
        for _ in 0..<2 {
            for (a, b) in [(0, 1), (1, 2), (2, 1), (1, 0)] {
                try stick.out(world, from: a, to: b)
                try stick.take(world, b, from: a)
            }
        }
        #expect(texts(world, 2, id).last == "by Bob")
        let view = try #require(try world.deliveries(of: 0).first { $0.conversation == id })
        #expect(view.recipients.count == 2 && view.recipients.allSatisfy { $0.reason == nil })
    }

    /// Bob meets Ada on a network, and Cyd never: he brings Cyd what Ada has sealed for Cyd.
    @Test func aCourierBringsItsEnvelopesByStick() throws {
        let world = try SimulatedWorld.islands(Self.names, seed: 4)
        var stick = TestStick()
        try goAround(world, &stick, rounds: 2)
        for (node, other) in [(0, 1), (1, 0)] {
            world.give(.setCourier(who: world.nodes[other].identity.text, true), to: node)
        }
        world.run(for: 1_000)
        for node in 0...1 { world.stop(node) }
        world.run(for: 1_000)
        world.network.part = [0, 0, 2]
        for node in 0...1 { world.start(node) }
        #expect(try world.run(until: { try world.areLinked(0, 1) }, within: 120_000))
        world.give(.send(who: world.nodes[2].identity.text, text: "sealed"), to: 0)
        #expect(world.run(until: { world.nodes[1].disk.envelopes.count == 1 }, within: 120_000))
        stick.files = [:]
        try stick.out(world, from: 1, to: 2)
        let taken = try stick.take(world, 2, from: 1)
        #expect(taken.reduce(0) { $0 + $1.messages } == 1)
        #expect(texts(world, 2, between(world, 0, 2)) == ["sealed"])
        #expect(try stick.take(world, 2, from: 1).contains(where: \.isNew) == false)
    }

    @Test func somebodyRemovedLearnsNothingMoreFromAStick() throws {
        let world = try SimulatedWorld.islands(Self.names, seed: 3)
        var stick = TestStick()
        try goAround(world, &stick, rounds: 2)
        let others = world.nodes.dropFirst().map(\.identity.text)
        world.give(.createGroup(title: "Bridge", who: others, nonce: [UInt8](repeating: 7, count: 16)), to: 0)
        world.run(for: 1_000)
        let id = try #require(group(world))
        try goAround(world, &stick, rounds: 1)
        world.give(.changeGroup(who: id.text, .remove([world.nodes[2].identity.text])), to: 0)
        world.run(for: 1_000)
        world.give(.send(who: id.text, text: "without Cyd"), to: 0)
        world.run(for: 1_000)
        try goAround(world, &stick, rounds: 2)
        #expect(texts(world, 1, id).last == "without Cyd")
        #expect(!texts(world, 2, id).contains("without Cyd"))
    }

    @Test(arguments: 0..<6) func threeIslandsAgreeWhateverHappensToTheStick(_ number: UInt64) throws {
        let seed = number == 0 ? UInt64.random(in: .min ... .max) : number
        print("seed \(seed) of IslandTests")
        var random = SeededGenerator(seed: seed)
        let world = try SimulatedWorld.islands(Self.names, seed: number + 10)
        var stick = TestStick()
        try goAround(world, &stick, rounds: 2)
        let others = world.nodes.dropFirst().map(\.identity.text)
        world.give(.createGroup(title: "Bridge", who: others, nonce: [UInt8](repeating: 7, count: 16)), to: 0)
        world.run(for: 1_000)
        let id = try #require(group(world))
        var old: [[String: [UInt8]]] = []
        var written: [ConversationID: [String]] = [:]
        for turn in 0..<40 {
            let node = Int.random(in: 0...2, using: &random)
            let other = (node + Int.random(in: 1...2, using: &random)) % 3
            switch Int.random(in: 0..<12, using: &random) {
            case 0...2:
                let isGroup = Bool.random(using: &random) && world.nodes[node].disk.groups.contains(id)
                let place = isGroup ? id : between(world, node, other)
                let text = "\(turn) " + String(repeating: "x", count: Int.random(in: 0...30_000, using: &random))
                world.give(.send(who: isGroup ? id.text : world.nodes[other].identity.text, text: text), to: node)
                written[place, default: []].append(text)
                world.run(for: 500)
            case 3, 4:
                stick.writesLeft = Bool.random(using: &random) ? .max : Int.random(in: 0...2, using: &random)
                try stick.outAll(world, node)
                stick.writesLeft = .max
            case 5, 6: try stick.takeAll(world, node)
            case 7: world.give(.read(who: world.nodes[other].identity.text), to: node)
            case 8: old.append(stick.files)
            // A hostile stick: old files, lost ones, changed ones, and files under wrong names.
            case 9: if let files = old.randomElement(using: &random) { stick.files.merge(files) { $1 } }
            case 10: spoil(&stick, &random)
            default:
                world.crash(node)
                world.start(node, fixed: [])
                world.run(for: 500)
            }
        }
        try goAround(world, &stick, rounds: 5)
        for place in [id, between(world, 0, 1), between(world, 0, 2), between(world, 1, 2)] {
            let holders = world.nodes.indices.filter { world.nodes[$0].disk.conversations.contains { $0.id == place } }
            let histories = holders.map { texts(world, $0, place).filter { $0.first?.isNumber == true } }
            #expect(histories.allSatisfy { $0 == histories[0] }, "one order")
            #expect(histories.first.map { $0.sorted() } == written[place, default: []].sorted(), "each message once")
        }
        for node in world.nodes.indices {
            for view in try world.deliveries(of: node) {
                #expect(view.recipients.allSatisfy { $0.reason == nil }, "\(Self.names[node]): all is delivered")
            }
        }
    }

    private func spoil(_ stick: inout TestStick, _ random: inout SeededGenerator) {
        for name in stick.files.keys.sorted() {
            guard let file = stick.files[name], !file.isEmpty else { continue }
            switch Int.random(in: 0..<6, using: &random) {
            case 0: stick.files[name] = nil
            case 1: stick.files[name] = Array(file.prefix(Int.random(in: 0..<file.count, using: &random)))
            case 2:
                let place = Int.random(in: 0..<file.count, using: &random)
                stick.files[name]?[place] ^= UInt8.random(in: 1...255, using: &random)
            case 3:
                stick.files[name] = stick.files.keys.sorted().randomElement(using: &random).flatMap { stick.files[$0] }
            case 4: stick.files[name] = (0..<random.below(400)).map { _ in UInt8.random(in: 0...255, using: &random) }
            default: break
            }
        }
    }
}
