package import ParlanceCore
import ParlanceNetwork
import ParlanceWire
import Synchronization

/// The inputs and commands of a node that wait for it: what its user, its machine and discovery have to say, in order, and
/// after that what peers sent on links, which waits in a lane for each peer.
///
/// It accepts every item, so that no fact is lost. When too much of a peer waits, its links stop reading from their
/// sockets; when too much waits of all of them, so do the links of all of whom something waits. The control socket limits
/// its unanswered requests by itself.
package final class Inbox: LinkObserver {
    package typealias Reply = @Sendable (Result<Answer, Refusal>) -> Void

    enum Item: Sendable {
        case input(Input)
        case command(Command, Reply)
        /// Work to run once every item of the user and of the machine before it has been handled.
        case work(@Sendable () -> Void)
    }

    /// Frames that may wait: a few drains' worth. More would only take memory.
    private static let highWater = 2_048
    /// Bytes of frames that may wait; decoded, they take several times as much.
    private static let highWaterBytes = 8 * 1024 * 1024

    private struct State {
        var own: [Item] = []
        var sent = FairQueue<Input>()
        /// Whose links are open.
        var peers: [LinkID: PeerID] = [:]
        var isSaturated = false
        var isWoken = false
        var waiting: [(link: LinkID, resume: @Sendable () -> Void)] = []
        var wake: @Sendable () -> Void = {}

        func isFull(for link: LinkID) -> Bool {
            let isHigh = sent.count >= Inbox.highWater || sent.bytes >= Inbox.highWaterBytes
            guard !isSaturated, let peer = peers[link] else { return isSaturated || isHigh }
            return sent.isFull(peer) || isHigh && sent.holds(peer)
        }

        mutating func add(_ input: Input) {
            switch input {
            case .linkOpened(let opened):
                // At once: the links of a peer are bounded when the node hears of a new one.
                peers[opened.link] = opened.peer
            case .frameReceived(let link, let frame, let bytes):
                guard let peer = peers[link] else { break }
                return sent.add(input, cost: frame.cost(bytes: bytes), bytes: bytes, of: peer)
            case .linkClosed(let link, _):
                guard let peer = peers.removeValue(forKey: link) else { break }
                return sent.add(input, of: peer)
            default: break
            }
            own.append(.input(input))
        }
    }

    private let state = Mutex(State())

    package init() {}

    /// Sets the function to call, once for each drain, when there is something to drain.
    func onWake(_ wake: @escaping @Sendable () -> Void) {
        let hasItems = state.withLock { state in
            state.wake = wake
            state.isWoken = !state.own.isEmpty || !state.sent.isEmpty
            return state.isWoken
        }
        if hasItems { wake() }
    }

    package func offer(_ inputs: [Input]) {
        add { state in
            for input in inputs { state.add(input) }
        }
    }

    package func offer(_ input: Input) {
        add { $0.add(input) }
    }

    package func offer(_ command: Command, reply: @escaping Reply) {
        add { $0.own.append(.command(command, reply)) }
    }

    /// Runs `work` on the node's event loop, in order with the other items of the user and of the machine.
    package func run(_ work: @escaping @Sendable () -> Void) {
        add { $0.own.append(.work(work)) }
    }

    private func add(_ change: (inout State) -> Void) {
        let wake: (@Sendable () -> Void)? = state.withLock { state in
            change(&state)
            guard !state.isWoken else { return nil }
            state.isWoken = true
            return state.wake
        }
        wake?()
    }

    /// Removes and returns what to handle now: everything of the user and of the machine, and a round or some of what
    /// peers sent.
    ///
    /// - Parameter now: monotonic milliseconds.
    func take(at now: Int64) -> [Item] {
        state.withLock { state in
            state.isWoken = false
            let (sent, behind) = state.sent.take(at: now)
            return exchange(&state.own, with: []) + (behind.map(Input.behind) + sent).map(Item.input)
        }
    }

    /// Records whether the disk is behind, and lets links read again for which there is room.
    ///
    /// - Returns: whether more waits: the caller drains again, after the sockets were looked at.
    func settle(isSaturated: Bool) -> Bool {
        let (resumed, isMore) = state.withLock { state in
            state.isSaturated = isSaturated
            let waiting = exchange(&state.waiting, with: [])
            let ready = waiting.filter { !state.isFull(for: $0.link) }
            state.waiting = waiting.filter { state.isFull(for: $0.link) }
            let isMore = !state.isWoken && !state.sent.isEmpty
            if isMore { state.isWoken = true }
            return (ready.map(\.resume), isMore)
        }
        for resume in resumed { resume() }
        return isMore
    }

    func isFull(for link: LinkID) -> Bool { state.withLock { $0.isFull(for: link) } }

    func whenDrained(_ link: LinkID, _ resume: @escaping @Sendable () -> Void) {
        let isReady = state.withLock { state in
            let isFull = state.isFull(for: link)
            if isFull { state.waiting.append((link, resume)) }
            return !isFull
        }
        if isReady { resume() }
    }
}
