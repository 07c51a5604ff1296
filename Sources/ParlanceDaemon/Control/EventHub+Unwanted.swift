import ParlanceCore
import ParlanceWire

extension EventHub {
    /// Whether a message was written by somebody else in a group that the user has deleted: it goes soon, and nobody is told
    /// of it.
    func isUnwanted(_ message: ShownMessage) -> Bool {
        message.log.author != identity && preference(of: message.conversation).unlisted == .deleted
            && title(of: message.conversation) != nil
    }
}
