import ParlanceControl
import ParlanceNode
import ParlanceProfile

/// The settings, hooks and notifications of a running daemon, as its node asks for them.
struct DaemonHost: NodeHost {
    let reloads: ReloadService
    let hooks: HookService
    let notifications: NotificationService

    var settings: ConfigInfo { reloads.settings.info }
    var configuredName: ConfiguredName? { reloads.settings.configuredName }

    var report: HostReport {
        var report = HostReport(hooks.report, notifications.report)
        report.settings = reloads.settings.problems
        return report
    }

    func reload() async throws(ControlError) -> ConfigReloadReply {
        let result = await withCheckedContinuation { continuation in
            reloads.ask { continuation.resume(returning: $0) }
        }
        return try result.mapError { ControlError($0) }.get()
    }

    func shows(_ conversation: String?, client: UInt64) { notifications.desk.shows(conversation, face: client) }

    func read(_ conversation: String) { notifications.desk.read(conversation) }
}

extension HostReport {
    init(_ hooks: HookService.Report, _ notifications: NotificationService.Report) {
        self.init()
        self.hooks = hooks.problems
        lines = [notifications.line, hooks.line]
        counts.notifications = notifications.shown
        counts.hookRuns = hooks.counts.runs
        counts.hookFailures = hooks.counts.failures
        counts.hookEventsMissed = hooks.counts.dropped
    }
}
