import ParlanceCore
import ParlanceNetwork
import Synchronization

/// Where everything that happens to a node waits for its turn, in order.
///
/// It takes whatever is offered, so that no fact is lost; but once much waits, links stop reading from their sockets until
/// it is drained (the control socket bounds its unanswered requests by itself).
final class Inbox: LinkObserver {
    typealias Reply = @Sendable (Result<Answer, Refusal>) -> Void

    enum Item: Sendable {
        case input(Input)
        case command(Command, Reply)
        /// What is to be done once everything before it has been told.
        case work(@Sendable () -> Void)
    }

    /// Frames that may wait: a few drains' worth. More would only be memory.
    private static let highWater = 2_048
    /// Bytes of frames that may wait: what is decoded takes several times as much.
    private static let highWaterBytes = 8 * 1024 * 1024

    private struct State {
        var items: [Item] = []
        var frames = 0
        var bytes = 0
        var isSaturated = false
        var isWoken = false
        var waiting: [@Sendable () -> Void] = []
        var wake: @Sendable () -> Void = {}

        var isFull: Bool { isSaturated || frames >= Inbox.highWater || bytes >= Inbox.highWaterBytes }
    }

    private let state = Mutex(State())

    /// What is called, once, when something is offered to an inbox that was empty.
    func onWake(_ wake: @escaping @Sendable () -> Void) {
        let hasItems = state.withLock { state in
            state.wake = wake
            state.isWoken = !state.items.isEmpty
            return state.isWoken
        }
        if hasItems { wake() }
    }

    func offer(_ inputs: [Input]) {
        add(inputs.map { .input($0) })
    }

    func offer(_ input: Input) {
        add([.input(input)])
    }

    func offer(_ command: Command, reply: @escaping Reply) {
        add([.command(command, reply)])
    }

    /// Runs `work` on the node's event loop, after what was offered before and before what is offered later.
    func run(_ work: @escaping @Sendable () -> Void) {
        add([.work(work)])
    }

    private func add(_ items: [Item]) {
        let wake: (@Sendable () -> Void)? = state.withLock { state in
            state.items += items
            for case .input(.frameReceived(_, _, let bytes)) in items {
                state.frames += 1
                state.bytes += bytes
            }
            guard !state.isWoken else { return nil }
            state.isWoken = true
            return state.wake
        }
        wake?()
    }

    /// Everything that waits.
    func takeAll() -> [Item] {
        state.withLock { state in
            defer {
                state.items = []
                state.frames = 0
                state.bytes = 0
                state.isWoken = false
            }
            return state.items
        }
    }

    /// Says whether the disk is behind; lets links read on once there is room.
    func settle(isSaturated: Bool) {
        let waiting = state.withLock { state in
            state.isSaturated = isSaturated
            guard !state.isFull else { return [@Sendable () -> Void]() }
            defer { state.waiting = [] }
            return state.waiting
        }
        for resume in waiting { resume() }
    }

    var isFull: Bool { state.withLock(\.isFull) }

    func whenDrained(_ resume: @escaping @Sendable () -> Void) {
        let isReady = state.withLock { state in
            if state.isFull { state.waiting.append(resume) }
            return !state.isFull
        }
        if isReady { resume() }
    }
}
