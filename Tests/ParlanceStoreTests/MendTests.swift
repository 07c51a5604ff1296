import Foundation
import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceWire
import Synchronization
import Testing

@testable import ParlanceStore

/// A disk returns a message with other bits than were written.
@Suite struct MendTests {
    /// A direct conversation of two logs, each event with its author's signature.
    private final class Scene {
        let test: TestStore
        let log: LogID
        let conversation: ConversationID
        private(set) var events: [StoredEvent] = []
        let mended = Gathered()

        init(_ random: inout SeededGenerator) throws {
            test = try TestStore(&random)
            let key = try SigningKey(seed: SecretBytes(copying: random.bytes(32)))
            let author = try #require(PeerID(key.publicKey))
            log = LogID(author: author, replica: random.replica())
            conversation = ConversationID(direct: test.me, author)
            var writer = LogWriter(conversation, log)
            for number in 0..<60 {
                let length = random.chance(20) ? 3_000 : Int.random(in: 1...200, using: &random)
                writer.say("text \(number) " + String(repeating: "x", count: length))
                if number % 7 == 3, let target = writer.reference { writer.edit(target, "edited \(number)") }
                if number % 11 == 5, let target = writer.reference { writer.react(to: target, "👍") }
            }
            events = writer.events.map { event in
                var signed = event
                signed.signature = HeadSeal.sign(event.id, with: key)
                return signed
            }
            let record = ConversationRecord(id: conversation, kind: .direct(author))
            try test.persist(conversations: [record], events)
            test.store.whenMended { [mended] in mended.add($0) }
        }

        /// What a person, and a peer, get of all that was written.
        func read() throws -> (shown: [ShownMessage], events: [StoredEvent]) {
            let request = ReadRequest(
                conversation: conversation,
                log: log,
                from: 1,
                through: .max,
                byteLimit: .max
            )
            return (try test.store.history(conversation, limit: 500), try test.store.signedEvents(request))
        }

        /// Changes bits of a column of an event.
        func damage(_ column: String, of sequence: UInt64, bits: Int, _ random: inout SeededGenerator) throws {
            let select = "SELECT \(column) FROM event WHERE sequence = ?"
            let places = Int64(sequence)
            var bytes = try test.store.read { db in
                try Data.fetchOne(db, sql: select, arguments: [places]).map { [UInt8]($0) } ?? []
            }
            var changed: Set<Int> = []
            while changed.count < min(bits, bytes.count * 8) {
                changed.insert(Int.random(in: 0..<bytes.count * 8, using: &random))
            }
            for bit in changed { bytes[bit / 8] ^= 1 << UInt8(bit % 8) }
            let written = Data(bytes)
            try test.store.write { _, db in
                try db.execute(
                    sql: "UPDATE event SET \(column) = ? WHERE sequence = ?",
                    arguments: [written, places]
                )
            }
        }

        /// A peer sends the texts that are missing.
        func receiveMissing() throws -> PersistReceipt {
            var batch = PersistBatch(id: BatchID(7))
            batch.damaged = [LogKey(conversation, log)]
            let told = try test.store.persist(batch).missing
            let missing = told.first?.sequences ?? []
            batch = PersistBatch(id: BatchID(8))
            batch.bodies = events.filter { missing.contains($0.header.sequence) }.compactMap(\.found)
            #expect(batch.bodies.count == missing.count)
            return try test.store.persist(batch)
        }
    }

    /// What the store has told of what it mended.
    private final class Gathered: Sendable {
        private let all = Mutex<[MendedEvent]>([])

        func add(_ mended: [MendedEvent]) { all.withLock { $0 += mended } }

        func take() -> [MendedEvent] { all.withLock { exchange(&$0, with: []) } }
    }

    /// Whatever bits change, in whatever column: the message is named, is not shown as it is, and comes back.
    @Test func twoHundredFlipsAreFoundAndRepaired() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("flips: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let scene = try Scene(&random)
        let whole = try scene.read()
        var lost = 0
        for round in 0..<200 {
            let event = try #require(scene.events.randomElement(using: &random))
            let column = try #require(["id", "header", "body", "signature"].randomElement(using: &random))
            // A text with several wrong bits comes from a peer; of other parts one bit is found by its hash.
            let isText = column == "body" && [.message, .edit].contains(event.header.kind)
            let bits = isText ? Int.random(in: 1...4, using: &random) : 1
            let about: Comment = "seed \(seed), round \(round): \(bits) bits of \(column) of \(event.header.sequence)"
            try scene.damage(column, of: event.header.sequence, bits: bits, &random)
            let read = try scene.read()
            let mended = scene.mended.take()
            #expect(mended.map(\.sequence) == [event.header.sequence], about)
            #expect(mended.first?.conversation == scene.conversation && mended.first?.log == scene.log, about)
            guard mended.first?.isTextLost == true else {
                #expect(read.shown == whole.shown && read.events == whole.events, about)
                continue
            }
            lost += 1
            #expect(isText, about)
            let others = whole.events.filter { $0.header.sequence != event.header.sequence }
            #expect(read.events.filter { $0.header.sequence != event.header.sequence } == others, about)
            #expect(read.events.first { $0.header.sequence == event.header.sequence }?.body == nil, about)
            let receipt = try scene.receiveMissing()
            #expect(receipt.missing.map(\.sequences) == [[]], about)
            let again = try scene.read()
            #expect(again.shown == whole.shown && again.events == whole.events, about)
            #expect(scene.mended.take().isEmpty, about)
        }
        #expect(lost > 10 && lost < 190, "seed \(seed): \(lost) came from a peer")
        #expect(scene.test.store.damaged.all == 200 && scene.test.store.damaged.textsLost == lost)
        try scene.test.reopen()
        let reopened = try scene.read()
        #expect(reopened.shown == whole.shown && reopened.events == whole.events)
    }

    /// A header of which too much has changed cannot be guessed: the store says that it is damaged.
    @Test func aHeaderThatIsBeyondRepairIsAnError() throws {
        var random = SeededGenerator(seed: 7)
        let scene = try Scene(&random)
        try scene.damage("header", of: 5, bits: 3, &random)
        let error = #expect(throws: StoreError.self) { try scene.read() }
        #expect(error?.code == .fatal)
    }

    /// A signature of which too much has changed is dropped: a later one covers the event.
    @Test func aSignatureThatIsBeyondRepairIsDropped() throws {
        var random = SeededGenerator(seed: 9)
        let scene = try Scene(&random)
        var whole = try scene.read()
        try scene.damage("signature", of: 5, bits: 4, &random)
        let read = try scene.read()
        whole.events[4].signature = nil
        #expect(read.shown == whole.shown && read.events == whole.events)
        let mended = scene.mended.take()
        #expect(mended.map(\.sequence) == [5] && mended.allSatisfy { !$0.isTextLost })
    }

    /// The log is told as lacking the text even if the next batch has a branch of another log.
    @Test func theTextIsToldToBeMissingWithABranchToo() throws {
        var random = SeededGenerator(seed: 10)
        let scene = try Scene(&random)
        try scene.damage("body", of: 5, bits: 4, &random)
        _ = try scene.read()
        #expect(scene.mended.take().map(\.isTextLost) == [true])
        var batch = PersistBatch(id: BatchID(9))
        batch.damaged = [LogKey(scene.conversation, scene.log)]
        var fork = LogWriter(scene.conversation, scene.log)
        fork.say("another beginning")
        let first = try #require(fork.events.first)
        batch.branches = [
            BranchRecord(
                conversation: scene.conversation,
                log: LogID(branchOf: scene.log, first: first.id),
                parent: scene.log,
                base: .start,
                first: first.id,
                proof: first.headerBytes
            )
        ]
        #expect(try scene.test.store.persist(batch).missing.flatMap(\.sequences) == [5])
    }

    /// Several damaged messages are mended at once.
    @Test func manyAreMendedInOneRead() throws {
        var random = SeededGenerator(seed: 8)
        let scene = try Scene(&random)
        let whole = try scene.read()
        for sequence in stride(from: UInt64(2), through: 40, by: 2) {
            try scene.damage("header", of: sequence, bits: 1, &random)
            try scene.damage("signature", of: sequence, bits: 1, &random)
        }
        let read = try scene.read()
        #expect(read.shown == whole.shown && read.events == whole.events)
        #expect(scene.mended.take().map(\.sequence) == Array(stride(from: 2, through: 40, by: 2)))
    }
}
