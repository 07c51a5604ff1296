import Foundation
import ParlanceFuzz
import Testing

/// Runs the findings of fuzzing again with every test: inputs that failed once, and inputs that reach far.
/// An input that fails ends the process, as it would end a node; `contrib/fuzz TARGET --rerun FILE` runs it alone.
@Suite struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Corpora")

    @Test(arguments: FuzzTarget.allCases) func whatWasFoundOnceStaysMended(_ target: FuzzTarget) throws {
        let folder = Self.folder.appendingPathComponent(target.rawValue)
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count > 10, "the corpus of \(target) is not there")
        for file in files.sorted(by: { $0.path < $1.path }) { target.run([UInt8](try Data(contentsOf: file))) }
    }

    @Test(arguments: FuzzTarget.allCases) func honestInputKeepsAllPromises(_ target: FuzzTarget) {
        #expect(target.seeds.count > 4)
        for seed in target.seeds { target.run(seed) }
        target.run([])
    }

    /// Frames that are received again change nothing.
    @Test func whatIsPlayedBackHasNoEffect() {
        let replay = Replay()
        #expect(replay.stored > 20)
        #expect(replay.changed.isEmpty)
    }

    @Test func parcelsReachTheConversations() {
        #expect(ParcelFuzz.reach > 10, "so many of the seeds bring events")
    }

    /// A target whose inputs no longer pass the first check would find nothing, and nobody would notice.
    @Test func framesReachTheConversations() {
        let reach = FuzzReach.ofSeeds()
        #expect(reach.kinds >= 23, "so many kinds of frames are among the seeds")
        #expect(reach.raw > 20, "events that came as they were recorded are stored")
        #expect(reach.forged > 10, "events that were signed anew are stored")
        #expect(reach.branches > 0, "forks become branches")
    }
}
