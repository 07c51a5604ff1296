import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

/// Vector clocks: which entries are told, and which are accepted. Hashes are tested by
/// `protocol/vectors/events/clocks.json`.
@Suite struct ClockTests {
    private func log(_ number: UInt8) throws -> LogID {
        LogID(author: try EngineBench.peer(number), replica: EngineBench.replica(number))
    }

    private func entry(_ sequence: UInt64, missing: [UInt64] = [], head: UInt8 = 5) throws -> Clock.Entry {
        let head = try #require(EventID([UInt8](repeating: head, count: 32)))
        return Clock.Entry(position: LogPosition(sequence: sequence, head: head), missing: missing)
    }

    @Test func theHashSeesEverythingButEmptyLogs() throws {
        let base = Clock(entries: [try log(1): try entry(3, missing: [2])])
        var others = [Clock()]
        others.append(Clock(entries: [try log(2): try entry(3, missing: [2])]))
        others.append(Clock(entries: [try log(1): try entry(4, missing: [2])]))
        others.append(Clock(entries: [try log(1): try entry(3)]))
        others.append(Clock(entries: [try log(1): try entry(3, missing: [2, 3])]))
        others.append(Clock(entries: [try log(1): try entry(3, missing: [2], head: 6)]))
        others.append(Clock(entries: [try log(1): try entry(3, missing: [2]), try log(2): try entry(1)]))
        #expect(Set(others.map(\.hash)).count == others.count)
        #expect(!others.map(\.hash).contains(base.hash))
        let withEmpty = Clock(entries: [try log(1): try entry(3, missing: [2]), try log(3): try entry(0)])
        #expect(withEmpty.hash == base.hash)
        #expect(base.hash.count == 8)
    }

    @Test func completeMeansUpToTheFirstMissingBody() throws {
        #expect(try entry(5).completeThrough() == 5)
        #expect(try entry(5, missing: [5]).completeThrough() == 4)
        #expect(try entry(5, missing: [1, 3]).completeThrough() == 0)
        #expect(try entry(0).completeThrough() == 0)
        #expect(try entry(.max, missing: [.max]).completeThrough() == .max - 1)
    }

    @Test func whatIsToldIsReadBack() throws {
        let clock = Clock(entries: [
            try log(3): try entry(7), try log(1): try entry(Limits.sequence, missing: [1, Limits.sequence]),
            try log(2): try entry(0),
        ])
        let wire = clock.wire
        #expect(wire.count == 2, "an empty log is not told")
        #expect(wire.map { LogID($0.log) } == [try log(3), try log(1)].sorted())
        let read = try Clock(decoding: wire)
        #expect(read.entries == clock.entries.filter { $0.value.position.sequence > 0 })
        #expect(read[try log(9)] == .start)
    }

    @Test func soManyMissingBodiesAreTold() throws {
        for count in [Limits.missingTold, Limits.missingTold + 1] {
            let clock = Clock(entries: [try log(1): try entry(1_000, missing: (1...UInt64(count)).map { 2 * $0 })])
            let told = try #require(clock.wire.first).missingBodies
            #expect(told == (1...UInt64(Limits.missingTold)).map { 2 * $0 }, "the first of \(count)")
        }
    }

    @Test func aMalformedEntryFailsTheWhole() throws {
        let good = try #require(Clock(entries: [try log(1): try entry(5, missing: [2, 4])]).wire.first)
        #expect(try Clock(decoding: [good]).entries.count == 1)
        let hostile: [(inout WireClockEntry) -> Void] = [
            { $0.sequence = 0 }, { $0.sequence = Limits.sequence + 1 }, { $0.sequence = .max },
            { $0.head = Data(count: 31) }, { $0.clearLog() }, { $0.log.author = Data() },
            { $0.log.replica = Data(count: 17) }, { $0.missingBodies = [4, 2] }, { $0.missingBodies = [0] },
            { $0.missingBodies = [6] }, { $0.missingBodies = [2, .max] },
        ]
        for (number, change) in hostile.enumerated() {
            var bad = good
            change(&bad)
            #expect(throws: WireError.malformed("clock entry"), "number \(number)") {
                try Clock(decoding: [good, bad])
            }
        }
    }
}
