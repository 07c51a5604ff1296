import ParlanceCore
import ParlanceNetwork
import Synchronization

/// The inputs and commands of a node, waiting in order.
///
/// It accepts every item, so that no fact is lost. When it is full, links stop reading from their sockets until it is
/// drained; the control socket limits its unanswered requests by itself.
final class Inbox: LinkObserver {
    typealias Reply = @Sendable (Result<Answer, Refusal>) -> Void

    enum Item: Sendable {
        case input(Input)
        case command(Command, Reply)
        /// Work to run once every item before it has been handled.
        case work(@Sendable () -> Void)
    }

    /// Frames that may wait: a few drains' worth. More would only take memory.
    private static let highWater = 2_048
    /// Bytes of frames that may wait; decoded, they take several times as much.
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

    /// Sets the function to call, once for each drain, when an item is offered to an empty inbox.
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

    /// Runs `work` on the node's event loop, in order with the other items.
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

    /// Removes and returns all items.
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

    /// Records whether the disk is behind, and lets links read again once there is room.
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
