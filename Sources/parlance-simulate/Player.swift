import ParlanceSodium
import ParlanceTestKit

/// Plays one seed in this process.
struct Player {
    let settings: Script.Settings
    /// One in this many seeds has real stores.
    let realStoreOnceIn: UInt64

    struct Outcome {
        var failure: String?
        var hash: UInt64
        var frames: Int
        var acts: Int
        var coverage: Coverage
        var trace: [String]
    }

    /// A run of that many virtual milliseconds takes minutes: it reports its progress.
    private static let long: Int64 = 4 * 3_600_000

    func play(
        _ seed: UInt64,
        acts: [Int]? = nil,
        keepsTrace: Bool = false,
        progressed: @escaping (RunProgress) -> Void
    ) throws -> Outcome {
        let script = Script(seed: seed, settings)
        let hasStores = realStoreOnceIn > 0 && seed % realStoreOnceIn == 0
        let office = try Office(script, keepsTrace: keepsTrace) { node in
            hasStores ? try StoreDisk(node, seed: seed) : nil
        }
        if script.length >= Self.long { office.progressed = progressed }
        let failure = office.run(acts: acts)
        if hasStores { office.coverage.count("seed with real stores") }
        return Outcome(
            failure: failure,
            hash: office.trace.hash.value,
            frames: office.world.framesDelivered,
            acts: acts?.count ?? script.acts.count,
            coverage: office.coverage,
            trace: office.trace.lines
        )
    }
}
