import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceCore

/// The secrets that the engine derives: what was erased stays so.
@Suite struct KeySourceTests {
    private func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withBytes { Array($0) } }

    /// Somebody reads the state after 20 secrets were drawn and erased, and knows how secrets are made: by this rule, and by
    /// the one of earlier versions, a hash of the entropy and a count.
    @Test func nothingThatWasErasedCanBeComputedAgain() throws {
        var source = KeySource(entropy: SecretBytes(copying: (0..<32).map { UInt8($0) }))
        var states: [SecretBytes] = []
        var erased: Set<[UInt8]> = []
        for _ in 0..<20 {
            states.append(source.state)
            erased.insert(bytes(source.next()))
        }
        #expect(erased.count == 20)
        let dump = bytes(source.state)
        #expect(!states.contains { bytes($0) == dump }, "the state was replaced")
        var later = KeySource(entropy: SecretBytes(copying: dump))
        for count in 0..<2_000 as Range<UInt64> {
            #expect(!erased.contains(bytes(later.next())))
            #expect(!erased.contains(Blake2b.hash(Domain.keySource, dump, count.bigEndianBytes)))
            #expect(!erased.contains(bytes(later.state)) && !erased.contains(dump))
        }
    }

    @Test func theSameEntropyGivesTheSameSecretsAndOtherEntropyOthers() {
        func drawn(_ seed: UInt8) -> [[UInt8]] {
            var source = KeySource(entropy: SecretBytes(copying: [UInt8](repeating: seed, count: 32)))
            return (0..<5).map { _ in bytes(source.next()) }
        }
        #expect(drawn(1) == drawn(1))
        #expect(Set(drawn(1) + drawn(2)).count == 10)
    }

    /// The engine of a node that has made prekeys and ephemeral keys.
    @Test func thePrekeysAreInGuardedPages() throws {
        var source = KeySource(entropy: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        let key = try OwnPrekey(secret: source.next(), made: 0, peer: nil)
        #expect(key.secret.placement == .pooled && source.state.placement == .pooled)
    }
}
