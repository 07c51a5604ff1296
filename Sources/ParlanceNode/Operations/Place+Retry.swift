import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceWire
import ParlanceWords

// When another try would change nothing.
extension Place {
    /// Why another try of a waiting message would change nothing for certain, and what would help; `nil` if it might be
    /// delivered.
    ///
    /// - Parameter cutOff: why this computer has no network.
    func futility(
        of message: ShownMessage,
        cutOff: Phrase?,
        name: (PeerID) -> String
    ) -> ControlError? {
        let lacking = delivery.lacking(message)
        guard !lacking.isEmpty, lacking.allSatisfy({ $0.isFutile(isCutOff: cutOff != nil) }),
            let why = why(message, cutOff: cutOff, name: name)
        else { return nil }
        let blocked = lacking.filter(\.isBlocked)
        let advice: Phrase =
            if let one = blocked.first {
                blocked.count == 1
                    ? Phrase("To end that: parlance unblock \(one.peer.prefix)")
                    : Phrase("To end a block: parlance unblock WHO")
            } else if lacking.contains(where: \.needsNetwork) {
                Phrase("What you wrote is kept, and is sent by itself as soon as there is a network.")
            } else {
                Phrase(
                    "It is sent by itself when that has changed. To take it back: parlance outbox cancel \(message.id.text.prefix(12))"
                )
            }
        return ControlError(
            blocked.isEmpty ? .notAllowed : .blocked,
            "Another try would change nothing: \(why).",
            advice: advice
        )
    }

}

extension DeliveryView.Recipient {
    fileprivate var isBlocked: Bool { if case .blocked = reason { true } else { false } }

    /// Whether another try brings it nothing. Without a network nobody is reached, and nobody is heard to accept.
    fileprivate func isFutile(isCutOff: Bool) -> Bool {
        isRetryFutile || isCutOff && (needsNetwork || reason == .waitsForAcceptance && !isLinkedWithinComputer)
    }
}
