import CSystemd
import Dispatch
import ParlanceNode
import ServiceLifecycle

/// What systemd is told while it runs the daemon as its service (sd_notify(3)). Without systemd nothing happens.
enum ServiceManager {
    /// The node takes links and commands.
    ///
    /// - Parameter status: what `systemctl status` shows.
    static func ready(_ status: String) {
        sd_notify(0, "READY=1\nSTATUS=\(status)")
    }

    /// The node reads its settings again; `ready` ends that.
    static func reloading() {
        sd_notify(0, "RELOADING=1")
    }

    /// The node has begun to stop.
    static func stopping() {
        sd_notify(0, "STOPPING=1\nSTATUS=stops")
    }

    /// The node is alive.
    static func alive() {
        sd_notify(0, "WATCHDOG=1")
    }

    /// After how long without `alive` systemd starts the daemon again; nil if it does not watch.
    static var watchdog: DispatchTimeInterval? {
        var microseconds: UInt64 = 0
        guard sd_watchdog_enabled(0, &microseconds) > 0, let count = Int(exactly: microseconds) else { return nil }
        return .microseconds(count)
    }
}

/// Tells systemd that the node's queue still works off what comes, so that a node that hangs is started again.
struct WatchdogService: Service {
    /// The time between two signs of life: a third of what systemd allows, so that one late one does no harm.
    let interval: DispatchTimeInterval
    let inbox: Inbox

    /// - Parameter allowed: after how long without a sign of life systemd acts.
    init(allowed: DispatchTimeInterval, inbox: Inbox) {
        self.inbox = inbox
        if case .microseconds(let count) = allowed { interval = .microseconds(count / 3) } else { interval = allowed }
    }

    func run() async throws {
        await repeatedly(every: interval) { inbox.run { ServiceManager.alive() } }
    }
}
