import ParlanceStore
import ParlanceWire
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// Decides case by case whether a store is the same copy (protocol/store.md, "The replica guard").
@Suite struct ReplicaGuardTests {
    private static let known = GuardSamples.known
    private static let marks = StoreMarks(replica: known.replica, epoch: 4, generation: 7, file: known.file)

    private static func judge(
        _ found: ReplicaGuard.Found,
        _ marks: StoreMarks = marks,
        machine: String? = known.machine
    ) -> ReplicaGuard.Verdict {
        ReplicaGuard.judge(found, of: marks, identity: known.identity, machine: machine)
    }

    private static func judge(_ change: (inout ReplicaGuard) -> Void) -> ReplicaGuard.Verdict {
        var known = known
        change(&known)
        return judge(.whole(known))
    }

    @Test func whatMatchesIsTheSame() {
        #expect(Self.judge(.whole(Self.known)) == .same)
        // The guard is raised first, and a crash may come between the two.
        #expect(Self.judge { $0.generation = 8 } == .same)
        // Device numbers may change with each boot.
        #expect(Self.judge { $0.file.device = 99 } == .same)
    }

    @Test func aMissingOrDamagedGuardMeansACopy() {
        #expect(Self.judge(.nothing) == .copy(.noGuard))
        #expect(Self.judge(.damaged) == .copy(.damagedGuard))
    }

    @Test func eachThingThatDiffersMeansACopy() {
        #expect(Self.judge { $0.machine = "other" } == .copy(.otherMachine))
        #expect(Self.judge { $0.machine = nil } == .copy(.otherMachine))
        #expect(Self.judge { $0.file.inode = 12 } == .copy(.otherFile))
        #expect(Self.judge { $0.identity = GuardSamples.identity(2) } == .copy(.otherIdentity))
        #expect(Self.judge { $0.replica = GuardSamples.replica(2) } == .copy(.otherReplica))
    }

    @Test func generationsTellWhoWentBack() {
        let verdicts = (5...10).map { generation in Self.judge { $0.generation = generation } }
        #expect(
            verdicts == [
                .copy(.olderGuard), .copy(.olderGuard), .same, .same, .copy(.olderStore), .copy(.olderStore),
            ]
        )
        // The greatest numbers cause no trap.
        #expect(Self.judge { $0.generation = .max } == .copy(.olderStore))
        var marks = Self.marks
        marks.generation = .max
        #expect(Self.judge(.whole(Self.known), marks) == .copy(.olderGuard))
    }

    @Test func aStoreThatNeverRanIsNoCopyOfAnything() {
        var fresh = Self.marks
        fresh.epoch = 0
        for found in [.nothing, .damaged, .whole(Self.known)] as [ReplicaGuard.Found] {
            #expect(Self.judge(found, fresh) == .unused)
        }
    }

    @Test func aMachineWithoutANameIsComparedToo() {
        var nameless = Self.known
        nameless.machine = nil
        #expect(Self.judge(.whole(nameless), machine: nil) == .same)
        #expect(Self.judge(.whole(Self.known), machine: nil) == .copy(.otherMachine))
    }
}

enum GuardSamples {
    static func identity(_ byte: UInt8) -> PeerID { PeerID(value: Bytes32(filling: { $0[0] = byte })) }

    static func replica(_ byte: UInt8) -> ReplicaID {
        guard let replica = ReplicaID([UInt8](repeating: byte, count: ReplicaID.count)) else {
            preconditionFailure("a replica has \(ReplicaID.count) bytes")
        }
        return replica
    }

    static let known = ReplicaGuard(
        machine: "0123456789abcdef0123456789abcdef",
        file: StoreMarks.File(device: 3, inode: 11),
        identity: identity(1),
        replica: replica(1),
        generation: 7
    )
}
