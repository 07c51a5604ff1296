package import ParlanceControl
package import ParlanceWords

/// Which notifications stand on the desktop, and which have to be shown, replaced or closed: one for each conversation and
/// one for all requests to talk.
///
/// The caller performs one step after the other, and says how each went. Many messages of one conversation between two
/// steps are one notification, so that a flood costs no more than the desktop takes.
package struct NotificationBoard: Sendable {
    /// What a notification is about, and so what a click on it opens.
    package enum Subject: Hashable, Sendable {
        /// - who: names it for a command: the peer of a direct conversation, or the group.
        case conversation(String, who: String)
        case requests
    }

    package enum Step: Equatable, Sendable {
        /// - replacing: the number that the desktop gave the notification of this subject before; 0 if there is none.
        case show(Subject, replacing: UInt32, title: Phrase, body: Phrase)
        case close(UInt32)
    }

    private struct Entry {
        var serial: UInt64
        var title: Phrase
        var body: Phrase?
        var count = 0
        /// What the body quotes: a message's ID, or the peer ID of somebody who asks.
        var last: String
        var number: UInt32 = 0
        var isDirty = true
    }

    /// Notifications at once: more than a desktop shows.
    package static let limit = 32

    private var entries: [Subject: Entry] = [:]
    /// The subjects, the one that had news last at the end.
    private var order: [Subject] = []
    /// Numbers of notifications to close.
    private var closing: [UInt32] = []
    private var underWay: (subject: Subject, serial: UInt64)?
    private var lastSerial: UInt64 = 0

    package init() {}

    /// Whether there is a step to perform now.
    package var hasStep: Bool { underWay == nil && (!closing.isEmpty || entries.values.contains(where: \.isDirty)) }

    /// How many notifications there are, shown or about to be.
    package var count: Int { entries.count }

    // MARK: - What happens

    package mutating func add(_ event: any ControlEvent) {
        switch event {
        case let event as MessageEvent:
            let message = event.message
            let title = Phrase(verbatim: NotificationText.title(message))
            let who = message.group == nil ? message.sender : message.conversation
            put(.conversation(message.conversation, who: who), title, NotificationText.line(message), last: message.id)
        case let event as RequestEvent:
            let count = (entries[.requests]?.count ?? 0) + 1
            let title = NotificationText.requestTitle(event, count: count)
            put(.requests, title, NotificationText.requestBody(event), last: event.peer)
        default: break
        }
    }

    private mutating func put(_ subject: Subject, _ title: Phrase, _ body: Phrase, last: String) {
        var entry = entries[subject] ?? Entry(serial: nextSerial(), title: title, last: last)
        entry.count += 1
        entry.title = title
        entry.body = body
        entry.last = last
        entry.isDirty = true
        entries[subject] = entry
        order.removeAll { $0 == subject }
        order.append(subject)
        if order.count > Self.limit, let oldest = order.first { remove(oldest) }
    }

    private mutating func nextSerial() -> UInt64 {
        lastSerial += 1
        return lastSerial
    }

    /// The user has read a conversation.
    package mutating func read(_ conversation: String) {
        for case .conversation(conversation, let who) in order { remove(.conversation(conversation, who: who)) }
    }

    /// The user has seen what it is about.
    package mutating func remove(_ subject: Subject) {
        guard let entry = entries.removeValue(forKey: subject) else { return }
        order.removeAll { $0 == subject }
        if entry.number != 0 { closing.append(entry.number) }
    }

    /// A message is no longer shown, or its text has changed: its old text must not be quoted.
    package mutating func changed(_ id: String, to message: MessageInfo?) {
        guard let (subject, entry) = entries.first(where: { $0.key != .requests && $0.value.last == id }) else {
            return
        }
        let text = message.flatMap { $0.deleted == nil && $0.blocked != true ? NotificationText.line($0) : nil }
        guard text != entry.body else { return }
        if text == nil, entry.count == 1 { return remove(subject) }
        entries[subject]?.body = text
        entries[subject]?.isDirty = true
    }

    /// A request was answered.
    package mutating func answered(_ peer: String) {
        if entries[.requests]?.last == peer { remove(.requests) }
    }

    // MARK: - Steps

    package mutating func next() -> Step? {
        guard underWay == nil else { return nil }
        if !closing.isEmpty { return .close(closing.removeFirst()) }
        guard let subject = order.first(where: { entries[$0]?.isDirty == true }), let entry = entries[subject] else {
            return nil
        }
        entries[subject]?.isDirty = false
        underWay = (subject, entry.serial)
        let body = subject == .requests ? entry.body ?? "" : NotificationText.body(count: entry.count, last: entry.body)
        return .show(subject, replacing: entry.number, title: entry.title, body: body)
    }

    /// The desktop has shown it under this number.
    package mutating func shown(as number: UInt32) {
        guard let (subject, serial) = underWay else { return }
        underWay = nil
        if entries[subject]?.serial == serial {
            entries[subject]?.number = number
        } else if !closing.contains(number) {
            // It was read in the meantime.
            closing.append(number)
        }
    }

    /// The desktop did not take it.
    package mutating func failed() {
        guard let (subject, serial) = underWay else { return }
        underWay = nil
        guard entries[subject]?.serial == serial else { return }
        entries[subject] = nil
        order.removeAll { $0 == subject }
    }

    /// The subject of a notification; nil for a number that is not ours.
    package func subject(of number: UInt32) -> Subject? {
        entries.first { $0.value.number == number && number != 0 }?.key
    }

    /// The desktop has closed a notification.
    package mutating func closed(_ number: UInt32) {
        guard let subject = subject(of: number) else { return }
        entries[subject]?.number = 0
        // News that came after it are still to be shown.
        guard entries[subject]?.isDirty == false, underWay?.subject != subject else { return }
        entries[subject] = nil
        order.removeAll { $0 == subject }
    }

    /// The desktop's service is gone, and all numbers with it: the next service counts from one again.
    package mutating func forgetAll() {
        (entries, order, closing, underWay) = ([:], [], [], nil)
    }
}
