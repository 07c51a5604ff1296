import ParlanceControl

/// A text that the daemon has been asked to take and has not answered.
struct SentText: Equatable, Sendable {
    let who: String
    let text: String
    let aim: DraftAim

    init?(_ purpose: ChatPurpose) {
        guard case .text(let who, let text, let aim) = purpose else { return nil }
        (self.who, self.text, self.aim) = (who, text, aim)
    }
}
