import ParlanceCore
import ParlanceNetwork
import ParlanceNoise
import ParlanceSodium
import ParlanceWire
import ParlanceWords

/// The two ends of a fuzzed link, with the same keys each time.
enum LinkParties {
    static let ada = identity(1)
    static let bob = identity(2)
    static let workspace = WorkspaceKey(secret: secret(9))
    /// The preamble of an open link.
    static let preamble: [UInt8] = [0x50, 0x4C, 0x4E, 1, 0, 0, 0, 0, 0]

    static func secret(_ number: UInt8) -> SecretBytes {
        SecretBytes(copying: [UInt8](repeating: number, count: 32))
    }

    static func pair(_ number: UInt8) -> X25519KeyPair {
        do { return try X25519KeyPair(secret: secret(number)) } catch { fatalError("\(error)") }
    }

    static func identity(_ number: UInt8) -> LocalIdentity {
        do {
            guard let replica = ReplicaID([UInt8](repeating: number, count: ReplicaID.count)) else {
                fatalError("a replica has 16 bytes")
            }
            return LocalIdentity(
                signingKey: try SigningKey(seed: secret(number)),
                replica: replica,
                epoch: 7,
                noiseKey: pair(number + 100)
            )
        } catch { fatalError("\(error)") }
    }

    static func codec(_ side: LinkCodec.Side, _ identity: LocalIdentity, ephemeral: UInt8) -> LinkCodec {
        do {
            return try LinkCodec(side, identity: identity, ephemeral: pair(ephemeral))
        } catch { fatalError("\(error)") }
    }
}

/// What one end of a link was told.
struct Heard {
    var opened: PeerID?
    var frames: [WireFrame] = []
    var isClosed = false
    var hasFailed = false

    var isOpen: Bool { opened != nil && !isClosed && !hasFailed }

    mutating func pull(_ codec: inout LinkCodec) {
        do throws(LinkError) {
            while let event = try codec.next() {
                switch event {
                case .opened(let peer): opened = peer.peer
                case .frame(let frame, let count):
                    promise(count <= Limits.frameBytes, "a frame of \(count) bytes was taken")
                    frames.append(frame)
                case .closed: isClosed = true
                }
            }
        } catch {
            promise(!error.message.isEmpty, "an error without a message")
            hasFailed = true
        }
    }
}
