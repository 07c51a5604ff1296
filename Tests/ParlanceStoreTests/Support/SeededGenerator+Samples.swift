import ParlanceCore
import ParlanceWire

// Samples of the kinds of values that stores keep.
extension SeededGenerator {
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
