import ParlanceRecords
import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceCore

/// When watermarks rise, and when one goes back.
@Suite struct MarksTests {
    private let log: LogID
    private let own: OwnNode
    private let bob: PeerID

    init() throws {
        let identity = try EngineBench.peer(1)
        own = OwnNode(
            identity: identity,
            replica: EngineBench.ownReplica,
            signer: try EngineBench.key(1),
            listeningPort: 0
        )
        bob = try EngineBench.peer(2)
        log = LogID(author: bob, replica: EngineBench.replica(2))
    }

    private var conversation: ConversationID { ConversationID(direct: own.identity, bob) }

    private func turn() -> Turn { Turn(own, seed: 1, at: Instant(monotonic: 0, wall: 1_000)) }

    private func key(_ member: PeerID, _ replica: ReplicaID, _ level: WatermarkLevel = .read) -> WatermarkRecord.Key {
        WatermarkRecord.Key(
            conversation: conversation,
            member: member,
            replica: replica,
            log: log,
            level: level
        )
    }

    private func position(_ sequence: UInt64) throws -> LogPosition {
        LogPosition(sequence: sequence, head: try #require(EventID([UInt8](repeating: UInt8(sequence), count: 32))))
    }

    @Test func aMarkOnlyGoesUpAndEachStepIsARow() throws {
        var (marks, turn) = (Marks(in: conversation), turn())
        let key = key(bob, EngineBench.replica(2))
        for (sequence, rises) in [(3, true), (3, false), (2, false), (5, true)] as [(UInt64, Bool)] {
            let rose = marks.raise(key, to: try position(sequence), signature: nil, &turn)
            #expect(rose == rises, "to \(sequence)")
        }
        #expect(marks.through(key) == 5)
        #expect(turn.batch.watermarks[key]?.position.sequence == 5)
        #expect(marks.reached(log, by: bob, at: .delivered).sequence == 5, "read is delivered, too")
        #expect(marks.reached(log, by: own.identity, at: .delivered) == .start)
    }

    @Test func ofManyCopiesTheFurthestAreKept() throws {
        var (marks, turn) = (Marks(in: conversation), turn())
        for number in 1...UInt8(Limits.copiesPerMember) {
            let key = key(bob, EngineBench.replica(number))
            let rose = marks.raise(key, to: try position(UInt64(number) + 1), signature: nil, &turn)
            #expect(rose)
        }
        let late = key(bob, EngineBench.replica(200))
        let isKept = marks.raise(late, to: try position(1), signature: nil, &turn)
        #expect(!isKept, "all others are further")
        let isKeptFurther = marks.raise(late, to: try position(9), signature: nil, &turn)
        #expect(isKeptFurther)
        #expect(marks.count == Limits.copiesPerMember)
        let gone = key(bob, EngineBench.replica(1))
        #expect(marks[gone] == nil)
        #expect(turn.batch.watermarks[gone]?.position == .start, "the row of the one that went goes, too")
    }

    @Test func whatWasReadOfABranchStaysRead() throws {
        var (marks, turn) = (Marks(in: conversation), turn())
        let mine = key(own.identity, own.replica)
        let theirs = key(bob, EngineBench.replica(2))
        for key in [mine, theirs] { _ = marks.raise(key, to: try position(8), signature: [1], &turn) }
        let branch = LogID(author: bob, replica: EngineBench.replica(77))
        marks.clamp(log, to: try position(5), moving: branch, &turn)
        #expect(marks.through(mine) == 5)
        #expect(marks.through(theirs) == 5)
        #expect(marks[theirs]?.signature == nil, "nobody has signed that")
        let signature = try #require(marks[mine]?.signature)
        let bytes = WatermarkSeal.bytes(mine, try position(5))
        #expect(Ed25519.verify(signature, of: bytes, by: own.identity.bytes))
        var moved = mine
        moved.log = branch
        #expect(marks.through(moved) == 8)
        #expect(marks.count == 3, "what others read of the branch is found out anew")
    }

    /// What a member has reached is what a look at all marks says, whatever was raised, clamped and taken back.
    @Test(arguments: 1...20) func theIndexSaysWhatAScanOfAllMarksSays(seed: UInt64) throws {
        var (marks, turn, random) = (Marks(in: conversation), turn(), SeededGenerator(seed: seed))
        func pick<T>(_ choices: [T]) -> T { choices[Int(random.below(Int64(choices.count)))] }
        let logs = (1...3).map { LogID(author: bob, replica: EngineBench.replica($0)) }
        for _ in 0..<300 {
            let level: WatermarkLevel = pick([.delivered, .read])
            var key = key(pick([bob, own.identity]), EngineBench.replica(UInt8(1 + random.below(40))), level)
            key.log = pick(logs)
            let place = try position(UInt64(1 + random.below(9)))
            switch random.below(8) {
            case 0: marks.clamp(key.log, to: place, moving: pick([nil, pick(logs)]), &turn)
            case 1: marks.takeBack(key, to: random.below(2) == 0 ? nil : marks[key])
            default: _ = marks.raise(key, to: place, signature: nil, &turn)
            }
            #expect(marks.values.map(\.key) == marks.values.map(\.key).sorted(), "seed \(seed)")
            // An expectation of each would take most of the time.
            let wrong = logs.flatMap { log in [bob, own.identity].map { (log, $0) } }.filter { log, member in
                let all = marks.values.filter { $0.key.log == log && $0.key.member == member }
                let most = all.filter { $0.key.level >= level }.map(\.position.sequence).max() ?? 0
                return marks.reached(log, by: member, at: level).sequence != most
                    || all.contains { marks[$0.key] != $0 }
                    || marks.of(log, by: member) != all.sorted { $0.key < $1.key }
            }
            #expect(wrong.isEmpty, "seed \(seed)")
        }
    }

    @Test func aFailedDiskTakesBackWhatThisNodeHasRead() throws {
        var (marks, turn) = (Marks(in: conversation), turn())
        let mine = key(own.identity, own.replica)
        _ = marks.raise(mine, to: try position(3), signature: nil, &turn)
        #expect(turn.batch.readBefore[mine] == .some(nil))
        let row = try #require(marks[mine])
        #expect(marks.agrees(with: row))
        marks.takeBack(mine, to: nil)
        #expect(marks.count == 0)
        #expect(!marks.agrees(with: row))
        #expect(marks.agrees(with: WatermarkRecord(key: mine, position: .start, signature: nil, learnt: 0)))
    }
}
