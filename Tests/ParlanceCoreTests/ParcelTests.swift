import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// A stick between two people whom no network connects: what is packed, taken, ignored, and told.
@Suite struct ParcelTests {
    private let ada = 0
    private let bob = 1

    private func texts(_ world: SimulatedWorld, _ node: Int, with other: Int) -> [String] {
        let id = ConversationID(direct: world.nodes[node].identity, world.nodes[other].identity)
        return world.nodes[node].disk.history(of: id).map(\.text)
    }

    private func write(_ world: SimulatedWorld, _ text: String, _ from: Int, to: Int) {
        world.give(.send(who: world.nodes[to].identity.text, text: text), to: from)
        world.run(for: 1_000)
    }

    private func delivered(_ world: SimulatedWorld, _ from: Int, to: Int) throws -> UInt64 {
        let id = ConversationID(direct: world.nodes[from].identity, world.nodes[to].identity)
        let view = try world.deliveries(of: from).first { $0.conversation == id }
        return view?.logs.first { $0.isWritten }?.progress.first?.delivered.sequence ?? 0
    }

    private func read(_ world: SimulatedWorld, _ from: Int, to: Int) throws -> UInt64 {
        let id = ConversationID(direct: world.nodes[from].identity, world.nodes[to].identity)
        let view = try world.deliveries(of: from).first { $0.conversation == id }
        return view?.logs.first { $0.isWritten }?.progress.first?.read.sequence ?? 0
    }

    /// Ada and Bob, on two islands, with each other's keys.
    private func acquainted(_ seed: UInt64, _ names: [String] = ["ada", "bob"]) throws -> (SimulatedWorld, TestStick) {
        let world = try SimulatedWorld.islands(names, seed: seed)
        var stick = TestStick()
        #expect(try stick.out(world, from: ada, to: bob).map(\.isSealed) == [false], "no keys yet")
        #expect(try stick.take(world, bob, from: ada).map(\.outcome) == [.keysOnly])
        #expect(try stick.out(world, from: bob, to: ada).map(\.isSealed) == [true])
        #expect(try stick.take(world, ada, from: bob).map(\.outcome) == [.keysOnly], "there is nothing to seal")
        return (world, stick)
    }

    @Test func aMessageAndItsReceiptCrossOnAStick() throws {
        var (world, stick) = try acquainted(1)
        write(world, "the pump is dry", ada, to: bob)
        let packed = try stick.out(world, from: ada, to: bob)
        #expect(packed.map(\.messages) == [1] && packed.last?.next == .end)
        let file = try #require(stick.files[TestStick.name(world, from: ada, to: bob, slot: 0)])
        for secret in [Array("pump".utf8), world.nodes[ada].identity.bytes, world.nodes[bob].identity.bytes] {
            #expect(file.firstRange(of: secret) == nil, "the file tells nobody what and for whom")
        }
        #expect(try delivered(world, ada, to: bob) == 0, "a stick is nobody's device")
        let taken = try stick.take(world, bob, from: ada)
        #expect(taken.map(\.messages) == [1] && texts(world, bob, with: ada) == ["the pump is dry"])
        world.give(.read(who: world.nodes[ada].identity.text), to: bob)
        world.run(for: 1_000)
        try stick.out(world, from: bob, to: ada)
        #expect(try delivered(world, ada, to: bob) == 0)
        #expect(try stick.take(world, ada, from: bob).map(\.receipts) == [2])
        #expect(try delivered(world, ada, to: bob) == 1 && read(world, ada, to: bob) == 1)
        let next = try stick.out(world, from: ada, to: bob)
        #expect(next.map(\.messages) == [0], "what is delivered is not packed again")
    }

    @Test func bothDirectionsMayBeRepeated() throws {
        var (world, stick) = try acquainted(2)
        for number in 1...3 { write(world, "message \(number)", ada, to: bob) }
        try stick.out(world, from: ada, to: bob)
        let before = stick.files
        #expect(try stick.out(world, from: ada, to: bob).map(\.action) == [.keep])
        #expect(stick.files == before, "the file stays as it is")
        #expect(try stick.take(world, bob, from: ada).map(\.messages) == [3])
        #expect(try stick.take(world, bob, from: ada).contains(where: \.isNew) == false)
        #expect(texts(world, bob, with: ada) == ["message 1", "message 2", "message 3"])
        // An old file on the stick takes nothing back.
        write(world, "message 4", ada, to: bob)
        try stick.out(world, from: ada, to: bob)
        try stick.take(world, bob, from: ada)
        stick.files = before
        #expect(try stick.take(world, bob, from: ada).contains(where: \.isNew) == false)
        #expect(texts(world, bob, with: ada).count == 4)
    }

    @Test func longHistoriesTakeSeveralFilesAndAnInterruptionHarmsNothing() throws {
        var (world, stick) = try acquainted(3)
        let text = String(repeating: "x", count: 60_000)
        for number in 1...20 { write(world, "\(number) \(text)", ada, to: bob) }
        stick.writesLeft = 2
        try stick.out(world, from: ada, to: bob)
        let first = try stick.take(world, bob, from: ada)
        let arrived = texts(world, bob, with: ada).count
        #expect(first.count == 2 && arrived > 1 && arrived < 20)
        stick.writesLeft = .max
        let packed = try stick.out(world, from: ada, to: bob)
        #expect(packed.count > 3 && packed.last?.next == .end)
        #expect(packed.reduce(0) { $0 + $1.messages } == 20)
        // A file in the middle is gone: what follows waits for it.
        let second = TestStick.name(world, from: ada, to: bob, slot: 2)
        let lost = stick.files.removeValue(forKey: second)
        #expect(lost != nil && stick.files.count > 3)
        #expect(try stick.take(world, bob, from: ada).contains { $0.problems == [.gap] })
        stick.files[second] = lost
        try stick.take(world, bob, from: ada)
        #expect(texts(world, bob, with: ada).map { String($0.split(separator: " ")[0]) } == (1...20).map { "\($0)" })
        try stick.out(world, from: bob, to: ada)
        try stick.take(world, ada, from: bob)
        #expect(try delivered(world, ada, to: bob) == 20)
        try stick.out(world, from: ada, to: bob)
        let files = (0..<Limits.parcelSlots).filter {
            stick.files[TestStick.name(world, from: ada, to: bob, slot: $0)] != nil
        }
        #expect(files == [0], "files that are of no more use are removed")
    }

    /// What somebody told on a link that it holds is not counted as new, whoever wrote it.
    @Test func onlyWhatIsNewForTheOtherIsCounted() throws {
        let (world, _) = try GroupTests.world(3)
        world.give(.accept(who: world.nodes[bob].identity.text), to: ada)
        for index in 0..<3 { world.give(.send(who: "Bridge", text: "from \(index)"), to: index) }
        world.run(for: 120_000)
        world.stop(bob)
        world.run(for: 10_000)
        var stick = TestStick()
        let before = try stick.out(world, from: ada, to: bob)
        #expect(before.allSatisfy(\.isSealed) && before.reduce(0) { $0 + $1.messages } == 0)
        world.give(.send(who: "Bridge", text: "while Bob is away"), to: ada)
        world.run(for: 1_000)
        #expect(try stick.out(world, from: ada, to: bob).reduce(0) { $0 + $1.messages } == 1)
    }

    @Test func whatIsNoParcelForThisNodeHasNoEffect() throws {
        var (world, stick) = try acquainted(4, ["ada", "bob", "eve"])
        let eve = 2
        write(world, "for Bob", ada, to: bob)
        try stick.out(world, from: ada, to: bob)
        let name = TestStick.name(world, from: ada, to: bob, slot: 0)
        let file = try #require(stick.files[name])
        // Any byte changed, any end cut off, something behind it, another slot, another author.
        for index in file.indices {
            var changed = file
            changed[index] ^= 1 << UInt8(index % 8)
            stick.files[name] = changed
            guard index % 7 == 0 || index < 200 else { continue }
            #expect(try stick.take(world, bob, from: ada).map(\.outcome) == [.damaged], "byte \(index)")
        }
        for count in stride(from: 0, to: file.count, by: 13) {
            stick.files[name] = Array(file[..<count])
            #expect(try stick.take(world, bob, from: ada).map(\.outcome) == [.damaged], "\(count) bytes")
        }
        stick.files = [TestStick.name(world, from: ada, to: bob, slot: 1): file]
        #expect(try stick.take(world, bob, from: ada).map(\.outcome) == [.damaged])
        stick.files = [TestStick.name(world, from: eve, to: bob, slot: 0): file]
        #expect(try stick.take(world, bob, from: eve).map(\.outcome) == [.damaged])
        stick.files = [TestStick.name(world, from: ada, to: eve, slot: 0): file]
        #expect(try stick.take(world, eve, from: ada).map(\.outcome) == [.damaged])
        stick.files = [name: [UInt8](repeating: 0, count: Limits.parcelBytes + 1)]
        #expect(try stick.take(world, bob, from: ada).map(\.outcome) == [.damaged])
        #expect(texts(world, bob, with: ada).isEmpty)
        stick.files = [name: file]
        #expect(try stick.take(world, bob, from: ada).map(\.outcome) == [.taken])
        #expect(texts(world, bob, with: ada) == ["for Bob"])
    }

    @Test func nobodyPacksForOrTakesFromAStranger() throws {
        var (world, stick) = try acquainted(5)
        write(world, "hello", ada, to: bob)
        try stick.out(world, from: ada, to: bob)
        world.give(.block(who: world.nodes[ada].identity.text), to: bob)
        world.run(for: 1_000)
        #expect(throws: Refusal.self) { try stick.take(world, bob, from: ada) }
        #expect(throws: Refusal.self) { try stick.out(world, from: bob, to: ada) }
        #expect(texts(world, bob, with: ada).isEmpty)
    }

    /// No link refuses those whom the workspace left out where files are carried by hand.
    @Test func nothingIsCarriedToOrFromWhomTheWorkspaceLeftOut() throws {
        var (world, stick) = try acquainted(8)
        func key(_ number: UInt8) -> WorkspaceKey {
            WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
        }
        world.give(.workspace(.join(name: "Ship", key(1))), to: ada)
        write(world, "for everybody", ada, to: bob)
        write(world, "from outside", bob, to: ada)
        try stick.out(world, from: bob, to: ada)
        world.give(.workspace(.rotate(key(2), without: [world.nodes[bob].identity.text])), to: ada)
        world.run(for: 1_000)
        #expect(throws: Refusal.self) { try stick.out(world, from: ada, to: bob) }
        #expect(throws: Refusal.self) { try stick.take(world, ada, from: bob) }
        #expect(texts(world, ada, with: bob) == ["for everybody"])
    }

    @Test func afterSevenDaysAFileCannotBeOpened() throws {
        var (world, stick) = try acquainted(6)
        write(world, "too late", ada, to: bob)
        try stick.out(world, from: ada, to: bob)
        world.run(for: Limits.prekeyKeptMilliseconds + 1)
        #expect(try stick.take(world, bob, from: ada).map(\.outcome) == [.unreadable])
        // New keys, and the message comes.
        #expect(try stick.out(world, from: ada, to: bob).map(\.isSealed) == [false])
        try stick.take(world, bob, from: ada)
        try stick.out(world, from: bob, to: ada)
        try stick.take(world, ada, from: bob)
        try stick.out(world, from: ada, to: bob)
        try stick.take(world, bob, from: ada)
        #expect(texts(world, bob, with: ada) == ["too late"])
    }

    @Test func aRestoredCopyLeavesWhatTheOriginalPacked() throws {
        var (world, stick) = try acquainted(7)
        world.backUp(ada)
        write(world, "before the loss", ada, to: bob)
        try stick.out(world, from: ada, to: bob)
        let original = stick.files
        world.crash(ada)
        world.restore(ada)
        world.start(ada, fixed: [])
        world.run(for: 1_000)
        write(world, "after the loss", ada, to: bob)
        let packed = try stick.out(world, from: ada, to: bob)
        let name = TestStick.name(world, from: ada, to: bob, slot: 0)
        #expect(stick.files[name] == original[name])
        #expect(packed.first?.action == .leave)
        try stick.takeAll(world, bob)
        #expect(Set(texts(world, bob, with: ada)) == ["before the loss", "after the loss"])
    }

    @Test func whatADiskRefusesIsNotAnswered() throws {
        var (world, stick) = try acquainted(8)
        write(world, "hello", ada, to: bob)
        try stick.out(world, from: ada, to: bob)
        world.nodes[bob].trouble.failures = 1
        #expect(throws: Refusal.self) { try stick.take(world, bob, from: ada) }
        #expect(texts(world, bob, with: ada).isEmpty)
        try stick.take(world, bob, from: ada)
        #expect(texts(world, bob, with: ada) == ["hello"])
        world.nodes[bob].trouble.failures = 1
        #expect(throws: Refusal.self) { try stick.out(world, from: bob, to: ada) }
        world.nodes[ada].trouble.failedReads = 1
        write(world, "again", ada, to: bob)
        #expect(throws: Refusal.self) { try stick.out(world, from: ada, to: bob) }
        try stick.out(world, from: ada, to: bob)
        try stick.take(world, bob, from: ada)
        #expect(texts(world, bob, with: ada) == ["hello", "again"])
    }

    // Another branch.

    /// Ada's store is rolled back, and she goes on with something else. Of what she packs then Bob holds nothing,
    /// though he holds more of her log.
    @Test func whatIsOfAnotherBranchIsNotSaidToBeTaken() throws {
        var (world, stick) = try acquainted(9)
        write(world, "common", ada, to: bob)
        world.backUp(ada)
        write(world, "lost 1", ada, to: bob)
        try stick.out(world, from: ada, to: bob)
        let before = stick.files
        write(world, "lost 2", ada, to: bob)
        try stick.out(world, from: ada, to: bob)
        try stick.take(world, bob, from: ada)
        world.crash(ada)
        world.restore(ada, isUnseen: true)
        world.start(ada, fixed: [])
        world.run(for: 1_000)
        for text in ["other 1", "other 2", "other 3"] {
            write(world, text, ada, to: bob)
            try stick.out(world, from: ada, to: bob)
            let taken = try stick.take(world, bob, from: ada)
            #expect(taken.map(\.problems) == [[.forked]] && !taken.contains(where: \.isNew), "up to \(text)")
        }
        #expect(texts(world, bob, with: ada) == ["common", "lost 1", "lost 2"])
        let after = stick.files
        stick.files = before
        #expect(try stick.take(world, bob, from: ada).map(\.problems) == [[]], "an old file of what he holds")
        // Once a link has brought the other branch, he holds what is in either file.
        for node in [ada, bob] { world.stop(node) }
        world.run(for: 1_000)
        world.network.part = [0, 0]
        for node in [ada, bob] { world.start(node) }
        let all = ["common", "lost 1", "lost 2", "other 1", "other 2", "other 3"]
        // A line without a text tells of the fork.
        #expect(world.run(until: { all.allSatisfy(texts(world, bob, with: ada).contains) }, within: 600_000))
        world.run(for: 10_000)
        for files in [before, after] {
            stick.files = files
            let taken = try stick.take(world, bob, from: ada)
            #expect(taken.map(\.problems) == [[]] && !taken.contains(where: \.isNew), "he holds both branches")
        }
    }

    @Test func whatADiskDoesNotReadIsNotCompared() throws {
        var (world, stick) = try acquainted(10)
        write(world, "first", ada, to: bob)
        try stick.out(world, from: ada, to: bob)
        let before = stick.files
        write(world, "second", ada, to: bob)
        try stick.out(world, from: ada, to: bob)
        try stick.take(world, bob, from: ada)
        stick.files = before
        world.nodes[bob].trouble.failedReads = 1
        #expect(throws: Refusal.self) { try stick.take(world, bob, from: ada) }
        world.nodes[bob].trouble.emptyReads = 1
        #expect(throws: Refusal.self) { try stick.take(world, bob, from: ada) }
        #expect(try stick.take(world, bob, from: ada).map(\.problems) == [[]])
    }

    /// Without the author's signature nobody says that the author goes on in two branches.
    @Test func anEventThatItsAuthorHasNotSignedShowsNoBranch() throws {
        var (world, stick) = try acquainted(11)
        for text in ["first", "second", "third"] { write(world, text, ada, to: bob) }
        try stick.out(world, from: ada, to: bob)
        try stick.take(world, bob, from: ada)
        let name = TestStick.name(world, from: ada, to: bob, slot: 0)
        let (author, reader) = (world.nodes[ada], world.nodes[bob])
        let file = try #require(stick.files[name].flatMap { WireParcel(decoding: $0) })
        var content = try #require(file.open(from: author.identity, to: reader.identity, slot: 0))
        var envelope = content.envelope
        envelope.recipient = Data(reader.identity.bytes)
        let key = try #require(PrekeyID(envelope.prekey).flatMap { reader.disk.prekeys[$0] })
        var load = try #require(
            envelope.unseal(prekey: key, oneTime: nil).flatMap { WireParcelLoad(decoding: $0) }
        )
        // The second event with another time: no signature is valid for it.
        var run = try #require(load.runs.first)
        var second = try #require(run.events.dropFirst().first)
        var header = try EventHeader(decoding: [UInt8](second.header))
        header.time = EventTime(raw: header.time.raw + 1)
        second.header = Data(header.encoded())
        run.events = [second]
        load.runs = [run]
        let sealed = WireEnvelope.seal(
            load.encodedBytes(),
            to: reader.identity,
            prekey: [UInt8](envelope.prekey),
            oneTime: [],
            ephemeral: SecretBytes(copying: [UInt8](repeating: 78, count: 32)),
            expires: Int64(clamping: envelope.expires)
        )
        content.envelope = try #require(sealed)
        content.envelope.recipient = Data()
        stick.files[name] =
            WireParcel.seal(content, to: reader.identity, slot: 0, from: author.identity, with: author.signer)
            .encodedBytes()
        #expect(try stick.take(world, bob, from: ada).map(\.problems) == [[.refused]])
    }
}
