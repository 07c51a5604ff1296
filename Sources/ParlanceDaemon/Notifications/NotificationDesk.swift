import ParlanceControl
import ParlanceTexts
import ParlanceWords
import Synchronization

/// What the user is to be notified of: events, reads and faces come in from any thread, and `DesktopNotifier` takes one step
/// after the other out.
final class NotificationDesk: Sendable {
    private struct State {
        var attention: Attention
        var board = NotificationBoard()
        /// Called when there is a step to perform, or when the rules changed.
        var wake: (@Sendable () -> Void)?
        var shown = 0
    }

    private let state: Mutex<State>
    private let isBusy: @Sendable () -> Bool

    /// - Parameter isBusy: whether the user is busy now.
    init(_ rules: Attention.Rules, isBusy: @escaping @Sendable () -> Bool) {
        state = Mutex(State(attention: Attention(rules)))
        self.isBusy = isBusy
    }

    func onWake(_ wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = wake }
    }

    var rules: Attention.Rules { state.withLock { $0.attention.rules } }

    /// How many notifications the desktop has taken, each replacement too.
    var shown: Int { state.withLock { $0.shown } }

    /// The settings were read again.
    func use(_ rules: Attention.Rules) {
        state.withLock { state in
            state.attention.rules = rules
            return state.wake
        }?()
    }

    private func change(_ change: (inout State) -> Void) {
        let wake = state.withLock { state in
            let had = state.board.hasStep
            change(&state)
            return !had && state.board.hasStep ? state.wake : nil
        }
        wake?()
    }

    // MARK: - What happens

    /// The kinds of events that `take` needs.
    static let kinds: Set<ControlEventKind> = [
        MessageEvent.kind, ChangedEvent.kind, WithdrawnEvent.kind, RemovedEvent.kind, RequestEvent.kind, PeerInfo.kind,
    ]

    func take(_ event: any ControlEvent) {
        let isBusy = isBusy()
        change { state in
            switch event {
            case let event as MessageEvent where event.message.mine: state.board.read(event.message.conversation)
            case let event as ChangedEvent: state.board.changed(event.message.id, to: event.message)
            case let event as WithdrawnEvent: state.board.changed(event.id, to: nil)
            case let event as RemovedEvent: for id in event.ids { state.board.changed(id, to: nil) }
            case let event as PeerInfo: if event.asks != true { state.board.answered(event.id) }
            default:
                state.attention.isBusy = isBusy
                if case .notify = state.attention.judge(event, at: .system()) { state.board.add(event) }
            }
        }
    }

    /// The user has read a conversation, in whichever face.
    func read(_ conversation: String) {
        change { $0.board.read(conversation) }
    }

    /// A face shows another conversation now; nil for none, and when it is gone.
    func shows(_ conversation: String?, face: UInt64) {
        change { state in
            state.attention.shows(conversation, face: face)
            if let conversation { state.board.read(conversation) }
        }
    }

    // MARK: - Steps

    func next() -> NotificationBoard.Step? { state.withLock { $0.board.next() } }

    func shown(as number: UInt32) {
        state.withLock { state in
            state.board.shown(as: number)
            state.shown += 1
        }
    }

    func failed() { state.withLock { $0.board.failed() } }

    func closed(_ number: UInt32) { state.withLock { $0.board.closed(number) } }

    /// The user has clicked on a notification; nil if it is not ours.
    func clicked(_ number: UInt32) -> NotificationBoard.Subject? {
        state.withLock { state in
            let subject = state.board.subject(of: number)
            subject.map { state.board.remove($0) }
            return subject
        }
    }

    func forgetAll() { state.withLock { $0.board.forgetAll() } }
}
