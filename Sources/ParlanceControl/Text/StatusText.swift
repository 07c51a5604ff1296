import ParlanceWords

/// How far a message of this user has come, in a few words.
package enum StatusText {
    /// `delivered`, or in a group `delivered 3/7, read by Ada and Bob`; nil for a message of somebody else.
    ///
    /// It contains unescaped names, so apply `VisibleText` before showing it.
    package static func words(_ message: MessageInfo) -> String? {
        guard let status = message.status else { return nil }
        guard let reach = message.reach, reach.delivered > 0 else {
            return say(status.words) + (message.waitingReason.map { ": \(say($0))" } ?? "")
        }
        let delivered = say("delivered \(reach.delivered)/\(reach.recipients)")
        guard reach.read > 0 else { return delivered }
        return say("\(delivered), read by \(PeopleText.list(reach.readBy, count: reach.read))")
    }
}
