package import ParlanceControl
package import ParlanceWords

extension MessageLife {
    /// How far the message has come for one recipient, in a word.
    package func word(for receipt: Receipt) -> Phrase {
        if receipt.read { return Phrase("read") }
        if receipt.delivered { return Phrase("delivered") }
        if message.status == .failed { return Phrase("failed") }
        if receipt.sending == true || message.status == .sending && isOnlyOneLeft { return Phrase("sending") }
        if receipt.couriers?.isEmpty == false { return Phrase("a courier has it") }
        return Phrase("waits")
    }

    /// Whether one recipient lacks the message: what its status says is said of this one.
    private var isOnlyOneLeft: Bool { recipients.count { !$0.delivered } == 1 }
}
