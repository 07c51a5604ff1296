import ParlanceControl
import Synchronization

/// Tells what a chat model writes: its first pieces one by one, and from then on only larger ones.
final class AnswerTeller: Sendable {
    private struct State {
        var told = 0
        var waiting = ""
    }

    private let label: String
    private let tell: @Sendable (AnswerEvent) -> Void
    private let state = Mutex(State())

    init(_ label: String, _ tell: @escaping @Sendable (AnswerEvent) -> Void) {
        (self.label, self.tell) = (label, tell)
    }

    func add(_ piece: String) {
        let text = state.withLock { state -> String? in
            state.waiting += piece
            let isSmall = state.waiting.utf8.count < AssistantLimits.answerPieceBytes
            guard state.told < AssistantLimits.answerPieces || !isSmall else { return nil }
            state.told += 1
            defer { state.waiting = "" }
            return state.waiting
        }
        if let text { tell(AnswerEvent(turn: label, text: text)) }
    }
}
