import Dispatch
import Glibc

/// One run of a hook: it ends by itself, or is ended when its time is over or the daemon stops.
///
/// Everything happens on its queue.
final class HookRun: @unchecked Sendable {
    enum End: Equatable, Sendable {
        case exited(Int32)
        case killed(Int32)
        /// Its time was over.
        case tooSlow
        /// The daemon stops.
        case stopped
        case notStarted(Int32)

        var isFailure: Bool { self != .exited(0) && self != .stopped }
    }

    private let plan: ChildProcess.Plan
    private let limits: HookLimits
    private let queue: DispatchQueue
    private var child: ChildProcess?
    private var timer: (any DispatchSourceTimer)?
    /// Why it was told to end.
    private var reason: End?

    init(_ plan: ChildProcess.Plan, _ limits: HookLimits, on queue: DispatchQueue) {
        (self.plan, self.limits, self.queue) = (plan, limits, queue)
    }

    /// Runs it to its end; a cancelled task ends it.
    ///
    /// - Returns: how it ended, and what it wrote.
    func perform() async -> (end: End, output: [UInt8], isCut: Bool) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { self.begin { continuation.resume(returning: $0) } }
            }
        } onCancel: {
            queue.async { self.tell(.stopped) }
        }
    }

    private func begin(_ ended: @escaping ((end: End, output: [UInt8], isCut: Bool)) -> Void) {
        dispatchPrecondition(condition: .onQueue(queue))
        if let reason { return ended((reason, [], false)) }
        do throws(ChildProcess.Refused) {
            child = try ChildProcess(plan, on: queue) { [self] end in
                timer?.cancel()
                (timer, child) = (nil, nil)
                let own = end.code.map { End.exited($0) } ?? .killed(end.signal)
                ended((reason ?? own, end.output, end.isCut))
            }
            after(limits.time) { $0.tell(.tooSlow) }
        } catch {
            ended((.notStarted(error.code), [], false))
        }
    }

    /// Tells it to end, and kills it if it does not.
    private func tell(_ reason: End) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard self.reason == nil else { return }
        self.reason = reason
        child?.signal(SIGTERM)
        after(limits.grace) { $0.child?.signal(SIGKILL) }
    }

    private func after(_ milliseconds: Int, _ act: @escaping (HookRun) -> Void) {
        guard child != nil else { return }
        timer?.cancel()
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + .milliseconds(milliseconds))
        source.setEventHandler { [weak self] in self.map(act) }
        source.activate()
        timer = source
    }
}
