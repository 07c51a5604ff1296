import ParlanceWire

/// An envelope on its way to a courier.
struct PendingDeposit: Equatable, Sendable {
    var recipient: PeerID
    var record: DepositRecord
}
