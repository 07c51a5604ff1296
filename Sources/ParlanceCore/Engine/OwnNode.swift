import ParlanceSodium
import ParlanceWire

/// The identity and settings of this node that many rooms need.
///
/// `Turn` carries it: mutating methods read `turn.own`, other methods take it as an argument.
struct OwnNode: Equatable, Sendable {
    let identity: PeerID
    /// The replica that this node writes as. It changes when the node finds that its store was rolled back.
    private(set) var replica: ReplicaID
    /// The secret key of `identity`.
    let signer: SigningKey
    /// The port at which this node accepts links, announced in `Hello`; 0 if it accepts none.
    let listeningPort: UInt16
    /// Whether `replica` has changed since the start.
    private(set) var isRenewed = false

    init(identity: PeerID, replica: ReplicaID, signer: SigningKey, listeningPort: UInt16) {
        self.identity = identity
        self.replica = replica
        self.signer = signer
        self.listeningPort = listeningPort
    }

    /// The only log that this replica writes.
    var log: LogID { LogID(author: identity, replica: replica) }

    mutating func renew(as fresh: ReplicaID) {
        replica = fresh
        isRenewed = true
    }
}
