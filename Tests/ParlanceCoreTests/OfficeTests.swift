import ParlanceTestKit
import Testing

/// Plays a few short seeds of the simulator with every test run; `contrib/simulate` plays many.
@Suite struct OfficeTests {
    private static let settings = Script.Settings(nodes: 3...4, minutes: 8...15)

    @Test(arguments: 1...12) func everyPromiseIsKept(seed: UInt64) throws {
        let office = try Office(Script(seed: seed, Self.settings))
        let failure = office.run()
        #expect(failure == nil, "seed \(seed) of 3 to 4 nodes and 8 to 15 minutes")
        #expect(office.coverage.counts["frame events"] ?? 0 > 0, "seed \(seed): somebody wrote to somebody")
    }

    /// In these seeds old texts are removed, and sticks bring something.
    @Test(arguments: [(23, "notice removed"), (37, "notice removed"), (18, "parcel taken"), (24, "parcel taken")])
    func removalAndSticksKeepEveryPromise(seed: UInt64, what: String) throws {
        let office = try Office(Script(seed: seed, Self.settings))
        #expect(office.run() == nil, "seed \(seed) of 3 to 4 nodes and 8 to 15 minutes")
        #expect(office.coverage.counts[what] ?? 0 > 0, "seed \(seed): \(what)")
    }

    @Test func theSameSeedGivesTheSameTrace() throws {
        let first = try Office(Script(seed: 4, Self.settings), keepsTrace: true)
        let second = try Office(Script(seed: 4, Self.settings), keepsTrace: false)
        #expect(first.run() == second.run())
        #expect(first.trace.hash == second.trace.hash)
        #expect(!first.trace.lines.isEmpty && second.trace.lines.isEmpty)
    }

    @Test func actsThatAreLeftOutChangeNoOthers() throws {
        let script = Script(seed: 5, Self.settings)
        #expect(Script(seed: 5, Self.settings).acts.map(\.salt) == script.acts.map(\.salt))
        let office = try Office(script)
        #expect(office.run(acts: []) == nil, "with nobody doing anything nothing can go wrong")
    }
}
