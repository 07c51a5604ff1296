import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import ParlanceWords

// Operations on conversations, which join the engine's state with the store's.

extension NodeOperations {
    static let conversations: [any NodeOperation.Type] = [
        ConversationsOperation.self, HistoryOperation.self, ReadOperation.self, TypingOperation.self,
    ]
}

extension ConversationsOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> ConversationsReply {
        let places = try await node.places()
        return ConversationsReply(conversations: try await node.read { try node.conversations(places) })
    }
}

extension HistoryOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> HistoryReply {
        let limit = limit ?? Self.defaultLimit
        guard (1...Self.maximumLimit).contains(limit) else { throw .pageSize(limit) }
        let unread = unread == true
        guard [before, after, around].compactMap(\.self).count + (unread ? 1 : 0) <= 1 else { throw .severalPlaces }
        let place = try await node.ask(.findConversation(who: who), \.place)
        return try await node.read {
            if let around { return try node.page(of: place, around: around, limit) }
            if unread, let first = try node.store.firstUnread(in: place.conversation) {
                return try node.page(of: place, around: first, limit)
            }
            return try node.page(of: place, before: before, after: after, limit)
        }
    }
}

extension ReadOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> ReadReply {
        let place = try await node.ask(.findConversation(who: who), \.place)
        let (positions, unread) = try await node.read {
            (try through.map { try node.positions(through: $0, in: place) }, try node.unread(in: place))
        }
        try await node.ask(.read(who: place.who, through: positions), \.done)
        node.host.read(place.conversation.text)
        let rest = try await node.read { try node.unread(in: place) }
        return ReadReply(conversation: place.conversation.text, marked: max(0, unread - rest))
    }
}

extension TypingOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> DoneReply {
        try await node.give(.typing(who: who))
    }
}

extension LocalControl {
    /// How far each log is read once a message, and what is shown before it, is.
    fileprivate func positions(through typed: String, in place: Place) throws -> [LogID: LogPosition] {
        let message = try message(typed, in: place)
        let positions = try store.positions(through: message, in: place.conversation, overlay: place.overlay)
        guard let positions else { throw ControlError.unknownMessage }
        return positions
    }

    fileprivate func unread(in place: Place) throws(StoreError) -> Int {
        try store.summary(of: place.conversation)?.unread ?? 0
    }

    fileprivate func conversations(_ places: [Place]) throws(StoreError) -> [ConversationInfo] {
        let summaries = Dictionary(try store.conversations().map { ($0.record.id, $0) }) { $1 }
        let shown = places.filter { place in
            if case .peer(let view) = place, view.record.request != nil { return true }
            return summaries[place.conversation] != nil
        }
        let cutOff = facts.cutOff()
        let infos = shown.map { place in
            conversation(place, summaries[place.conversation], MessageTeller(hub: hub, place: place, cutOff: cutOff))
        }
        let inOrder = infos.sorted {
            ($0.lastActivity?.milliseconds ?? 0, $1.id) > ($1.lastActivity?.milliseconds ?? 0, $0.id)
        }
        return inOrder.filter { $0.pinned == true } + inOrder.filter { $0.pinned != true }
    }

    /// - Parameter teller: describes the last message.
    func conversation(_ place: Place, _ summary: ConversationSummary?, _ teller: MessageTeller) -> ConversationInfo {
        var info = ConversationInfo(
            id: place.conversation.text,
            kind: place.isGroup ? .group : .direct,
            title: place.title,
            lastMessage: summary?.lastMessage.map { teller.info($0) },
            lastActivity: summary?.lastActivity.map { ControlTime(shown: $0) },
            unread: summary?.unread ?? 0,
            mentions: summary?.mentions ?? 0
        )
        let (preference, now) = (hub.preference(of: place.conversation), LocalClock.system())
        if preference.isPinned { info.pinned = true }
        if preference.isQuiet(at: now) { info.muted = true }
        info.mutedUntil = preference.muteEnd(at: now.now.milliseconds)
        info.quiet = preference.quietHours
        info.retain = preference.retentionSeconds
        if preference.unlisted != nil { info.hidden = true }
        info.disappear = place.disappear
        switch place {
        case .peer(let view):
            info.peer = view.record.id.controlID
            info.trust = .init(view.record.trust)
            info.warning = view.warning
            info.presence = view.knownPresence
            info.contact = view.contact
            info.preview = view.record.request?.preview
            if info.lastActivity == nil {
                info.lastActivity = view.record.request.map { ControlTime(milliseconds: $0.time) }
            }
        case .group(let view):
            info.members = view.members.count
            info.isMember = view.isMember
            info.ended = view.departure.map { DepartureInfo($0, hub) }
            info.topic = view.topic.isEmpty ? nil : view.topic
        }
        return info
    }
}

extension ControlError {
    fileprivate static func pageSize(_ limit: Int) -> ControlError {
        ControlError(
            .invalidValue,
            "A page holds 1 to \(HistoryOperation.maximumLimit) messages, not \(limit).",
            advice: "Ask for fewer, and for older ones by the ID of the oldest you have."
        )
    }
    fileprivate static let severalPlaces = ControlError(
        .invalidValue,
        "A page is before a message, after one, around one or around the first unread one: only one of these.",
        advice: "Leave the others out."
    )
}
