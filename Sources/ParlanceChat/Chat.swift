package import ParlanceControl
import ParlanceTerminal
import ParlanceWords

/// The chat screen as a value: what happens goes in, what is to be done comes out, and `view` draws it.
///
/// It knows no terminal, no socket and no clock, so that it can be tested by what goes in and comes out. The caller gives
/// it every input in order, calls `settle` before it draws and `displayed` once the terminal has the picture, and performs
/// the effects. Its parts are values with their own rules; here is what goes between them.
package struct Chat: Sendable {
    let glyphs: Glyphs
    var clock: LocalClock
    var height = 24
    var width = 80

    /// Whether the first conversation of the list is opened if none is named.
    let opensFirst: Bool
    var isConnected = false
    /// Since when the daemon has run without an answer; nil if it answers or does not run.
    var silentSince: ControlTime?
    var list = ConversationList()
    var refreshes = Refreshes()
    var open: OpenConversation?
    /// Requests for pages so far.
    var pageRequests = 0

    var history = HistoryPane()
    var composer: Composer
    /// Whether the last key was a paste that came where single keys were expected.
    var isPasteStray = false
    /// What is shown in place of everything, such as the help.
    var sheet: Sheet?
    var search = SearchPane()
    var assistant = AssistantPane()
    /// Questions to the assistant so far.
    var questions = 0
    var notices = Notices()
    var attendance: Attendance
    /// The conversation that was last reported as shown, so that the desktop does not notify of it.
    var reportedShown: String?

    /// - Parameter opensFirst: whether the first conversation of the list is opened if none is named.
    package init(
        who: String?,
        glyphs: Glyphs,
        clock: LocalClock,
        keepsDrafts: Bool = false,
        opensFirst: Bool = true
    ) {
        self.opensFirst = opensFirst
        composer = Composer(keepsDrafts: keepsDrafts)
        open = who.map { OpenConversation(who: $0) }
        self.glyphs = glyphs
        self.clock = clock
        attendance = Attendance(since: clock.now)
    }

    /// Below this width the list is shown only when it is asked for.
    static let narrowWidth = 60
    /// The least screen on which anything is drawn.
    static let least = (height: 6, width: 20)

    package mutating func handle(_ input: ChatInput, at clock: LocalClock) -> [ChatEffect] {
        self.clock = clock
        notices.passed(clock.now)
        let effects = take(input)
        for case .call(_, let purpose) in effects {
            if composer.asked(purpose) { notices.sent() }
        }
        let unkept = composer.unkeptIfDue(own: draftKey, at: clock.now)
        return effects + nextPage() + (unkept.isEmpty ? [] : [.keepDrafts(unkept)])
    }

    private mutating func take(_ input: ChatInput) -> [ChatEffect] {
        switch input {
        case .pressed(let key):
            let effects = active() + press(key)
            noteDrafts()
            return effects
        case .resized(let height, let width):
            (self.height, self.width) = (height, width)
            return []
        case .connected: return connected()
        case .disconnected(let silentSince):
            isConnected = false
            self.silentSince = silentSince
            refreshes = Refreshes()
            open?.disconnected()
            search.disconnected()
            assistant.disconnected()
            return []
        case .event(let event): return happened(event)
        case .pathsListed(let typed, let paths): pathsListed(typed, paths)
        case .draftsRead(let drafts): composer.read(drafts, own: draftKey, at: clock.now)
        case .draftsFailed(let failure, let changes): draftsFailed(failure, changes)
        case .replied(let purpose, let result):
            defer { noteDrafts() }
            composer.answered(purpose)
            switch (purpose, result) {
            case (.command(_, _, _, let inner), .success(let reply)): return replied(inner, reply)
            case (.command(let who, let line, let target, let inner), .failure(let failure)):
                if !failure.isConnectionLost {
                    composer.comeBack(refused: line, about: target, to: who, open: open?.who)
                }
                return failed(inner, failure)
            case (_, .success(let reply)): return replied(purpose, reply)
            case (_, .failure(let failure)): return failed(purpose, failure)
            }
        case .timePassed: return idleIfDue() + lookIfDue() + refreshes.due(at: clock.now).map(call)
        }
        return []
    }

    /// Whether something else is shown in place of the conversations.
    private var isCovered: Bool { sheet != nil || search.isOpen || assistant.isOpen }

    /// Lays everything out for the next picture.
    package mutating func settle() {
        composer.layOut(width: paneWidth - DisplayWidth.of(Self.prompt) - 1)
        layOut()
    }

    /// The terminal shows the picture.
    package mutating func displayed() -> [ChatEffect] { reportShown() + reportRead() }

    /// Tells the node which conversation stands on the screen, so that the desktop stays quiet about it.
    private mutating func reportShown() -> [ChatEffect] {
        let shown = isCovered ? nil : open?.info?.id
        guard isConnected, shown != reportedShown else { return [] }
        reportedShown = shown
        return [.call(ShowsOperation(conversation: shown), .sign)]
    }

    /// Says what was read of the picture, if somebody is there.
    private mutating func reportRead() -> [ChatEffect] {
        // While the line "New" is looked for, older messages would count as read that nobody has seen.
        guard isConnected, attendance.isIdle == false, !isCovered, !history.showsNewFirst, open?.info != nil else {
            return []
        }
        let shown = shownMessages
        open?.saw(shown)
        markNewAbove()
        guard let id = open?.read(), let who = open?.who else { return [] }
        return [.call(ReadOperation(who: who, through: id), .sign)]
    }

    private mutating func connected() -> [ChatEffect] {
        isConnected = true
        silentSince = nil
        reportedShown = nil
        notices.clear()
        attendance.connected(at: clock.now)
        return [reportPresence()] + refresh(.conversations) + refresh(.requests) + refresh(.people)
            + askForDrafts() + readTalk()
    }

    // MARK: - Idleness

    /// When `timePassed` is wanted.
    package var deadline: ControlTime? {
        // The headers of days change at midnight.
        let midnight = history.rows.isEmpty ? nil : clock.nextMidnight
        let idle = isConnected ? attendance.deadline : nil
        return [notices.present?.until, refreshes.deadline, composer.due, nextLook, idle, midnight].compactMap { $0 }
            .min()
    }

    /// When to ask again what keeps the node from others, of which no event tells: while somebody is there, or a problem is
    /// shown.
    private var nextLook: ControlTime? {
        isConnected && (attendance.isIdle == false || !list.problems.isEmpty) ? refreshes.next(.people) : nil
    }

    private mutating func lookIfDue() -> [ChatEffect] {
        guard let nextLook, nextLook <= clock.now else { return [] }
        return refresh(.people)
    }

    private func reportPresence() -> ChatEffect {
        let isIdle = attendance.isIdle == true
        return .call(IdleOperation(idle: isIdle, since: isIdle ? attendance.lastKey : nil), .sign)
    }

    /// The user is there.
    private mutating func active() -> [ChatEffect] {
        attendance.pressed(at: clock.now, reports: isConnected) ? [reportPresence()] : []
    }

    private mutating func idleIfDue() -> [ChatEffect] {
        isConnected && attendance.passed(clock.now) ? [reportPresence()] : []
    }
}

extension ControlTime {
    static func + (time: ControlTime, milliseconds: Int64) -> ControlTime {
        ControlTime(milliseconds: time.milliseconds + milliseconds)
    }
}
