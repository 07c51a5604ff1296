import ParlanceRecords
import ParlanceWire

/// A parcel whose events are taken and durable, and whose receipts are being taken. Positions of runs and in our own
/// logs may have to be read first, so it is kept with each such read.
struct ParcelTaking: Equatable, Sendable {
    let command: CommandID
    let peer: PeerID
    /// The replica of the peer that packed it.
    let replica: ReplicaID
    /// The ends of runs that may be held already, the next one last.
    var ends: [CarriedEnd] = []
    /// Receipts to take, the next one last.
    var receipts: [WatermarkRecord] = []
    /// Whether the position of the next one was read.
    var hasRead = false
    var result = TakenParcel()
}
