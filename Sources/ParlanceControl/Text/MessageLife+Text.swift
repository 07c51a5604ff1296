import ParlanceWords

extension MessageLife {
    /// How far the message has come for one recipient, in a word.
    package func word(for receipt: Receipt) -> String {
        if receipt.read { return say("read") }
        if receipt.delivered { return say("delivered") }
        if message.status == .failed { return say("failed") }
        if receipt.sending == true { return say("sending") }
        return receipt.person.trust == .blocked ? say("not sent") : say("waits")
    }
}
