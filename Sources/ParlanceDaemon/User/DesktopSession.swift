import Dispatch
import ParlanceCore
import ParlanceNode

/// Follows what logind knows about the user's desktop: whether it is idle, and whether its screen is locked
/// (org.freedesktop.login1(5)).
///
/// A daemon of the user's service manager belongs to no session itself, so it asks for the one on which the user is
/// shown. Desktops set the hints; under a window manager that does not, the session always seems active. Without a bus,
/// without logind and without a desktop there is nothing to report; it looks again later.
///
/// Everything happens on its queue.
final class DesktopSession: @unchecked Sendable {
    private static let service = "org.freedesktop.login1"
    private static let manager = "/org/freedesktop/login1"
    private static let user = "/org/freedesktop/login1/user/self"
    private static let session = "org.freedesktop.login1.Session"
    private static let properties = "org.freedesktop.DBus.Properties"

    /// The wait before the next attempt to connect, in milliseconds: it doubles up to a minute.
    private static let firstPause = 1_000
    private static let longestPause = 60_000

    private let queue = DispatchQueue(label: "parlance.desktop")
    /// Takes what logind sees of the user; `nil` if it sees nothing.
    private let report: @Sendable (UserSight?) -> Void
    private var bus: BusConnection?
    /// The object of the session; `nil` if none is known.
    private var path: String?
    private var reported: UserSight?
    private var pause = firstPause
    private var timer: (any DispatchSourceTimer)?

    init(report: @escaping @Sendable (UserSight?) -> Void) {
        self.report = report
    }

    func start() {
        queue.async { self.connect() }
    }

    /// Ends it, and returns once it has ended.
    func stop() async {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                timer?.cancel()
                bus?.close()
                (timer, bus) = (nil, nil)
                continuation.resume()
            }
        }
    }

    private func connect() {
        dispatchPrecondition(condition: .onQueue(queue))
        bus = BusConnection(.system, queue) { [weak self] in self?.lost() }
        guard let bus else { return lost() }
        bus.match(
            "type='signal',sender='\(Self.service)',interface='\(Self.properties)',member='PropertiesChanged',"
                + "arg0='\(Self.session)'"
        ) { [weak self] message in
            if let self, message.path == path { ask() }
        }
        // Sessions that begin and end.
        bus.match("type='signal',sender='\(Self.service)',interface='\(Self.service).Manager',path='\(Self.manager)'") {
            [weak self] _ in self?.findSession()
        }
        // logind itself: it may start after this node, and start again.
        bus.match(
            "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
                + "arg0='\(Self.service)'"
        ) { [weak self] _ in self?.findSession() }
        findSession()
        bus.process()
    }

    private func lost() {
        dispatchPrecondition(condition: .onQueue(queue))
        (bus, path) = (nil, nil)
        tell(nil)
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + .milliseconds(pause))
        source.setEventHandler { [weak self] in self?.connect() }
        source.activate()
        timer = source
        pause = min(2 * pause, Self.longestPause)
    }

    private func findSession() {
        bus?.call(Self.service, Self.user, Self.properties, "Get", ["org.freedesktop.login1.User", "Display"]) {
            [weak self] reply in self?.found(reply)
        }
    }

    private func found(_ reply: BusMessage) {
        if !reply.isError { pause = Self.firstPause }
        let object = reply.within("v", of: "(so)") {
            reply.within("r", of: "so") { reply.text().flatMap { $0.isEmpty ? nil : reply.text("o") } }
        }
        path = reply.isError ? nil : object
        path == nil ? tell(nil) : ask()
    }

    private func ask() {
        guard let path else { return }
        bus?.call(Self.service, path, Self.properties, "GetAll", [Self.session]) { [weak self] reply in
            if let self, self.path == path { tell(reply.isError ? nil : Hints(reply)?.sight(after: reported)) }
        }
    }

    private func tell(_ sight: UserSight?) {
        dispatchPrecondition(condition: .onQueue(queue))
        guard sight != reported else { return }
        reported = sight
        report(sight)
    }
}

/// The properties of a session that say whether its user is active.
private struct Hints {
    var isIdle = false
    var isLocked = false
    /// Since when it is idle, in microseconds since 1970; 0 if unknown.
    var since: UInt64 = 0

    init?(_ reply: BusMessage) {
        let isRead = reply.properties { name in
            switch name {
            case "IdleHint": isIdle = reply.within("v", of: "b") { reply.bool() } ?? isIdle
            case "LockedHint": isLocked = reply.within("v", of: "b") { reply.bool() } ?? isLocked
            case "IdleSinceHint": since = reply.within("v", of: "t") { reply.number() } ?? 0
            default: reply.skip()
            }
        }
        guard isRead else { return nil }
    }

    /// - Parameter last: what was seen before; logind does not say since when a screen is locked.
    func sight(after last: UserSight?) -> UserSight {
        if isLocked {
            if case .locked = last, let last { return last }
            return .locked(since: Instant(wall: nil, .now()))
        }
        return isIdle ? .idle(since: Instant(wall: since == 0 ? nil : Int64(since / 1_000), .now())) : .active
    }
}
