import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// What a node tells of the files for a stick, and what parcels tell of them (carry.md, "Packing files").
@Suite struct CarriedFileTests {
    private let ada = 0
    private let bob = 1

    /// Ada and Bob, on two islands, with each other's keys.
    private func acquainted(_ seed: UInt64) throws -> (SimulatedWorld, TestStick) {
        let world = try SimulatedWorld.islands(["ada", "bob"], seed: seed)
        var stick = TestStick()
        try stick.out(world, from: ada, to: bob)
        try stick.take(world, bob, from: ada)
        try stick.out(world, from: bob, to: ada)
        try stick.take(world, ada, from: bob)
        return (world, stick)
    }

    private func carriage(_ world: SimulatedWorld, _ node: Int, for other: Int) throws -> CarriageView {
        let id = world.give(.carriage(who: world.nodes[other].identity.text), to: node)
        #expect(world.run(until: { world.nodes[node].answers[id] != nil }, within: 60_000))
        let answer = try #require(world.nodes[node].answers[id]).get()
        guard case .carriage(let view) = answer else { throw EngineBench.Unexpected(what: "no carriage") }
        return view
    }

    private func send(_ world: SimulatedWorld, _ content: [UInt8], _ from: Int, to: Int) throws -> CarriedFile {
        let file = try SealedFileTests.carried(content)
        let mention = FileMention(file: file.file, name: "pump.pdf", size: file.size)
        world.give(.send(who: world.nodes[to].identity.text, text: "look", files: [mention]), to: from)
        world.run(for: 1_000)
        return file
    }

    @Test func aParcelTellsOfFilesAndOfTheirKeysToItsRecipientAlone() throws {
        var (world, stick) = try acquainted(11)
        var file = try send(world, [1, 2, 3], ada, to: bob)
        let view = try carriage(world, ada, for: bob)
        let direct = ConversationID(direct: world.nodes[ada].identity, world.nodes[bob].identity)
        #expect(view.peer == world.nodes[bob].identity && view.reached.keys.map(\.conversation) == [direct])
        #expect(view.reached.keys.map(\.log.author) == [world.nodes[ada].identity] && Array(view.reached.values) == [0])
        file.key = try #require(view.secret?.key(of: file.file, size: file.size))
        stick.sealed = [file]
        #expect(try stick.out(world, from: ada, to: bob).map(\.messages) == [1])
        let name = TestStick.name(world, from: ada, to: bob, slot: 0)
        let parcel = try #require(stick.files[name])
        for secret in [file.file.bytes, file.key.bytes, file.key.mark] { #expect(parcel.firstRange(of: secret) == nil) }
        #expect(try stick.take(world, bob, from: ada).map(\.files) == [[file]])
        // The same keys as long as the day is the same, so the stick stays as it is.
        #expect(try carriage(world, ada, for: bob).secret == view.secret)
        #expect(try stick.out(world, from: ada, to: bob).map(\.action) == [.keep])
        // Packed without files it tells of none.
        stick.sealed = []
        try stick.out(world, from: ada, to: bob)
        #expect(stick.files[name] != parcel)
        #expect(try stick.take(world, bob, from: ada).map(\.files) == [[]])
    }

    @Test func whatTheRecipientHasIsNotPackedAgain() throws {
        var (world, stick) = try acquainted(12)
        _ = try send(world, [1, 2, 3], ada, to: bob)
        try stick.out(world, from: ada, to: bob)
        try stick.take(world, bob, from: ada)
        try stick.out(world, from: bob, to: ada)
        try stick.take(world, ada, from: bob)
        #expect(try carriage(world, ada, for: bob).reached.isEmpty)
        #expect(try carriage(world, bob, for: ada).reached.isEmpty, "Bob has written nothing")
        _ = try send(world, [4], ada, to: bob)
        #expect(try carriage(world, ada, for: bob).reached.values.map { $0 } == [1])
    }

    @Test func anotherDayHasOtherKeysAndWithoutKeysThereAreNone() throws {
        let (world, _) = try acquainted(13)
        let today = try #require(try carriage(world, ada, for: bob).secret)
        world.run(for: Limits.prekeyMilliseconds + Limits.clockSkewMilliseconds)
        let tomorrow = try #require(try carriage(world, ada, for: bob).secret)
        #expect(today != tomorrow)
        world.run(for: Limits.prekeyKeptMilliseconds)
        #expect(try carriage(world, ada, for: bob).secret == nil, "Bob's key has expired")
        let other = try SimulatedWorld.islands(["ada", "bob"], seed: 14)
        #expect(try carriage(other, ada, for: bob).secret == nil, "no keys yet")
    }

    @Test func aListThatDoesNotFitGoesOnInTheNextParcel() throws {
        var (world, stick) = try acquainted(15)
        let text = String(repeating: "x", count: 60_000)
        for _ in 0..<4 {
            world.give(.send(who: world.nodes[bob].identity.text, text: text), to: ada)
            world.run(for: 1_000)
        }
        stick.sealed = try (0..<Limits.sealedFileSlots).map { try SealedFileTests.carried([UInt8($0)], slot: $0) }
        #expect(try stick.out(world, from: ada, to: bob).count > 1)
        let taken = try stick.take(world, bob, from: ada)
        #expect(taken.flatMap(\.files) == stick.sealed && taken.reduce(0) { $0 + $1.messages } == 4)
    }

    @Test func nobodyChoosesForAStranger() throws {
        let (world, _) = try acquainted(16)
        world.give(.block(who: world.nodes[bob].identity.text), to: ada)
        world.run(for: 1_000)
        #expect(throws: Refusal.self) { try carriage(world, ada, for: bob) }
    }
}
