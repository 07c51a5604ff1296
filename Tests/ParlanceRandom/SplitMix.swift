/// Random numbers that a seed repeats (SplitMix64; Steele, Lea and Flood, 2014), for tests of targets that know nothing
/// of the core.
package struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    /// With a new seed each run, which is printed so that a failure can be repeated.
    package static func printingSeed(file: String = #fileID, line: Int = #line) -> SplitMix {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed) at \(file):\(line)")
        return SplitMix(seed: seed)
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    package mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    package mutating func bytes(upTo count: Int) -> [UInt8] { bytes(Int.random(in: 0...count, using: &self)) }
}
