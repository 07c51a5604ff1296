import ParlanceWire

/// An envelope that a courier was asked to keep and has not answered for.
struct PendingDeposit: Equatable, Sendable {
    var recipient: PeerID
    var record: DepositRecord
}
