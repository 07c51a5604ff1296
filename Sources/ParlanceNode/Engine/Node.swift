import Dispatch
package import NIOCore
package import ParlanceCore
import ParlanceNetwork

/// Runs the engine on the event loop of the links: it passes what the inbox hands out to the engine, and the
/// engine's effects to the runner. A frame arrives and leaves without a change of threads.
///
/// All writes of one drain form one transaction. While it is being synced, the next drain collects.
package actor Node {
    private let loop: any EventLoop
    private let inbox: Inbox
    private let runner: EffectRunner
    private var engine: Engine
    private var isRunning = false
    /// Fires at `armedFor`, in milliseconds of the monotonic clock.
    private var timer: Scheduled<Void>?
    private var armedFor: Int64?
    private var nextCommand: UInt64 = 0
    private var stopping: CheckedContinuation<Void, Never>?

    package nonisolated var unownedExecutor: UnownedSerialExecutor { loop.executor.asUnownedSerialExecutor() }

    /// - Parameter loop: it must run until the node has stopped.
    package init(engine: Engine, inbox: Inbox, runner: EffectRunner, loop: any EventLoop) {
        self.engine = engine
        self.inbox = inbox
        self.runner = runner
        self.loop = loop
    }

    /// Starts to drain the inbox, now and whenever an item is offered to it.
    package func start() {
        isRunning = true
        inbox.onWake { [weak self, loop] in
            loop.execute { [weak self] in self?.assumeIsolated { $0.drain() } }
        }
        drain()
    }

    /// Says goodbye on every link and writes what is still pending. Accepted messages are on disk already; what peers sent
    /// and was not handled was not acknowledged either, so they send it again.
    package func stop() async {
        run(engine.stop(at: Self.now()))
        await withCheckedContinuation { continuation in
            stopping = continuation
            drain()
        }
        isRunning = false
        inbox.onWake {}
        timer?.cancel()
    }

    private func drain() {
        guard isRunning else { return }
        let now = Self.now()
        let items = inbox.take(at: now.monotonic)
        if let due = engine.nextDeadline, due <= now.monotonic { run(engine.handle(.deadlinePassed, at: now)) }
        for item in items {
            switch item {
            case .input(let input):
                runner.counters.note(input)
                run(engine.handle(input, at: now))
            case .command(let command, let reply):
                nextCommand += 1
                let id = CommandID(nextCommand)
                runner.expect(id, reply)
                run(engine.handle(.commandGiven(id, command), at: now))
            case .work(let work): work()
            }
        }
        run(engine.flush(at: now))
        if inbox.settle(isSaturated: engine.isSaturated || runner.isBehind) {
            // What a friend sends now must not wait until a flood is over.
            loop.executeAfterSockets { [weak self] in self?.assumeIsolated { $0.drain() } }
        }
        arm(now)
        if engine.isSettled, let stopping {
            self.stopping = nil
            stopping.resume()
        }
    }

    /// Names come before what mentions them.
    private func run(_ effects: [Effect]) {
        if let directory = engine.takeDirectory() { runner.publish(directory) }
        runner.run(effects)
    }

    /// Moves the timer forward if the next deadline comes before it. A timer that fires early only sets the next one:
    /// each message moves deadlines, and setting a timer costs more than a drain in which nothing is due.
    private func arm(_ now: Instant) {
        guard let due = engine.nextDeadline else { return }
        if let armedFor, armedFor <= due { return }
        timer?.cancel()
        armedFor = due
        timer = loop.scheduleTask(in: .milliseconds(max(1, due - now.monotonic))) { [weak self] in
            self?.assumeIsolated { $0.timerFired() }
        }
    }

    private func timerFired() {
        armedFor = nil
        drain()
    }

    private static func now() -> Instant {
        Instant(monotonic: Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000), wall: WallClock.milliseconds())
    }
}
