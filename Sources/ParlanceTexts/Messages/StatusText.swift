package import ParlanceControl
package import ParlanceWords

/// How far a message of this user has come, in a few words.
package enum StatusText {
    /// `delivered`, or in a group `delivered 3/7, read by Ada and Bob`; nil for a message of somebody else.
    ///
    /// It contains unescaped names, so apply `VisibleText` before showing it.
    package static func words(_ message: MessageInfo) -> Phrase? {
        guard let status = message.status else { return nil }
        guard status != .failed, let reach = message.reach, reach.delivered > 0 else {
            return Phrase.joined([status.words, message.waitingReason].compactMap(\.self), by: ": ")
        }
        let delivered = Phrase("delivered \(reach.delivered)/\(reach.recipients)")
        guard reach.read > 0 else { return delivered }
        return Phrase("\(delivered), read by \(PeopleText.list(reach.readBy, count: reach.read))")
    }
}

extension MessageInfo {
    /// Says how far the message has come, and why it waits or has failed, with the words for both.
    package mutating func setStatus(_ status: MessageStatus?, because reason: Phrase?) {
        (self.status, waitingReason) = (status, reason)
        statusWords = StatusText.words(self)
    }
}
