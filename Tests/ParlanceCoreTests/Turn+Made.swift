import ParlanceRecords
import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceCore

extension Turn {
    /// The first turn of a node, 5 s after its machine started; its key is derived from the number.
    static func made(by number: UInt8 = 1) throws -> Turn {
        let key = try SigningKey(seed: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
        let own = OwnNode(
            identity: PeerID(value: Bytes32(hashing: [number], domain: 0)),
            replica: try #require(ReplicaID([UInt8](repeating: number, count: ReplicaID.count))),
            signer: key,
            listeningPort: 4747
        )
        return Turn(own, seed: 1, at: Instant(monotonic: 5_000, wall: 1_700_000_000_000))
    }
}
