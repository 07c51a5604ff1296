import ParlanceControl
import ParlanceWords

extension NotificationService.Report {
    /// Of what the user is notified, and why nothing pops up if that is so.
    var line: Phrase {
        let what: Phrase =
            switch rules.level {
            case .none: Phrase("notifications: off; to turn them on: parlance config set notify direct")
            case .mention: Phrase("notifications: of mentions")
            case .direct: Phrase("notifications: of mentions, direct messages and requests to talk")
            case .all: Phrase("notifications: of all messages and requests to talk")
            }
        guard rules.level != .none else { return what }
        let quiet = rules.quietHours.map { Phrase("\(what), but not at \($0.text)") } ?? what
        switch state {
        case .noBus: return Phrase("\(quiet); nothing pops up, because there is no desktop session here")
        case .noService:
            return Phrase("\(quiet); nothing pops up, because no program of this session shows notifications")
        case .ready: return quiet
        case .refused(let reason): return Phrase("\(quiet); the desktop refused the last one: \(reason)")
        }
    }
}
