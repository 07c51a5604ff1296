/// A small seeded generator (SplitMix64), so that a failed test can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// With a new seed each run, which is printed so that a failure can be repeated.
    static func printingSeed(file: String = #fileID, line: Int = #line) -> SeededGenerator {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed) at \(file):\(line)")
        return SeededGenerator(seed: seed)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) } }

    mutating func bytes(upTo count: Int) -> [UInt8] {
        bytes(Int.random(in: 0...count, using: &self))
    }
}
