import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Whatever people write, and in whatever order it arrives, all nodes come to the same charter.
@Suite struct CharterOrderTests {
    /// What people see of a charter.
    static func verdict(_ charter: Charter) -> [String] {
        CharterLog.lines(of: charter) + charter.admins.map(\.text) + charter.excluded.map(\.text)
            + charter.admitted.map(\.text) + charter.rotations.map(\.key).map { "\($0)" }
            + charter.policies.map { "\($0.name)=\($0.value)" } + charter.frontier.map(\.text) + ["\(charter.hash)"]
    }

    @Test func anyOrderOfArrivalGivesTheSameVerdict() throws {
        let first = UInt64.random(in: 0 ... .max)
        print("seed \(first)")
        var counted = 0
        for seed in (0..<60).map({ first &+ $0 }) {
            var fuzzer = try CharterFuzzer(people: 6, changes: 24, seed: seed)
            let whole = Self.verdict(fuzzer.writer.charter)
            counted += fuzzer.writer.charter.entries.count { $0.counts }
            for _ in 0..<4 { #expect(Self.verdict(fuzzer.arrived()) == whole, "seed \(seed)") }
        }
        #expect(counted > 300, "seed \(first): hardly anything that is written counts")
    }

    /// A log that a node writes is accepted, and gives the same charter.
    @Test func everyLogIsValid() throws {
        let first = UInt64.random(in: 0 ... .max)
        print("seed \(first)")
        for seed in (0..<10).map({ first &+ $0 }) {
            let charter = try CharterFuzzer(people: 5, changes: 20, seed: seed).writer.charter
            let lines = CharterLog.lines(of: charter)
            let read = try CharterLog.check(lines.joined(separator: "\n").utf8)
            #expect(CharterLog.lines(of: read) == lines, "seed \(seed)")
        }
    }
}

/// What a charter adds to a membership event spoils no group's event.
@Suite struct CharterFieldTests {
    /// Field 5 in every form that protobuf knows, and what a charter would read in it.
    @Test(
        arguments: [
            [0x2A, 0], [0x2A, 2, 0xFF, 0xFF], [0x28, 7], [0x2D, 1, 2, 3, 4], [0x29, 1, 2, 3, 4, 5, 6, 7, 8],
            [0x2B, 0x2C],
            [0x2A, 3, 0x22, 1, 0xFF],
        ] as [[UInt8]]
    )
    func unknownContentChangesNothingInAGroup(_ field: [UInt8]) throws {
        var bench = try MembershipBench(people: 3)
        let creation = bench.create([])
        let addition = bench.change(.add, [1], by: 0, after: [creation])
        let body = try #require(addition.body) + field
        let spiced = bench.event(.members, body, by: 0, at: 2)
        let membership = Membership([creation, spiced])
        #expect(membership.isValid(spiced.id) && membership.isMember(bench.people[1]))
    }

    /// In a group the actions of a charter are what they were before: not in the table.
    @Test(arguments: 6...11) func aGroupKnowsNoActionOfACharter(_ action: Int) throws {
        var bench = try MembershipBench(people: 3)
        let creation = bench.create([1])
        let change = bench.change(try #require(WireMemberAction(rawValue: action)), [1], by: 0, after: [creation])
        #expect(MembershipChange(change) == nil && !Membership([creation, change]).contains(change.id))
        let empty = bench.change(try #require(WireMemberAction(rawValue: action)), [], by: 0, after: [creation])
        #expect(MembershipChange(empty) == nil)
    }
}
