import ParlanceCore
import ParlanceNetwork
import ParlanceWaiting
import ParlanceWire
import ParlanceWords
import Synchronization
import Testing

/// An inbox that records everything that it is told. It is full when the test says so, or when it holds the permitted
/// number of frames.
final class LinkRecorder: LinkObserver {
    struct State {
        var opened: [LinkOpened] = []
        var frames: [WireFrame] = []
        var closed: [LinkID: LinkEnd] = [:]
        var closedTwice = false
        var stalled: Set<LinkID> = []
        var failed: [DialID: String] = [:]
        var capacity = Int.max
        var resumes: [@Sendable () -> Void] = []
    }

    private let state = Mutex(State())

    init(capacity: Int = .max) {
        state.withLock { $0.capacity = capacity }
    }

    func offer(_ inputs: [Input]) {
        state.withLock { state in
            for input in inputs {
                switch input {
                case .linkOpened(let opened): state.opened.append(opened)
                case .frameReceived(_, let frame, _): state.frames.append(frame)
                case .linkClosed(let link, let end):
                    if state.closed.updateValue(end, forKey: link) != nil { state.closedTwice = true }
                case .linkStalled(let link, _): state.stalled.insert(link)
                case .linkAnswers(let link): state.stalled.remove(link)
                case .dialFailed(let dial, let failure): state.failed[dial] = failure.text.english
                default: Issue.record("links tell nothing of this kind: \(input)")
                }
            }
        }
    }

    func isFull(for link: LinkID) -> Bool { state.withLock { $0.frames.count >= $0.capacity } }

    func whenDrained(_ link: LinkID, _ resume: @escaping @Sendable () -> Void) {
        let now = state.withLock { state in
            if state.frames.count >= state.capacity { state.resumes.append(resume) }
            return state.frames.count < state.capacity
        }
        if now { resume() }
    }

    /// Removes the limit.
    func drain() {
        let resumes = state.withLock { state in
            state.capacity = .max
            return exchange(&state.resumes, with: [])
        }
        for resume in resumes { resume() }
    }

    var now: State { state.withLock { $0 } }

    /// Waits until the condition holds.
    @discardableResult
    func wait(_ what: String, _ holds: (State) -> Bool) async throws -> State {
        try await soon(what) {
            let state = now
            return holds(state) ? state : nil
        }
    }
}
