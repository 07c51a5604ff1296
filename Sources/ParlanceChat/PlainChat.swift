package import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

/// The chat as lines that are never changed again, for terminals that cannot draw and for screen readers: it tells what is
/// new once, in the order in which it came, and each line that is typed is sent.
///
/// It is the state of the chat screen without its picture: conversations, pages, commands and read marks are the same.
package struct PlainChat: Sendable {
    private var chat: Chat
    /// The conversation of which messages were told, and those messages.
    private var shown: String?
    private var told: Set<String> = []
    /// Where the messages that were told begin. What is before it is told only if it is new.
    private var beginning = ""
    /// What is before this place has been told or left out, and is never told from a page: lines only go forward.
    private var passed = ""
    /// The conversation of which no older messages can be read, so that what is here is told without them.
    private var endsAbove: String?
    /// The message of the last line, if that was a message or its status.
    private var lastTold: String?
    /// Messages that came before it was known whether they belong to the conversation that is being opened.
    private var unplaced: [MessageInfo] = []
    /// What was last said of the newest message of this user.
    private var status: (id: String, words: String)?
    /// What happened elsewhere, and has not been told yet.
    private var news: [PlainLine] = []
    private var isListed = false
    /// The problem of the node that was last told.
    private var problem: NodeStatus.Problem?
    private var failure: Phrase?
    /// What was asked for by typed lines and not answered yet, with the numbers of the lines.
    private var asked: [(purpose: ChatPurpose, line: Int)] = []
    /// The line that opens a conversation, until that is here or was refused; 0 stands for the start of the program.
    private var opening: Int?
    /// How many times the members of a group are being asked for.
    private var membersAsked = 0
    /// Whether nobody looks at what is shown before the next line.
    private let isPipe: Bool
    /// Why the conversation that was named at the start could not be opened.
    package private(set) var notOpened: ControlFailure?
    /// The numbers of the lines that were not sent, or whose command was refused, as far as that is known.
    package private(set) var unsent: Set<Int> = []

    /// The messages before the first unread one that are told when a conversation is opened.
    private static let context = 10
    /// A screen on which everything that is here fits, so that what was told counts as seen.
    private static let size = (height: 1 << 20, width: 200)
    /// Characters of a text that is given back.
    private static let shortText = 60

    /// - Parameter isPipe: whether nobody looks at what is shown before the next line: nothing is opened that was not named.
    package init(who: String?, isPipe: Bool, clock: LocalClock) {
        self.isPipe = isPipe
        opening = who == nil ? nil : 0
        chat = Chat(who: who, glyphs: Glyphs(isUTF8: false), clock: clock, opensFirst: !isPipe)
        _ = chat.handle(.resized(height: Self.size.height, width: Self.size.width), at: clock)
    }

    /// When `timePassed` is wanted.
    package var deadline: ControlTime? { chat.deadline }

    package mutating func handle(_ input: ChatInput, at clock: LocalClock) -> [ChatEffect] {
        let effects = pass(input, at: clock)
        if case .replied(let purpose, let result) = input { noteAnswer(purpose, result) }
        noteOpening(input)
        returnText()
        return effects
    }

    /// Whether the next line can be carried out: what it may need of those before it is here. That is the conversation
    /// that was opened, with its unread messages and its members. A program that writes to a pipe does not wait for
    /// answers, so there everything else that was asked for is answered first, but for texts, which the daemon takes in
    /// their order.
    package var takesLine: Bool {
        // What cannot be done without a daemon is refused.
        guard chat.isConnected else { return true }
        if isPipe, asked.contains(where: { !$0.purpose.isText }) { return false }
        guard let open = chat.open, open.failure == nil else { return true }
        return open.info != nil && membersAsked == 0 && !isLookingBack(open)
    }

    /// The first line that asked for this is done, or was refused.
    private mutating func noteAnswer(_ purpose: ChatPurpose, _ result: Result<any Sendable, ControlFailure>) {
        guard let place = asked.firstIndex(where: { $0.purpose == purpose }) else { return }
        let line = asked.remove(at: place).line
        if case .failure = result { unsent.insert(line) }
    }

    /// Whether the conversation that is open is on its way.
    private var isOpening: Bool { chat.open.map { $0.info == nil && $0.failure == nil } ?? false }

    /// Notes whether what a line wanted to open is here now, or was refused.
    private mutating func noteOpening(_ input: ChatInput) {
        guard let line = opening, let open = chat.open, open.info != nil || open.failure != nil else { return }
        opening = nil
        guard open.info == nil else { return }
        if line > 0 { unsent.insert(line) }
        if line == 0, case .replied(_, .failure(let failure)) = input { notOpened = failure }
    }

    private mutating func pass(_ input: ChatInput, at clock: LocalClock) -> [ChatEffect] {
        // There is no line to which what was refused could come back.
        if case .replied(.command(_, _, _, let purpose), let result) = input {
            return pass(.replied(purpose, result), at: clock)
        }
        switch input {
        case .event(let event): note(event)
        case .connected: (endsAbove, membersAsked) = (nil, 0)
        case .replied(.members, _): membersAsked = max(0, membersAsked - 1)
        case .replied(.page(let request), .failure(let failure)):
            // After a lost connection it is asked for again.
            if !failure.isConnectionLost, chat.open?.pages.request == request { endsAbove = chat.open?.who }
        default: break
        }
        // One that is there afterwards is new.
        chat.notices.clear()
        var effects = chat.handle(input, at: clock)
        if case .event(let event as MessageEvent) = input { noteLate(event.message) }
        if case .replied(.search, .success(let reply as SearchReply)) = input { news.append(.found(reply)) }
        noteAssistant(input)
        settle()
        effects += lookForUnread()
        for case .call(_, .members) in effects { membersAsked += 1 }
        if case .replied(.conversations, .success) = input, !isListed {
            isListed = true
            listed()
        }
        tellProblem()
        return effects
    }

    /// Tells what the assistant answered. Its pane has nothing to show after that.
    private mutating func noteAssistant(_ input: ChatInput) {
        switch input {
        case .replied(.asked, .success(let reply as AskReply)): news.append(.answered(reply))
        case .replied(.talk, .success(let reply as TalkReply)): news.append(.talk(reply))
        case .replied(.asked, .failure), .replied(.talk, .failure): break
        default: return
        }
        chat.assistant.isOpen = chat.assistant.asked != nil
    }

    /// A line was typed, the one with this number.
    package mutating func typed(_ line: String, number: Int, at clock: LocalClock) -> [ChatEffect] {
        (chat.search.isOpen, chat.assistant.isOpen) = (false, false)
        let (before, wasOpening) = (chat.open?.who, isOpening)
        let begun = pass(.pressed(.paste(line)), at: clock)
        let done = pass(.pressed(.named(.enter)), at: clock)
        if returnText() { unsent.insert(number) }
        if isOpening, !wasOpening || chat.open?.who != before { opening = number }
        for case .call(_, let purpose) in done where purpose.isOfTheUser || purpose.isSearch {
            asked.append((purpose, number))
        }
        for case .sendFile(_, _, let purpose) in done { asked.append((purpose, number)) }
        // The text is complete: nobody has to be told that it is typed.
        let isAsked = done.contains { if case .call(is AskOperation, _) = $0 { true } else { false } }
        // With a question, only its answer is told.
        return begun.filter { !$0.isTyping } + done.filter { !isAsked || !$0.isTalk }
    }

    /// What is to be told now, each once. Call `displayed` when it is written.
    package mutating func lines() -> [PlainLine] {
        defer { news = [] }
        let lines = conversation() + news
        switch lines.last {
        case .message(let message)?: lastTold = message.id
        // What has become of a message.
        case .said? where news.isEmpty && status != nil: lastTold = status?.id
        case nil: break
        default: lastTold = nil
        }
        return lines
    }

    /// What `lines` returned is written, so it counts as seen.
    package mutating func displayed() -> [ChatEffect] { chat.displayed() }

    // MARK: - What happens

    /// Keeps an event that the open conversation does not show.
    private mutating func note(_ event: any ControlEvent) {
        let isHere = event.conversationID != nil && event.conversationID == chat.open?.info?.id
        switch event {
        case let event as MessageEvent where !isHere:
            guard !event.message.mine, event.message.muted != true else { break }
            if let open = chat.open, open.info == nil, open.failure == nil {
                unplaced.append(event.message)
            } else {
                news.append(.elsewhere(event.message))
            }
        case let event as ChangedEvent where isHere: if told.contains(event.message.id) { news.append(.event(event)) }
        case let event as WithdrawnEvent: if told.remove(event.id) != nil { news.append(.event(event)) }
        case is FailedEvent where isHere: news.append(.event(event))
        case let event as PresenceEvent: if event.peer == chat.open?.info?.peer { news.append(.event(event)) }
        case is RequestEvent: news.append(.event(event))
        default: break
        }
    }

    /// Tells a message that belongs above those that are here: it came late, and the conversation would show it further up.
    private mutating func noteLate(_ message: MessageInfo) {
        guard let open = chat.open, message.conversation == open.info?.id else { return }
        if open.place(message.id) == nil || message.place < passed { news.append(.message(message)) }
    }

    /// Reads back to the first unread message, or to what was told, after a long interruption in which more came than a
    /// page holds.
    private mutating func lookForUnread() -> [ChatEffect] {
        guard let open = chat.open, chat.isConnected, !chat.history.showsNewFirst, isLookingBack(open),
            !open.pages.isLoadingOlder
        else { return [] }
        if open.isBehind { chat.goToEnd() }
        chat.history.goToNew()
        chat.open?.pages.wantsOlder = true
        return chat.nextPage()
    }

    /// Whether unread messages may be above those that are here, and are told before them.
    private func isLookingBack(_ open: OpenConversation) -> Bool {
        guard open.info != nil, endsAbove != open.who else { return false }
        if chat.history.showsNewFirst { return true }
        guard open.hasNewAbove, open.messages.count < Chat.mostNewAtOnce else { return false }
        // What is above those that were told was told too.
        return shown != open.who || !open.messages.contains { told.contains($0.id) }
    }

    /// Turns what the screen would show for a while into lines.
    private mutating func settle() {
        chat.settle()
        if let notice = chat.notices.present { news.append(.said(notice.text, notice.style)) }
        if let sheet = chat.sheet {
            // Keys do nothing here.
            let isHelp = sheet.content == .help
            let lines =
                isHelp
                ? HelpText.commands(width: Self.size.width) : sheet.lines(width: Self.size.width, clock: chat.clock)
            news += lines.map { .said($0.map(\.text).joined(), .plain) }
            chat.sheet = nil
        }
        if chat.open?.failure != failure {
            failure = chat.open?.failure
            guard let failure else { return }
            news.append(said(say(failure), .bad))
            // Nothing is opened, so all of these are of other conversations.
            news += unplaced.map { .elsewhere($0) }
            unplaced = []
        }
    }

    /// Says once what keeps the node from others.
    private mutating func tellProblem() {
        guard isListed, chat.list.problem?.code != problem?.code else { return }
        problem = chat.list.problem
        guard let problem, problem.severity == .problem else { return }
        news.append(said(say("\(problem.message) \(problem.advice)"), .warning))
    }

    /// The first list has come: what is unread in other conversations, or that there is nobody.
    private mutating func listed() {
        if chat.open == nil {
            // A plain chat has no keys to press.
            let open = say("No conversation is open. To open one: /open WHO")
            news += (chat.whoIsAround + [open, say("All commands: /help")]).map { said($0, .faint) }
            if chat.list.entries.isEmpty { problem = chat.list.problem }
        }
        for info in chat.list.conversations where info.unread > 0 && info.muted != true {
            guard ![info.id, info.peer].contains(chat.open?.who), info.id != chat.open?.info?.id else { continue }
            let title = NameText.marked(info.title, info.trust)
            news.append(said(say("\(title): \(info.unread) unread. To read: /open \(title)"), .strong))
        }
    }

    private func said(_ text: String, _ style: Style) -> PlainLine { .said(VisibleText.line(text), style) }

    /// There is no line in which a text could stay: it is given back, also that of a conversation that was left since.
    ///
    /// - Returns: whether there was such a text in the open conversation.
    @discardableResult
    private mutating func returnText() -> Bool {
        for (who, draft) in chat.composer.drafts.sorted(by: { $0.key < $1.key }) {
            var rest = draft
            if giveBack(&rest) { chat.composer.drafts[who] = rest }
        }
        var draft = chat.composer.draft
        defer { chat.composer.draft = draft }
        return giveBack(&draft)
    }

    private mutating func giveBack(_ draft: inout Draft) -> Bool {
        let text = draft.editor.text
        guard !text.isEmpty || draft.aim != .message else { return false }
        // The next line is a new one, whatever this one was for.
        draft.endAim()
        draft.clear()
        draft.keyPressed()
        guard !text.allSatisfy(\.isWhitespace) else { return false }
        news.append(said(say("Not sent: \(Self.short(text))"), .warning))
        return true
    }

    // MARK: - The open conversation

    private mutating func conversation() -> [PlainLine] {
        // While older messages are read up to the first unread one, nothing is told.
        guard let open = chat.open, let info = open.info, !isLookingBack(open) else { return [] }
        var lines: [PlainLine] = []
        if shown != open.who {
            lines = begin(open, info)
        } else {
            // What has moved out of the part that is kept does not come again.
            told.formIntersection(open.messages.map(\.id))
        }
        // There are older messages, and either some were told and are not kept any more, or more are unread than are told.
        if open.hasMore, let first = open.messages.first?.place, open.hasNewAbove || first > beginning {
            passed = max(passed, first)
        }
        let isFirst = !lines.isEmpty
        for message in open.messages where told.insert(message.id).inserted {
            // An older page: it was read again after the daemon was gone.
            if message.place < passed || message.place < beginning && message.unread != true { continue }
            var message = message
            // Its status is told once it is known.
            if !isFirst { message.status = nil }
            lines.append(.message(message))
        }
        return lines + newStatus(open, behind: lines.last)
    }

    /// Begins to tell another conversation: what it is, and where its messages begin that are told.
    private mutating func begin(_ open: OpenConversation, _ info: ConversationInfo) -> [PlainLine] {
        (shown, status, passed) = (open.who, nil, "")
        let firstNew = open.messages.firstIndex(where: { $0.unread == true }) ?? open.messages.count
        let first = max(0, firstNew - Self.context)
        told = Set(open.messages[..<first].map(\.id))
        beginning = open.messages.dropFirst(first).first?.place ?? ""
        news = unplaced.filter { $0.conversation != info.id }.map { .elsewhere($0) } + news
        unplaced = []
        if let last = Self.newestOwn(of: open) { status = (last.id, StatusText.words(last).map(say) ?? "") }
        let older = open.hasNewAbove ? [said(say("Still older messages: parlance history"), .faint)] : []
        return head(open, info) + older
    }

    /// Who it is with, and what has to be known before anything is written.
    private func head(_ open: OpenConversation, _ info: ConversationInfo) -> [PlainLine] {
        let about = chat.about(open)
        let title = NameText.marked(info.title, info.trust)
        let state = open.messages.isEmpty ? chat.emptyText : chat.state(info).map { [$0] } ?? []
        return [said(about.isEmpty ? title : "\(title): \(about)", .strong)] + state.map { said($0, .warning) }
    }

    /// What has become of the newest message of this user, if it was told, and that has changed and is worth a line.
    ///
    /// - Parameter line: the last of the lines that stand right before it; nil if there are none.
    private mutating func newStatus(_ open: OpenConversation, behind line: PlainLine?) -> [PlainLine] {
        guard let last = Self.newestOwn(of: open), let words = StatusText.words(last).map(say),
            status?.id != last.id || status?.words != words
        else { return [] }
        // In a group it is told how many have it, which is known a moment later.
        if open.info?.kind == .group, last.reach == nil { return [] }
        // On the way, or nobody knows yet why it waits.
        if last.status == .sending || last.status == .staged && last.waitingReason == nil { return [] }
        status = (last.id, words)
        // The message was not printed here.
        guard last.place >= max(beginning, passed) else { return [] }
        let before = if case .message(let message)? = line { message.id } else { lastTold }
        guard before != last.id else { return [said("[\(words)]", .faint)] }
        // Something else was told since.
        let text = last.text.isEmpty ? last.files?.first?.name ?? "" : last.text
        return [said("[\(words)] \(Self.short(text))", .faint)]
    }

    /// The newest message of this user of which a status can be told.
    private static func newestOwn(of open: OpenConversation) -> MessageInfo? {
        open.messages.last { $0.mine && $0.note == nil && $0.deleted == nil }
    }

    private static func short(_ text: String) -> String {
        String(text.prefix(shortText)) + (text.count > shortText ? "…" : "")
    }
}

extension ChatEffect {
    /// Whether it reads what was asked the assistant.
    fileprivate var isTalk: Bool {
        if case .call(is TalkOperation, _) = self { true } else { false }
    }

    /// Whether it tells others that the user types.
    fileprivate var isTyping: Bool {
        if case .call(is TypingOperation, _) = self { true } else { false }
    }
}
