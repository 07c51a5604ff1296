package import ParlanceControl
import ParlanceTerminal
import ParlanceWords

/// The chat screen as a value: what happens goes in, what is to be done comes out, and `view` draws it.
///
/// It knows no terminal, no socket and no clock, so that it can be tested by what goes in and comes out. The caller gives
/// it every input in order, calls `settle` before it draws, and performs the effects of both.
package struct Chat: Sendable {
    /// What the line at the bottom is for.
    enum Purpose: Equatable {
        case message
        case answer(to: String)
        case edit(of: String)
        case reaction(to: String)
        case deletion(of: String)
    }

    /// What is said below the history until the next key.
    struct Notice: Equatable {
        var text: String
        var style: Style
    }

    let glyphs: Glyphs
    var clock: LocalClock
    var height = 24
    var width = 80

    var isConnected = false
    var list = ConversationList()
    /// Requests for the lists of conversations, of people who ask, and of people: which are under way, and which have to
    /// follow because something has happened since.
    var refreshing: Set<ListKind> = []
    var refreshAgain: Set<ListKind> = []
    /// The statuses of the open conversation are read again.
    var isReadingAgain = false
    var open: OpenConversation?
    /// What the user gave on the command line, until it is known who that is.
    var wanted: String?

    /// The rows of the open conversation's history.
    var rows: [HistoryRow] = []
    var rowsAreOld = true
    /// The day and the width for which the rows are.
    var rowsDay: Int64 = 0
    var rowsWidth = 0
    /// How many rows are below the bottom edge.
    var scroll = 0
    /// Whether the view is to begin at the line "New", once it is laid out.
    var showsNewFirst = false

    var editor = LineEditor()
    var sent = InputHistory()
    /// What was begun in other conversations.
    var drafts: [String: LineEditor] = [:]
    var purpose = Purpose.message
    /// What stood in the line before the purpose changed.
    var setAside = LineEditor()
    var selected: String?
    var isListFocused = false
    var listPlace = 0
    var isHelpShown = false
    var notice: Notice?

    var lastTyping: ControlTime?
    var lastKey: ControlTime
    /// What was last reported of the user: that there is no input, or that there is.
    var reportedIdle: Bool?

    package init(who: String?, glyphs: Glyphs, clock: LocalClock) {
        wanted = who
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
        switch input {
        case .pressed(let key): return active() + press(key)
        case .resized(let height, let width):
            (self.height, self.width) = (height, width)
            return []
        case .connected: return connected()
        case .disconnected:
            isConnected = false
            refreshing = []
            refreshAgain = []
            isReadingAgain = false
            open?.isLoadingOlder = false
            open?.forgetTyping()
            return []
        case .event(let event): return happened(event)
        case .replied(let purpose, .success(let reply)): return replied(purpose, reply)
        case .replied(let purpose, .failure(let failure)): return failed(purpose, failure)
        case .timePassed: return idleIfDue()
        }
    }

    /// Lays the history out, and says what was read of it.
    package mutating func settle() -> [ChatEffect] {
        layOut()
        // While the line "New" is looked for, older messages would count as read that nobody has seen.
        guard isConnected, !isHelpShown, !showsNewFirst, open?.info != nil, let last = lastShown else { return [] }
        guard let id = open?.read(through: last), let who = open?.who else { return [] }
        return [.call(ReadOperation(who: who, through: id), .read)]
    }

    private mutating func connected() -> [ChatEffect] {
        isConnected = true
        reportedIdle = nil
        notice = nil
        let effects = refresh(.conversations) + refresh(.requests) + refresh(.people) + active()
        if let open { return effects + [load(open.who)] }
        return effects + (wanted.map { [load($0)] } ?? [])
    }

    // MARK: - Idleness

    /// Milliseconds without a key after which the user is reported as idle. The node says "away" after 10 minutes.
    private static let idleAfter: Int64 = 60_000

    /// When `timePassed` is wanted.
    package var deadline: ControlTime? {
        guard isConnected, reportedIdle == false else { return nil }
        return ControlTime(milliseconds: lastKey.milliseconds + Self.idleAfter)
    }

    /// The user is there.
    private mutating func active() -> [ChatEffect] {
        lastKey = clock.now
        guard isConnected, reportedIdle != false else { return [] }
        reportedIdle = false
        return [.call(IdleOperation(idle: false), .sign)]
    }

    private mutating func idleIfDue() -> [ChatEffect] {
        guard let deadline, clock.now >= deadline else { return [] }
        reportedIdle = true
        return [.call(IdleOperation(idle: true, since: lastKey), .sign)]
    }
}
