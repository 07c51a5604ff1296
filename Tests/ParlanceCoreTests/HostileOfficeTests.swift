import ParlanceTestKit
import Testing

/// A hostile member of an office: its engine is like the others', and its owner signs and sends what it likes besides. Every
/// promise to the others is kept (safety of insiders: threat-model.md). `contrib/simulate --hostile 1` plays many.
@Suite struct HostileOfficeTests {
    private static let settings = {
        var settings = Script.Settings(nodes: 3...4, minutes: 8...15)
        settings.workspaceOnceIn = 2
        settings.hostile = 1
        return settings
    }()

    @Test(arguments: 1...4) func everyPromiseToTheOthersIsKept(seed: UInt64) throws {
        let office = try Office(Script(seed: seed, Self.settings))
        #expect(office.run() == nil, "seed \(seed) of 3 to 4 nodes, one of them hostile, and 8 to 15 minutes")
    }

    /// What needs a group with a certain role, a branch, or a workspace with a charter, happens in fewer seeds; the coverage of `contrib/simulate` counts
    /// it.
    private static let seldom: Set<Mischief> = [
        .voidChanges, .voidChangesByInvitation, .removalOfAll, .changesThatWait, .departures, .fork, .forkOfOwnLog,
        .forkOfBranch,
        .receiptsOfMadeUpCopies, .falseFileOffers, .voidCharterChanges, .charterChangesThatWait, .forgedCharterChanges,
        .oddCharterEvents, .repeatedCharterEvents, .endlessCharter, .madeUpCharters,
    ]

    /// Every other mischief happens within a few seeds.
    @Test func everyMischiefIsDone() throws {
        var settings = Self.settings
        settings.minutes = 35...35
        let coverage = Coverage()
        for seed: UInt64 in 1...3 {
            let office = try Office(Script(seed: seed, settings))
            let failure = office.run()
            coverage.merge(office.coverage)
            #expect(failure == nil, "seed \(seed) of 3 to 4 nodes, one of them hostile, and 35 minutes")
        }
        for mischief in Mischief.allCases where !Self.seldom.contains(mischief) {
            let name = "fault: hostile \(mischief.rawValue)"
            #expect(coverage.counts[name] ?? 0 > 0, "\(name) within seeds 1 to 3")
        }
        #expect(coverage.counts["group changed at the end"] ?? 0 > 0, "an admin changes a group at the end")
    }

    /// Who is hostile is drawn apart: without hostile members a script is what it was.
    @Test func honestOfficesAreAsBefore() {
        var honest = Self.settings
        honest.hostile = 0
        for seed: UInt64 in 1...20 {
            let (with, without) = (Script(seed: seed, Self.settings), Script(seed: seed, honest))
            #expect(without.hostile.isEmpty && with.hostile.count == 1, "seed \(seed)")
            #expect(with.acts.filter { $0.kind != .misbehave }.map(\.salt) == without.acts.map(\.salt), "seed \(seed)")
            #expect(with.hostile.intersection(with.garbler.map { [$0] } ?? []).isEmpty, "seed \(seed)")
        }
    }
}
