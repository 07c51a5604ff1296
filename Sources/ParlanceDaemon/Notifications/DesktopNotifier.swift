import Dispatch
import ParlanceControl
import ParlanceTexts
import ParlanceWords
import Synchronization

/// Speaks with the program of the desktop that shows notifications (Desktop Notifications Specification 1.2) on the bus of
/// the user's session, and never waits for it.
///
/// Bus and program may be missing, come later, and go: what is to be shown then is forgotten, since news of yesterday are of
/// no use. Only in the first minute it is kept until they are there: peers deliver what has waited within the first tenth of
/// a second. Everything happens on its queue.
final class DesktopNotifier: @unchecked Sendable {
    /// Whether something can be shown, and why not.
    enum State: Equatable, Sendable {
        case noBus
        /// No program shows notifications, and the bus can start none.
        case noService
        case ready
        /// The last one was refused, with what the program or the bus said.
        case refused(String)

        var canShow: Bool { self != .noBus && self != .noService }
    }

    private static let name = "org.freedesktop.Notifications"
    private static let path = "/org/freedesktop/Notifications"
    private static let busName = "org.freedesktop.DBus"

    /// The wait before the next attempt to connect, in milliseconds: it doubles up to a minute.
    private static let firstPause = 1_000
    private static let longestPause = 60_000
    /// Milliseconds between two notifications: a flood changes what is shown, and does not blink.
    private static let pace = 200

    private let queue: DispatchQueue
    private let desk: NotificationDesk
    private let language: Language
    /// Called on the queue when `state` changes, and once `isSettled`.
    private let changed: @Sendable (_ state: State, _ isSettled: Bool) -> Void
    private let open: (NotificationBoard.Subject) -> Void
    private var bus: BusConnection?
    private var state = State.noBus
    /// Something could be shown once, or that was waited for long enough.
    private var isSettled = false
    private var hasMarkup = false
    private var hasActions = false
    private var pause = firstPause
    private var timer: (any DispatchSourceTimer)?
    private var paceTimer: (any DispatchSourceTimer)?
    private var settleTimer: (any DispatchSourceTimer)?

    /// - Parameters:
    ///   - changed: told of each change of what is possible.
    ///   - open: a notification was clicked on.
    init(
        _ queue: DispatchQueue,
        _ desk: NotificationDesk,
        _ language: Language,
        changed: @escaping @Sendable (_ state: State, _ isSettled: Bool) -> Void,
        open: @escaping (NotificationBoard.Subject) -> Void
    ) {
        (self.queue, self.desk, self.language, self.changed, self.open) = (queue, desk, language, changed, open)
    }

    func start() {
        dispatchPrecondition(condition: .onQueue(queue))
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + .milliseconds(Self.longestPause))
        source.setEventHandler { [weak self] in self?.settle() }
        source.activate()
        settleTimer = source
        connect()
    }

    func stop() {
        dispatchPrecondition(condition: .onQueue(queue))
        timer?.cancel()
        paceTimer?.cancel()
        settleTimer?.cancel()
        bus?.close()
        (timer, paceTimer, settleTimer, bus) = (nil, nil, nil, nil)
    }

    // MARK: - The bus and the program

    private func connect() {
        dispatchPrecondition(condition: .onQueue(queue))
        bus = BusConnection(.session, queue) { [weak self] in self?.lost() }
        guard let bus else { return lost() }
        bus.match("type='signal',sender='\(Self.name)',interface='\(Self.name)',path='\(Self.path)'") {
            [weak self] message in self?.signalled(message)
        }
        bus.match(
            "type='signal',sender='\(Self.busName)',interface='\(Self.busName)',member='NameOwnerChanged',"
                + "arg0='\(Self.name)'"
        ) { [weak self] message in self?.ownerChanged(message) }
        ask()
        bus.process()
    }

    private func lost() {
        dispatchPrecondition(condition: .onQueue(queue))
        bus = nil
        paceTimer?.cancel()
        paceTimer = nil
        become(.noBus)
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + .milliseconds(pause))
        source.setEventHandler { [weak self] in self?.connect() }
        source.activate()
        timer = source
        pause = min(2 * pause, Self.longestPause)
    }

    private func become(_ state: State) {
        if !state.canShow, isSettled { desk.forgetAll() }
        guard state != self.state else { return }
        self.state = state
        if state.canShow { settle() }
        changed(state, isSettled)
    }

    private func settle() {
        guard !isSettled else { return }
        isSettled = true
        settleTimer?.cancel()
        settleTimer = nil
        if !state.canShow { desk.forgetAll() }
        changed(state, isSettled)
        work()
    }

    /// Asks what the program can show. One that does not run is not started for that.
    private func ask() {
        bus?.call(method("GetCapabilities")) { [weak self] reply in
            guard let self else { return }
            guard let capabilities = reply.isError ? nil : reply.texts() else { return askWhetherItCanBeStarted() }
            pause = Self.firstPause
            hasMarkup = capabilities.contains("body-markup")
            hasActions = capabilities.contains("actions")
            become(.ready)
        }
    }

    private func askWhetherItCanBeStarted() {
        (hasMarkup, hasActions) = (false, false)
        let list = BusMethod(
            service: Self.busName,
            path: "/org/freedesktop/DBus",
            interface: Self.busName,
            name: "ListActivatableNames"
        )
        bus?.call(list) { [weak self] reply in
            guard let self else { return }
            pause = Self.firstPause
            become(reply.texts()?.contains(Self.name) == true ? .ready : .noService)
        }
    }

    private func ownerChanged(_ message: BusMessage) {
        guard message.text() != nil, let old = message.text() else { return }
        // Another program counts from one again: an old number would replace somebody else's notification.
        if !old.isEmpty { desk.forgetAll() }
        ask()
    }

    private func signalled(_ message: BusMessage) {
        guard let number = message.unsigned() else { return }
        switch message.member {
        case "ActionInvoked":
            // All programs of the session get the signal.
            guard message.text() == "default", let subject = desk.clicked(number) else { return }
            open(subject)
            work()
        case "NotificationClosed": desk.closed(number)
        default: break
        }
    }

    // MARK: - Showing

    /// Performs what is due.
    func work() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard bus != nil, paceTimer == nil, state.canShow else { return }
        while let step = desk.next() {
            switch step {
            case .close(let number):
                bus?.call(method("CloseNotification"), { $0.append(number) }, { _ in })
            case .show(_, let old, let title, let body):
                // First, because the answer may come while it is sent.
                setPace()
                let isAsked = show(title.text(in: language), body.text(in: language), replacing: old)
                if !isAsked { desk.failed() }
                return
            }
        }
        bus?.process()
    }

    private func show(_ title: String, _ body: String, replacing old: UInt32) -> Bool {
        let asked = bus?.call(
            method("Notify"),
            startsService: true,
            { message in
                message.append("Parlance")
                message.append(old)
                message.append("")
                message.append(title)
                message.append(hasMarkup ? Self.escaped(body) : body)
                message.append("a", of: "s") {
                    guard hasActions else { return }
                    message.append("default")
                    message.append(Phrase("Open").text(in: language))
                }
                message.append("a", of: "{sv}") {
                    message.appendEntry("category", "s") { message.append("im.received") }
                    message.appendEntry("urgency", "y") { message.append(UInt8(1)) }
                }
                message.append(Int32(-1))
            },
            { [weak self] reply in self?.answered(reply) }
        )
        bus?.process()
        return asked ?? false
    }

    private func answered(_ reply: BusMessage) {
        if let number = reply.isError ? nil : reply.unsigned() {
            desk.shown(as: number)
            become(.ready)
        } else {
            desk.failed()
            become(.refused(VisibleText.line(reply.error ?? "")))
        }
        work()
    }

    private func setPace() {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + .milliseconds(Self.pace))
        source.setEventHandler { [weak self] in
            guard let self else { return }
            paceTimer?.cancel()
            paceTimer = nil
            work()
        }
        source.activate()
        paceTimer = source
    }

    private func method(_ name: String) -> BusMethod {
        BusMethod(service: Self.name, path: Self.path, interface: Self.name, name: name)
    }

    /// The body is a little HTML, and its text is another person's.
    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&apos;")
    }
}
