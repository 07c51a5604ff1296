import Dispatch
import Glibc
import Logging
import NIOCore
import ParlanceControl
import ParlanceCore
import ParlanceNode
import ParlanceWords
import ServiceLifecycle
import Synchronization

/// Runs the programs in the folder of hooks when something concerns the user (protocol/control.md, "Hooks").
///
/// Events arrive from the node's event loop, and each takes a moment there; the folder, the programs and what they write
/// are handled on a queue of their own.
final class HookService: Service {
    private struct State {
        var schedule: HookSchedule
        /// All hooks, those that are not run too.
        var files: [HookFile] = []
        /// Why the folder could not be read the last time; nil: it could, or there is none.
        var fault: HookFolder.Unreadable?
        var token: SubscriptionToken?
        /// Tells the present subscription from the one before it, whose last events may still come.
        var subscription = 0
        /// Whether a line about events that hooks missed is due, and how many are to be told.
        var isReportDue = false
        var unreported = 0
    }

    /// What `doctor` and `stats` tell of hooks.
    struct Report: Equatable, Sendable {
        var folder = ""
        var files: [HookFile] = []
        /// Why the folder cannot be read; nil: it can, or there is none.
        var fault: HookFolder.Unreadable?
        var counts = HookSchedule.Counts()
    }

    private let folder: HookFolder
    private let environment: HookEnvironment
    private let hub: EventHub
    private let logger: Logger
    private let limits: HookLimits
    private let queue = DispatchQueue(label: "parlance.hooks")
    private let state: Mutex<State>
    private let wakes: AsyncStream<Void>
    private let wake: AsyncStream<Void>.Continuation

    init(
        folder: String,
        environment: HookEnvironment,
        hub: EventHub,
        logger: Logger,
        limits: HookLimits = HookLimits()
    ) {
        self.folder = HookFolder(path: folder)
        (self.environment, self.hub, self.logger, self.limits) = (environment, hub, logger, limits)
        state = Mutex(State(schedule: HookSchedule(limits)))
        (wakes, wake) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var report: Report {
        state.withLock { Report(folder: folder.path, files: $0.files, fault: $0.fault, counts: $0.schedule.counts) }
    }

    func run() async throws {
        let watch = FolderWatch(folder.path, queue) { [weak self] in self?.look() }
        queue.async { watch.start() }
        await cancelWhenGracefulShutdown { await self.work() }
        queue.async { watch.stop() }
        state.withLock { $0.token }.map(hub.unsubscribe)
    }

    /// Runs hooks until the task is cancelled.
    private func work() async {
        await withDiscardingTaskGroup { group in
            for await _ in wakes {
                while !Task.isCancelled, let job = state.withLock({ $0.schedule.next() }) {
                    group.addTask { await self.perform(job) }
                }
            }
        }
    }

    // MARK: - Events

    private func take(_ event: any ControlEvent, of subscription: Int) {
        let now = Moment.now().monotonic
        let (isWakeDue, isReportDue) = state.withLock { state in
            guard state.subscription == subscription else { return (false, false) }
            let dropped = state.schedule.offer(event, at: now)
            state.unreported += dropped
            let isReportDue = dropped > 0 && !state.isReportDue
            if isReportDue { state.isReportDue = true }
            return (state.schedule.waitingCount > 0, isReportDue)
        }
        if isWakeDue { wake.yield() }
        if isReportDue {
            queue.asyncAfter(deadline: .now() + .milliseconds(limits.reportPause)) { [weak self] in
                self?.reportDropped()
            }
        }
    }

    private func reportDropped() {
        let count = state.withLock { state in
            defer { (state.isReportDue, state.unreported) = (false, 0) }
            return state.unreported
        }
        logger.warning("Hooks missed events, because there were too many", metadata: ["events": "\(count)"])
    }

    // MARK: - The folder

    /// The hooks of the folder; none if it cannot be read, which is logged once.
    private func readFolder() -> [HookFile] {
        var files: [HookFile] = []
        var fault: HookFolder.Unreadable?
        do throws(HookFolder.Unreadable) {
            files = try folder.look()
        } catch {
            fault = error
        }
        let before = state.withLock { exchange(&$0.fault, with: fault) }
        if let fault, fault != before {
            logger.warning(
                "The folder of hooks cannot be read",
                metadata: ["reason": "\(String(cString: strerror(fault.code)))"]
            )
        }
        return files
    }

    /// Reads the folder, and subscribes to what its hooks need: without hooks nothing is told.
    private func look() {
        let files = readFolder()
        let usable = files.filter { $0.fault == nil }
        let (before, old, number) = state.withLock { state in
            let before = state.files
            state.files = files
            state.schedule.use(usable)
            return (before, state.token, state.subscription + 1)
        }
        guard files != before else { return }
        for file in files where !before.contains(file) {
            if let problem = file.problem {
                logger.warning("A hook is not run", metadata: ["reason": "\(problem.message)"])
            }
        }
        let kinds = Set(usable.compactMap { $0.kind?.event })
        let token =
            kinds.isEmpty
            ? nil
            : hub.subscribe(SubscriptionFilter(events: kinds)) { [weak self] event in
                self?.take(event, of: number)
            }
        // The new one takes over in one moment, so that no event is lost or taken twice.
        state.withLock { ($0.token, $0.subscription) = (token, number) }
        old.map(hub.unsubscribe)
    }

    // MARK: - Running

    private func perform(_ job: HookSchedule.Job) async {
        let hook = job.hook
        // It may have changed since the folder was read.
        if let fault = HookFile.fault(of: hook.path) {
            logger.warning("A hook is not run", metadata: ["reason": "\(hook.problem(fault).message)"])
            return ended(hook, isFailure: true)
        }
        let plan = ChildProcess.Plan(
            path: hook.path,
            environment: environment.variables(for: hook),
            folder: folder.path,
            input: Self.input(job.event),
            outputLimit: HookLimits.outputBytes
        )
        let (end, output, isCut) = await HookRun(plan, limits, on: queue).perform()
        note(hook, end, output, isCut: isCut)
        ended(hook, isFailure: end.isFailure)
    }

    private func ended(_ hook: HookFile, isFailure: Bool) {
        state.withLock { $0.schedule.ended(hook.name, isFailure: isFailure) }
        wake.yield()
    }

    /// One line: the event as `parlance watch --json` prints it.
    static func input(_ event: any ControlEvent) -> [UInt8] {
        let data = JSONValueEncoder.json(of: event)
        let line: JSON = .object([.init("type", .string(event.kind.rawValue)), .init("data", data)])
        return Array((JSONWriter.text(line) + "\n").utf8)
    }

    private func note(_ hook: HookFile, _ end: HookRun.End, _ output: [UInt8], isCut: Bool) {
        let name: Logger.MetadataValue = "\(VisibleText.line(hook.name))"
        if !output.isEmpty {
            let text = VisibleText.line(String(decoding: output, as: UTF8.self).trimmedEnd) + (isCut ? "…" : "")
            logger.info("A hook wrote", metadata: ["hook": name, "output": "\(text)"])
        }
        switch end {
        case .exited(0), .stopped: break
        case .exited(let code): logger.warning("A hook failed", metadata: ["hook": name, "code": "\(code)"])
        case .killed(let signal): logger.warning("A hook was killed", metadata: ["hook": name, "signal": "\(signal)"])
        case .tooSlow:
            let limit = "\(limits.time / 1_000) s"
            logger.warning("A hook took too long and was ended", metadata: ["hook": name, "limit": "\(limit)"])
        case .notStarted(let code):
            let reason = String(cString: strerror(code))
            logger.warning("A hook could not be started", metadata: ["hook": name, "reason": "\(reason)"])
        }
    }
}

extension String {
    /// The text without line feeds and spaces at its end.
    fileprivate var trimmedEnd: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
