import ParlanceControl
import ParlanceTexts

extension StatusText {
    /// The colour of a status.
    static func role(_ status: MessageStatus) -> TextStyle.Role {
        switch status {
        case .staged, .sending: .warning
        case .sent, .delivered: .faint
        case .read: .good
        case .failed: .bad
        }
    }
}
