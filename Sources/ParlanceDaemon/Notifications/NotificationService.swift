import Dispatch
import ParlanceControl
import ParlanceNode
import ParlanceWords
import ServiceLifecycle
import Synchronization

/// Notifies the user on the desktop while the daemon runs. It takes events only while a notification can be shown, and in the
/// first minute, when the desktop may still come, so that a node without a desktop pays nothing.
final class NotificationService: Service {
    /// What `doctor` and `stats` tell of notifications.
    struct Report: Equatable, Sendable {
        var rules = Attention.Rules()
        var state = DesktopNotifier.State.noBus
        var shown = 0
    }

    let desk: NotificationDesk
    private let hub: EventHub
    private let queue = DispatchQueue(label: "parlance.notifications")
    private let opener: TerminalOpener
    private let language: Language
    private let state = Mutex(
        (possible: DesktopNotifier.State.noBus, isSettled: false, token: SubscriptionToken?.none)
    )

    init(_ rules: Attention.Rules, hub: EventHub, opener: TerminalOpener, language: Language) {
        desk = NotificationDesk(rules) { hub.isBusy }
        (self.hub, self.opener, self.language) = (hub, opener, language)
        // Before any peer is linked.
        subscribeOrNot()
    }

    var report: Report {
        Report(rules: desk.rules, state: state.withLock { $0.possible }, shown: desk.shown)
    }

    func run() async throws {
        let notifier = DesktopNotifier(
            queue,
            desk,
            language,
            changed: { [weak self] possible, isSettled in
                self?.state.withLock { ($0.possible, $0.isSettled) = (possible, isSettled) }
                self?.subscribeOrNot()
            },
            open: { [opener, queue] in opener.open($0, on: queue) }
        )
        desk.onWake { [weak self, queue] in
            queue.async { [weak self] in
                self?.subscribeOrNot()
                notifier.work()
            }
        }
        queue.async { notifier.start() }
        // Whether the group shuts it down or is cancelled, it stops.
        try? await gracefulShutdown()
        await withCheckedContinuation { continuation in
            queue.async {
                notifier.stop()
                continuation.resume()
            }
        }
        state.withLock { $0.token }.map(hub.unsubscribe)
    }

    /// Called on the queue, and before it is used.
    private func subscribeOrNot() {
        let (possible, isSettled, token) = state.withLock { $0 }
        let isWanted = (possible.canShow || !isSettled) && desk.rules.level != .none
        if isWanted, token == nil {
            let token = hub.subscribe(SubscriptionFilter(events: NotificationDesk.kinds)) { [desk] in desk.take($0) }
            self.state.withLock { $0.token = token }
        } else if !isWanted, let token {
            hub.unsubscribe(token)
            self.state.withLock { $0.token = nil }
        }
    }
}
