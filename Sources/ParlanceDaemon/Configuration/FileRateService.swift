import Dispatch
import ParlanceControl
import ServiceLifecycle
import Synchronization

/// Tells the node when the hours of the setting `file-rate` begin and end. It sleeps while the setting has no hours.
struct FileRateService: Service {
    let keeper: FileRateKeeper

    func run() async throws {
        let timer = DispatchSource.makeTimerSource()
        timer.setEventHandler { [keeper] in keeper.wake() }
        timer.schedule(deadline: next)
        timer.activate()
        defer { timer.cancel() }
        for await _ in keeper.wakes.cancelOnGracefulShutdown() {
            timer.schedule(deadline: next, leeway: .milliseconds(20))
        }
    }

    /// Looks at the clock, and says when to look again.
    private var next: DispatchTime {
        keeper.look().map { .now() + .milliseconds(Int($0)) } ?? .distantFuture
    }
}

/// Knows which limit the node was told.
final class FileRateKeeper: Sendable {
    private struct State {
        var setting: FileRate?
        /// Bytes a second; `nil`: no limit.
        var told: UInt64?
    }

    /// One element after each change of the setting and each ring of the timer, for `FileRateService`.
    let wakes: AsyncStream<Void>
    private let wakeUp: AsyncStream<Void>.Continuation
    private let state: Mutex<State>
    private let tell: @Sendable (UInt64?) -> Void

    /// - Parameter tell: tells the node another limit.
    init(_ setting: FileRate?, at clock: LocalClock = .system(), tell: @escaping @Sendable (UInt64?) -> Void) {
        (wakes, wakeUp) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
        state = Mutex(State(setting: setting, told: setting?.bytes(at: clock)))
        self.tell = tell
    }

    /// The limit that the node was told; the engine starts with it.
    var told: UInt64? { state.withLock { $0.told } }

    func wake() { wakeUp.yield() }

    /// The setting has changed.
    func use(_ setting: FileRate?, at clock: LocalClock = .system()) {
        state.withLock { state in
            state.setting = setting
            update(&state, at: clock)
        }
        wake()
    }

    /// Tells the node the limit that holds now, if it is another one.
    ///
    /// - Returns: milliseconds until the next look; `nil` if the clock does not matter, because there are no hours.
    func look(at clock: LocalClock = .system()) -> Int64? {
        let hours = state.withLock { state in
            update(&state, at: clock)
            return state.setting?.hours
        }
        return hours == nil ? nil : FileRate.pause(at: clock)
    }

    /// Runs within the lock, so that the node learns of changes in their order.
    private func update(_ state: inout State, at clock: LocalClock) {
        let rate = state.setting?.bytes(at: clock)
        guard rate != state.told else { return }
        state.told = rate
        tell(rate)
    }
}
