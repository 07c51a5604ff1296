import ParlanceWire

extension PeerRecord {
    /// The keys to which an envelope can be sealed now; `nil` if there are none or their time is not valid now.
    func usablePrekeys(at now: Instant) -> PeerPrekeys? {
        prekeys.flatMap { PeerPrekeys(decoding: $0) }.flatMap { $0.isUsable(at: now) ? $0 : nil }
    }

    /// Deposits that are still useful: not expired, and with something that the peer is not known to have.
    func deposits(of waiting: Undelivered, _ turn: Turn) -> [DepositRecord] {
        deposits.filter {
            $0.expires > turn.now.wall && $0.replica == turn.own.replica.bytes && $0.through > waiting.reached
        }
    }
}
