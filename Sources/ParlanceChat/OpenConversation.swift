import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// The conversation that is shown: a part of its history, most often the newest, and who types.
///
/// Pages and events arrive in any order. Both are merged by position; what an event told since a page was asked for is
/// newer than the page. One page is asked for at a time (`OpenConversation+Pages.swift`).
struct OpenConversation: Equatable, Sendable {
    /// Names it for the daemon: the ID of a group or of a person, at first what the user typed.
    var who: String
    /// Nil until the first page has come.
    var info: ConversationInfo?
    /// Why the first page did not come.
    var failure: Phrase?
    /// In the order of their positions, without gaps from the first to the newest, unless `isBehind`.
    var messages: [MessageInfo] = []
    /// Whether there are older messages.
    var hasMore = false
    /// Whether there are newer messages, which are not here because the user reads older ones.
    var isBehind = false
    /// The message above which the line "New" stands, until the conversation is opened again.
    var firstNew: String?
    var group: GroupInfo?
    /// What has to be read from the daemon.
    var pages = Pages()
    /// The unread messages that were on the screen.
    private(set) var seen: Set<String> = []
    /// Who types here.
    private(set) var typing: [Typist] = []
    /// How far each member's last `reached` event told, by member and status.
    private var told: [String: UInt64] = [:]

    struct Typist: Equatable, Sendable {
        var peer: String
        var name: String
    }

    /// Messages that are kept while the newest are shown, and how many remain when there are more.
    private static let (most, least) = (800, 500)
    /// Messages that are kept while the user reads older ones: what comes after that is read again on the way back.
    static let mostWhileAway = 2_000

    /// - Parameter message: the message around which it is opened; nil for its end.
    init(who: String, at message: String? = nil) {
        self.who = who
        pages = Pages(around: message)
    }

    func place(_ id: String?) -> Int? { id.flatMap { id in messages.lastIndex { $0.id == id } } }
    func message(_ id: String?) -> MessageInfo? { place(id).map { messages[$0] } }

    // MARK: - Events

    /// A new message. One that belongs above the first that is here comes with an older page.
    mutating func added(_ message: MessageInfo, isAway: Bool) {
        if place(message.id) != nil { return changed(message) }
        pages.told(message)
        typing.removeAll { $0.peer == message.sender }
        // What is newer comes with a page.
        if isBehind, let last = messages.last, message.place > last.place { return }
        if isAway, !isBehind, messages.count >= Self.mostWhileAway {
            isBehind = true
            return
        }
        var message = message
        // An event does not say so.
        if !message.mine, message.note == nil { message.unread = true }
        insert(message)
        if !isAway { shorten() }
    }

    mutating func insert(_ message: MessageInfo) {
        let place = messages.endOfEarlier(than: message)
        if place == 0, hasMore { return }
        messages.insert(message, at: place)
    }

    /// Forgets the oldest messages if there are many.
    private mutating func shorten() {
        guard messages.count > Self.most else { return }
        messages.removeFirst(messages.count - Self.least)
        hasMore = true
        seen.formIntersection(messages.map(\.id))
    }

    /// An event about a change tells no status, so the message keeps the one that it has.
    mutating func changed(_ message: MessageInfo) {
        pages.told(message)
        guard let place = place(message.id) else { return }
        let old = messages.remove(at: place)
        var new = message
        new.status = message.status ?? old.status
        new.keepStatus(of: old)
        new.waitingReason = message.waitingReason ?? old.waitingReason
        new.reach = message.reach ?? (message.status == .failed ? nil : old.reach)
        let hasItsPlace = old.waits == true && message.waits != true && !message.mine
        new.unread = message.unread ?? (hasItsPlace ? true : old.unread)
        insert(new)
    }

    mutating func withdrawn(_ id: String) {
        pages.withdrawn(id)
        messages.removeAll { $0.id == id }
    }

    /// Changes a file wherever a message names it.
    ///
    /// - Returns: whether one does.
    mutating func changeFile(_ id: String, _ body: (inout FileInfo) -> Void) -> Bool {
        var isFound = false
        for place in messages.indices {
            // A message can name the same bytes under several names.
            for index in messages[place].files?.indices ?? 0..<0 where messages[place].files?[index].file == id {
                isFound = true
                if messages[place].mine { continue }
                messages[place].files?.changeElement(at: index, body)
            }
        }
        return isFound
    }

    mutating func changed(_ event: StatusEvent) {
        for index in messages.indices {
            guard messages[index].mine, let status = messages[index].status,
                let sequence = messages[index].sequence, sequence <= event.sequence,
                status.rank < event.status.rank
            else { continue }
            messages[index].status = event.status
            messages[index].waitingReason = nil
        }
    }

    /// A member has got or read more messages: those are read again, since the event tells less than the history.
    mutating func changed(_ event: ReachedEvent) {
        let key = "\(event.member.id) \(event.status.rawValue)"
        let before = told.updateValue(event.sequence, forKey: key) ?? 0
        readAgain { $0.status != .read && ($0.sequence ?? 0) > before && ($0.sequence ?? 0) <= event.sequence }
    }

    /// Reads the messages of this user again from the first on that may have another status.
    mutating func readAgain(where isOld: (MessageInfo) -> Bool) {
        // What is newer is read on the way back, and then this too.
        guard !isBehind, let first = messages.first(where: { $0.mine && $0.note == nil && isOld($0) }) else { return }
        pages.readAgain(from: first.place)
    }

    mutating func changed(_ event: TypingEvent) {
        typing.removeAll { $0.peer == event.peer }
        if event.active {
            typing.append(Typist(peer: event.peer, name: NameText.marked(event.displayName, event.trust)))
        }
    }

    /// The connection was lost: nobody is known to type, and everything has to be read again.
    mutating func disconnected() {
        typing = []
        told = [:]
        pages = Pages()
    }

    // MARK: - Reading

    /// Something that the user has not seen yet, as far as this screen knows.
    func isNew(_ message: MessageInfo) -> Bool { message.unread == true && !seen.contains(message.id) }

    /// These messages were on the screen.
    mutating func saw(_ ids: some Sequence<String>) {
        let shown = Set(ids)
        for message in messages where message.unread == true && shown.contains(message.id) { seen.insert(message.id) }
    }

    /// Whether unread messages may be above the first that is here.
    var hasNewAbove: Bool {
        hasMore && messages.first { !$0.mine && $0.note == nil && $0.waits != true }?.unread == true
    }

    /// The messages that were seen and have no unseen one above them; they count as read from now on. What waits is not
    /// unread for the daemon, and stays marked here until it has its position.
    ///
    /// - Returns: the message through which the user has read; nil if nothing is to be told.
    mutating func read() -> String? {
        guard !hasNewAbove else { return nil }
        var last: Int?
        for (index, message) in messages.enumerated() where message.unread == true && message.waits != true {
            if !seen.contains(message.id) { break }
            last = index
        }
        guard let last else { return nil }
        for index in 0...last where messages[index].waits != true { messages[index].unread = nil }
        return messages[last].id
    }

    /// The user says that all of it is read.
    ///
    /// - Returns: the last message; nil if it is not here.
    mutating func readAll() -> String? {
        for index in messages.indices { messages[index].unread = nil }
        return isBehind ? nil : messages.last { $0.waits != true }?.id
    }

    /// The end is shown again: what was not kept is read.
    mutating func returned() {
        shorten()
        if isBehind { pages.reload() }
    }

    /// Asks for the messages after those that are here.
    mutating func loadNewer() {
        guard isBehind else { return }
        pages.wantsNewer = true
        guard messages.count >= Self.mostWhileAway else { return }
        messages.removeFirst(messages.count - Self.most)
        hasMore = true
        seen.formIntersection(messages.map(\.id))
    }
}

extension MessageInfo {
    /// Its place among the others. Daemons that tell none order by time, as far as can be seen from outside.
    var place: String {
        if let position { return position }
        let digits = String(max(0, time.milliseconds), radix: 16)
        return String(repeating: "0", count: max(0, 16 - digits.count)) + digits + id
    }

    /// Statuses only move forward, except that a message can fail, and be tried again.
    mutating func keepStatus(of old: MessageInfo) {
        guard let before = old.status, let now = status, now != .failed, now.rank < before.rank else { return }
        // A link that ends takes what was on its way back.
        guard before != .sending else { return }
        status = before
    }
}

extension [FileInfo] {
    fileprivate mutating func changeElement(at index: Int, _ body: (inout FileInfo) -> Void) {
        body(&self[index])
    }
}

extension [MessageInfo] {
    /// Where a message belongs in an ordered list.
    func endOfEarlier(than message: MessageInfo) -> Int {
        let place = message.place
        var end = count
        while end > 0, self[end - 1].place > place { end -= 1 }
        return end
    }
}

extension MessageStatus {
    /// The place in the order in which statuses follow each other.
    var rank: Int {
        switch self {
        case .failed: 0
        case .staged: 1
        case .sending: 2
        case .sent: 3
        case .delivered: 4
        case .read: 5
        }
    }
}
