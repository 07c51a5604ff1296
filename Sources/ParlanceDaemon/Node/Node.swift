import Dispatch
import ParlanceCore

/// The engine on its own serial queue: what comes into the inbox goes to it in order, what it decides goes to the runner.
///
/// Everything of one drain becomes one transaction; while that one is being synced the next drain collects.
actor Node {
    private let executor: QueueExecutor
    private let inbox: Inbox
    private let runner: EffectRunner
    private var engine: Engine
    private var timer: (any DispatchSourceTimer)?
    private var armedFor: Int64?
    private var nextCommand: UInt64 = 0
    private var stopping: CheckedContinuation<Void, Never>?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(engine: Engine, inbox: Inbox, runner: EffectRunner) {
        self.engine = engine
        self.inbox = inbox
        self.runner = runner
        executor = QueueExecutor(label: "parlance.node")
    }

    /// Begins to work: from here on the inbox is drained whenever something is in it.
    func start() {
        let queue = executor.queue
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self] in self?.assumeIsolated { $0.drain() } }
        timer.activate()
        self.timer = timer
        inbox.onWake { [weak self] in
            queue.async { [weak self] in self?.assumeIsolated { $0.drain() } }
        }
        drain()
    }

    /// Says goodbye on every link and writes what still waits; what was accepted is on disk already.
    func stop() async {
        runner.run(engine.stop(at: Self.now()))
        await withCheckedContinuation { continuation in
            stopping = continuation
            drain()
        }
        timer?.cancel()
        timer = nil
    }

    private func drain() {
        guard timer != nil else { return }
        let items = inbox.takeAll()
        let now = Self.now()
        if let due = engine.nextDeadline, due <= now.monotonic { runner.run(engine.handle(.deadlinePassed, at: now)) }
        for item in items {
            switch item {
            case .input(let input): runner.run(engine.handle(input, at: now))
            case .command(let command, let reply):
                nextCommand += 1
                let id = CommandID(nextCommand)
                runner.expect(id, reply)
                runner.run(engine.handle(.commandGiven(id, command), at: now))
            case .work(let work): work()
            }
        }
        runner.run(engine.flush(at: now))
        inbox.settle(isSaturated: engine.isSaturated)
        arm(now)
        if engine.isSettled, let stopping {
            self.stopping = nil
            stopping.resume()
        }
    }

    private func arm(_ now: Instant) {
        guard engine.nextDeadline != armedFor || armedFor.map({ $0 <= now.monotonic }) == true else { return }
        armedFor = engine.nextDeadline
        let delay = armedFor.map { max(1, $0 - now.monotonic) }
        timer?.schedule(
            deadline: delay.map { .now() + .milliseconds(Int($0)) } ?? .distantFuture,
            leeway: .milliseconds(1)
        )
    }

    private static func now() -> Instant {
        Instant(monotonic: Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000), wall: WallClock.milliseconds())
    }
}
