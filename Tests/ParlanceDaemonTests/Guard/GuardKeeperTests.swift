import Foundation
import Logging
import ParlanceCore
import ParlanceStore
import ParlanceWaiting
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// The generations of guard and store are raised together, the guard's first, whatever happens in between.
@Suite struct GuardKeeperTests {
    /// A data folder and its guard, opened as a start opens them.
    private final class Node {
        let path = NSTemporaryDirectory() + "/parlance-keeper-\(UUID().uuidString)"
        private var next: UInt8 = 1
        private(set) var store: Store?
        private(set) var keeper: GuardKeeper?
        private(set) var verdict: ReplicaGuard.Verdict?

        init() throws {
            try FileManager.default.createDirectory(atPath: path + "/data", withIntermediateDirectories: true)
        }

        deinit {
            store?.close()
            try? FileManager.default.removeItem(atPath: path)
        }

        var file: GuardFile { GuardFile(in: path + "/state", of: path + "/data") }

        /// Opens the store and makes its keeper; raises nothing yet.
        @discardableResult
        func open() throws -> (Store, GuardKeeper) {
            store?.close()
            next += 1
            var seen: StoreMarks?
            let opened = try Store.open(
                at: path + "/data",
                identity: GuardSamples.identity(1),
                newReplica: GuardSamples.replica(next),
                profile: ProfileRecord(name: "Ada")
            ) { marks in
                seen = marks
                verdict = ReplicaGuard.judge(
                    file.read(),
                    of: marks,
                    identity: GuardSamples.identity(1),
                    machine: "here"
                )
                return verdict == .same
            }
            let marks = try #require(seen)
            let known = ReplicaGuard(
                machine: "here",
                file: marks.file,
                identity: GuardSamples.identity(1),
                replica: opened.replica,
                generation: marks.generation
            )
            let keeper = GuardKeeper(file, opened, known, Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
            (store, self.keeper) = (opened, keeper)
            return (opened, keeper)
        }

        func start() throws {
            let (store, keeper) = try open()
            try keeper.begin()
            _ = try store.beginEpoch()
        }

        var generation: UInt64? {
            guard case .whole(let known) = file.read() else { return nil }
            return known.generation
        }

        func makeUnwritable() throws {
            try FileManager.default.removeItem(atPath: path + "/state")
            try Data().write(to: URL(fileURLWithPath: path + "/state"))
        }

        func makeWritable() throws {
            try FileManager.default.removeItem(atPath: path + "/state")
        }
    }

    @Test func startsAndRaisesKeepTheReplica() throws {
        let node = try Node()
        try node.start()
        #expect(node.verdict == .unused && node.generation == 2)
        let replica = try #require(node.store).replica
        for start in 2...4 {
            try node.start()
            for _ in 1...start { try node.keeper?.raise() }
            #expect(node.verdict == .same && node.store?.replica == replica)
        }
        #expect(node.generation == 17, "two for each of four starts, and nine")
    }

    /// A kill at each point of a start: between the guard and the store, between the two raises, before the epoch.
    @Test func aKillAtAnyPointOfAStartKeepsTheReplica() throws {
        let node = try Node()
        try node.start()
        let replica = try #require(node.store).replica
        for _ in 1...3 {
            // Only opens.
            try node.open()
            #expect(node.verdict == .same)
            // Raises once.
            try node.open().1.raise()
            #expect(node.verdict == .same)
            // Raises the guard, but not the store.
            try node.open()
            #expect(node.verdict == .same)
            guard case .whole(var known) = node.file.read() else { throw CocoaError(.fileReadCorruptFile) }
            known.generation += 1
            try node.file.write(known)
            try node.open()
            #expect(node.verdict == .same)
            // Raises both, and counts no epoch.
            try node.open().1.begin()
            #expect(node.verdict == .same)
        }
        try node.start()
        #expect(node.verdict == .same && node.store?.replica == replica)
    }

    /// The files from before one start are put back into the same inodes: only the generation shows it.
    @Test func oneStartIsEnoughToTellAnOlderState() throws {
        let node = try Node()
        try node.start()
        let replica = try #require(node.store).replica
        node.store?.close()
        let database = node.path + "/data/store.sqlite"
        let old = try Data(contentsOf: URL(fileURLWithPath: database))
        try node.start()
        #expect(node.verdict == .same)
        node.store?.close()
        for name in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: database + name) }
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: database))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: old)
        try file.close()
        try node.start()
        #expect(node.verdict == .copy(.olderStore))
        #expect(node.store?.replica != replica)
        let renewed = node.store?.replica
        try node.start()
        #expect(node.verdict == .same && node.store?.replica == renewed)
    }

    @Test func aGuardThatCannotBeWrittenIsToldAndKeepsTheStoreInStep() throws {
        let node = try Node()
        try node.start()
        let keeper = try #require(node.keeper)
        try node.makeUnwritable()
        try keeper.raise()
        try keeper.raise()
        #expect(keeper.problem?.message.english.contains(node.file.path) == true)
        try node.makeWritable()
        try keeper.raise()
        #expect(keeper.problem == nil && node.generation == 3)
        try node.start()
        #expect(node.verdict == .same)
    }

    @Test func aNodeWithoutAGuardStartsAndIsNewEachTime() throws {
        let node = try Node()
        try Data().write(to: URL(fileURLWithPath: node.path + "/state"))
        var replicas: Set<ReplicaID> = []
        for start in 1...3 {
            try node.start()
            #expect(node.keeper?.problem != nil)
            #expect(node.verdict == (start == 1 ? .unused : .copy(.noGuard)))
            if let replica = node.store?.replica { replicas.insert(replica) }
        }
        #expect(replicas.count == 3)
        try node.makeWritable()
        try node.start()
        try node.start()
        #expect(node.verdict == .same && node.keeper?.problem == nil)
    }

    @Test func theServiceRaisesAgainAndAgainUntilItIsStopped() async throws {
        let node = try Node()
        try node.start()
        let keeper = try #require(node.keeper)
        let service = GuardService(raise: { try? keeper.raise() }, interval: .milliseconds(5))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            try await eventually("the guard was raised twice more", within: .seconds(600)) {
                (node.generation ?? 0) >= 4
            }
            group.cancelAll()
            try await group.waitForAll()
        }
        try node.start()
        #expect(node.verdict == .same)
    }
}
