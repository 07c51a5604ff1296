package import ParlanceControl
import ParlanceTerminal
import ParlanceWords

/// The chat screen as a value: what happens goes in, what is to be done comes out, and `view` draws it.
///
/// It knows no terminal, no socket and no clock, so that it can be tested by what goes in and comes out. The caller gives
/// it every input in order, calls `settle` before it draws and `displayed` once the terminal has the picture, and performs
/// the effects.
package struct Chat: Sendable {
    /// What is said below the history: until the next key, or for a while if nobody asked for it just now.
    struct Notice: Equatable {
        var text: String
        var style: Style
        var until: ControlTime?
    }

    let glyphs: Glyphs
    var clock: LocalClock
    var height = 24
    var width = 80

    var isConnected = false
    /// Since when the daemon has run without an answer; nil if it answers or does not run.
    var silentSince: ControlTime?
    var list = ConversationList()
    var refreshes = Refreshes()
    var open: OpenConversation?
    /// Requests for pages so far.
    var pageRequests = 0

    /// The rows of the open conversation's history.
    var rows: [HistoryRow] = []
    var rowsAreOld = true
    var rowCache = RowCache()
    /// The day for which the rows are.
    var rowsDay: Int64 = 0
    /// The rows of the line that is written, as `settle` found them.
    var input: (rows: [String], cursor: Picture.Position) = ([""], .init(row: 0, column: 0))
    /// How many rows are below the bottom edge.
    var scroll = 0
    /// Whether what is at the bottom edge stays there though nothing was below it.
    var staysAtEdge = false
    /// Whether the selected message is to stand in the middle, once it is laid out.
    var centresSelection = false
    /// Whether the view is to begin at the selected message, once it is laid out.
    var showsSelectionFirst = false
    /// Whether the view is to begin at the line "New", once it is laid out.
    var showsNewFirst = false

    var draft = Draft()
    /// What was begun in other conversations.
    var drafts: [String: Draft] = [:]
    /// Whether drafts outlive the screen.
    let keepsDrafts: Bool
    /// What is kept of them; nil until that was read.
    var keptDrafts: [String: KeptDraft]?
    /// When drafts that may have changed have to be kept.
    var draftsDue: ControlTime?
    /// Texts that are on their way to the daemon: they are kept as drafts until it has them.
    var unanswered: [SentText] = []
    /// The IDs of the conversations that the user named.
    var typedNames: [String: String] = [:]
    var selected: String?
    /// Long messages of the open conversation of which all rows are shown.
    var whole: Set<String> = []
    var isListFocused = false
    /// Whether the last key was a paste that came where single keys were expected.
    var isPasteStray = false
    /// The entry of the list under the cursor.
    var listCursor: String?
    /// What is shown in place of everything, such as the help.
    var sheet: Sheet?
    var search = SearchPane()
    var assistant = AssistantPane()
    /// Questions to the assistant so far.
    var questions = 0
    var notice: Notice?

    var lastTyping: ControlTime?
    var lastKey: ControlTime
    /// What was last reported of the user: that there is no input, or that there is.
    var reportedIdle: Bool?
    /// The conversation that was last reported as shown, so that the desktop does not notify of it.
    var reportedShown: String?

    package init(who: String?, glyphs: Glyphs, clock: LocalClock, keepsDrafts: Bool = false) {
        self.keepsDrafts = keepsDrafts
        open = who.map { OpenConversation(who: $0) }
        self.glyphs = glyphs
        self.clock = clock
        lastKey = clock.now
    }

    /// Below this width the list is shown only when it is asked for.
    static let narrowWidth = 60
    /// The least screen on which anything is drawn.
    static let least = (height: 6, width: 20)

    package mutating func handle(_ input: ChatInput, at clock: LocalClock) -> [ChatEffect] {
        self.clock = clock
        if let until = notice?.until, until <= clock.now { notice = nil }
        let effects = take(input)
        for case .call(_, let purpose) in effects { if let sent = SentText(purpose) { unanswered.append(sent) } }
        return effects + nextPage() + keepDraftsIfDue()
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
        case .pathsListed(let typed, let paths): completePath(typed, among: paths)
        case .draftsRead(let drafts): read(drafts)
        case .draftsFailed(let failure, let changes): draftsFailed(failure, changes)
        case .replied(let purpose, let result):
            defer { noteDrafts() }
            if let sent = SentText(purpose), let place = unanswered.firstIndex(of: sent) {
                unanswered.remove(at: place)
            }
            switch (purpose, result) {
            case (.command(_, _, _, let inner), .success(let reply)): return replied(inner, reply)
            case (.command(let who, let line, let target, let inner), .failure(let failure)):
                if !failure.isConnectionLost { comeBack(line, about: target, to: who) }
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
        layOutInput()
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
        guard isConnected, reportedIdle == false, !isCovered, !showsNewFirst, open?.info != nil else { return [] }
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
        notice = nil
        reportedIdle = clock.now.milliseconds - lastKey.milliseconds >= Self.idleAfter
        return [report(idle: reportedIdle == true)] + refresh(.conversations) + refresh(.requests) + refresh(.people)
            + askForDrafts() + readTalk()
    }

    // MARK: - Idleness

    /// Milliseconds without a key after which the user is reported as idle. The node says "away" after 10 minutes.
    private static let idleAfter: Int64 = 60_000

    /// When `timePassed` is wanted.
    package var deadline: ControlTime? {
        var next = [notice?.until, refreshes.deadline, draftsDue, nextLook].compactMap { $0 }
        if isConnected, reportedIdle == false { next.append(lastKey + Self.idleAfter) }
        // The headers of days change at midnight.
        if !rows.isEmpty { next.append(clock.nextMidnight) }
        return next.min()
    }

    /// When to ask again what keeps the node from others, of which no event tells: while somebody is there, or a problem is
    /// shown.
    private var nextLook: ControlTime? {
        isConnected && (reportedIdle == false || !list.problems.isEmpty) ? refreshes.next(.people) : nil
    }

    private mutating func lookIfDue() -> [ChatEffect] {
        guard let nextLook, nextLook <= clock.now else { return [] }
        return refresh(.people)
    }

    private func report(idle: Bool) -> ChatEffect {
        .call(IdleOperation(idle: idle, since: idle ? lastKey : nil), .sign)
    }

    /// The user is there.
    private mutating func active() -> [ChatEffect] {
        lastKey = clock.now
        guard isConnected, reportedIdle != false else { return [] }
        reportedIdle = false
        return [report(idle: false)]
    }

    private mutating func idleIfDue() -> [ChatEffect] {
        guard isConnected, reportedIdle == false, clock.now >= lastKey + Self.idleAfter else { return [] }
        reportedIdle = true
        return [report(idle: true)]
    }
}

extension ControlTime {
    static func + (time: ControlTime, milliseconds: Int64) -> ControlTime {
        ControlTime(milliseconds: time.milliseconds + milliseconds)
    }
}
