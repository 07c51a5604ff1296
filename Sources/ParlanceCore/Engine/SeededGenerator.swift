/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014). It supplies random delays
/// from a seed that the shell gives, so that runs of the engine can be replayed. Do not use it for secrets.
package struct SeededGenerator: RandomNumberGenerator, Equatable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// A number from 0 to `bound - 1`; 0 for a bound under 1.
    package mutating func below(_ bound: Int64) -> Int64 {
        bound < 1 ? 0 : Int64(next() % UInt64(bound))
    }
}
