import ParlanceWire

/// A small seeded generator: the same seed gives the same run on any machine.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func bytes32() -> Bytes32 {
        let words = (next(), next(), next(), next())
        return Bytes32(filling: { target in withUnsafeBytes(of: words) { target.copyMemory(from: $0) } })
    }

    mutating func replica() -> ReplicaID {
        guard let replica = ReplicaID(bytes(ReplicaID.count)) else { preconditionFailure("16 bytes make a replica ID") }
        return replica
    }
}
