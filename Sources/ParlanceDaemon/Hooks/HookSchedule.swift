import ParlanceControl

/// Which hook runs next for which event, and which events are dropped because there are too many.
///
/// A value without clock and processes: `HookService` runs what it says.
struct HookSchedule: Sendable {
    struct Job: Sendable {
        let hook: HookFile
        let event: any ControlEvent
    }

    struct Counts: Equatable, Sendable {
        var runs = 0
        /// Runs that ended with an error, took too long, or could not begin.
        var failures = 0
        /// Events that a hook missed.
        var dropped = 0
    }

    /// How often a hook may run just now.
    private struct Allowance {
        var left: Int
        /// When `left` was right, in milliseconds.
        var since: Int64
    }

    private let limits: HookLimits
    /// The hooks that can be run.
    private(set) var hooks: [HookFile] = []
    private var waiting: [Job] = []
    private var running: Set<String> = []
    private var allowances: [String: Allowance] = [:]
    private(set) var counts = Counts()

    init(_ limits: HookLimits = HookLimits()) {
        self.limits = limits
    }

    var runningCount: Int { running.count }
    var waitingCount: Int { waiting.count }

    /// Other hooks are there now. What waits for one that is gone is forgotten.
    mutating func use(_ hooks: [HookFile]) {
        self.hooks = hooks
        waiting.removeAll { job in !hooks.contains { $0.name == job.hook.name } }
        allowances = allowances.filter { name, _ in hooks.contains { $0.name == name } }
    }

    /// An event came.
    ///
    /// - Parameter now: milliseconds of a monotonic clock.
    /// - Returns: how many hooks miss it.
    mutating func offer(_ event: any ControlEvent, at now: Int64) -> Int {
        guard let occasion = Occasion(event) else { return 0 }
        let kinds = HookKind.kinds(for: occasion)
        var dropped = 0
        for hook in hooks where hook.kind.map(kinds.contains) == true {
            if waiting.count < limits.waiting, takesOne(hook.name, at: now) {
                waiting.append(Job(hook: hook, event: event))
            } else {
                dropped += 1
            }
        }
        counts.dropped += dropped
        return dropped
    }

    private mutating func takesOne(_ hook: String, at now: Int64) -> Bool {
        var allowance = allowances[hook] ?? Allowance(left: limits.burst, since: now)
        let earned = max(0, now - allowance.since) / limits.pause
        if earned > 0 {
            allowance.left = min(limits.burst, allowance.left + Int(clamping: min(earned, Int64(limits.burst))))
            allowance.since += earned * limits.pause
        }
        let isTaken = allowance.left > 0
        if isTaken { allowance.left -= 1 }
        allowances[hook] = allowance
        return isTaken
    }

    /// The next run that may begin: the one that waits longest of those whose hook does not run.
    mutating func next() -> Job? {
        guard running.count < limits.atOnce, let index = waiting.firstIndex(where: { !running.contains($0.hook.name) })
        else { return nil }
        let job = waiting.remove(at: index)
        running.insert(job.hook.name)
        counts.runs += 1
        return job
    }

    mutating func ended(_ hook: String, isFailure: Bool) {
        running.remove(hook)
        if isFailure { counts.failures += 1 }
    }
}
