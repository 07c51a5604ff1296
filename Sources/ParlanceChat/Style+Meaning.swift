import ParlanceControl
import ParlanceTerminal

extension Style {
    /// The colour of a status.
    init(_ status: MessageStatus) {
        switch status {
        case .staged, .sending: self = .warning
        case .sent, .delivered: self = .faint
        case .read: self = .good
        case .failed: self = .bad
        }
    }

    /// The colour of a presence.
    init(_ presence: PresenceState) {
        switch presence {
        case .online: self = .good
        case .away: self = .warning
        case .busy: self = .bad
        case .offline: self = .faint
        }
    }
}
