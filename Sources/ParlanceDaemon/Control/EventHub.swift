import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import ParlanceWords
import Synchronization

/// Turns the engine's notices into events for subscribers, and publishes only what is new.
///
/// Notices arrive from the node's event loop, in order.
final class EventHub: Sendable {
    typealias Deliver = @Sendable (any ControlEvent) -> Void

    private struct Subscriber {
        var filter: SubscriptionFilter
        var deliver: Deliver
    }

    private struct Told: Hashable {
        var conversation: ConversationID
        var status: MessageStatus
        /// One member of a group; `nil` for all recipients.
        var member: PeerID?
    }

    private struct State {
        var subscribers: [UInt64: Subscriber] = [:]
        var lastToken: UInt64 = 0
        var names: [PeerID: String] = [:]
        /// The last known state of each peer.
        var peers: [PeerID: PeerInfo] = [:]
        var trust: [PeerID: ParlanceControl.Trust] = [:]
        var groups: [ConversationID: GroupFace] = [:]
        var told: [Told: UInt64] = [:]
        var waiting = WaitingNews()
        /// What the user has set of their own presence.
        var activity: Activity
        /// The user's settings for conversations, as they are on disk.
        var preferences: [ConversationID: Preference]
        var renamed: (@Sendable () -> Void)?
    }

    let identity: PeerID
    let transfers: TransferBook
    private let state: Mutex<State>

    init(
        identity: PeerID,
        ownName: String,
        activity: Activity = .online,
        preferences: [PreferenceRecord] = [],
        isOnShelf: @escaping @Sendable (FileID) -> Bool = { _ in true }
    ) {
        self.identity = identity
        transfers = TransferBook(isOnShelf: isOnShelf)
        let known = Dictionary(preferences.map { ($0.conversation, $0.preference) }) { $1 }
        state = Mutex(State(names: [identity: ownName], activity: activity, preferences: known))
    }

    func subscribe(_ filter: SubscriptionFilter, _ deliver: @escaping Deliver) -> SubscriptionToken {
        state.withLock { state in
            state.lastToken += 1
            state.subscribers[state.lastToken] = Subscriber(filter: filter, deliver: deliver)
            return SubscriptionToken(rawValue: state.lastToken)
        }
    }

    func unsubscribe(_ token: SubscriptionToken) {
        state.withLock { $0.subscribers[token.rawValue] = nil }
    }

    /// The display name of an author.
    func name(of peer: PeerID) -> String {
        state.withLock { $0.names[peer] } ?? peer.prefix
    }

    func person(_ peer: PeerID) -> Person {
        let isMe = peer == identity
        return Person(id: peer.controlID, displayName: name(of: peer), me: isMe, trust: isMe ? nil : trust(of: peer))
    }

    func trust(of peer: PeerID) -> ParlanceControl.Trust {
        state.withLock { $0.trust[peer] } ?? .unknown
    }

    func isBlocked(_ peer: PeerID) -> Bool { trust(of: peer) == .blocked }

    /// Whether the user has said to be busy.
    var isBusy: Bool { state.withLock { $0.activity } == .busy }

    /// A group's title; `nil` for a direct conversation.
    func title(of conversation: ConversationID) -> String? {
        state.withLock { $0.groups[conversation]?.title }
    }

    /// The members of a group; none of a direct conversation.
    func members(of conversation: ConversationID) -> [PeerID] {
        state.withLock { $0.groups[conversation]?.members } ?? []
    }

    /// The user's settings for a conversation.
    func preference(of conversation: ConversationID) -> Preference {
        state.withLock { $0.preferences[conversation] } ?? Preference()
    }

    /// The last known state of each peer.
    var knownPeers: [PeerID: PeerInfo] { state.withLock { $0.peers } }

    /// The names of accepted people.
    var namesOfAccepted: [String] {
        state.withLock { state in
            state.names.filter { [.accepted, .verified].contains(state.trust[$0.key]) }.map(\.value)
        }
    }

    /// The titles of the groups of this user.
    var titlesOfGroups: [String] { state.withLock { $0.groups.values.filter(\.isMember).map(\.title) } }

    /// The present title of the only group of this user that was created with the title that was typed.
    func presentTitle(of typed: String) -> String? {
        let lowered = typed.lowercased()
        let found = state.withLock { state in
            state.groups.values.filter { $0.isMember && $0.createdAs.lowercased() == lowered }.map(\.title)
        }
        return found.count == 1 ? found[0] : nil
    }

    /// Takes names and titles from a list of the engine, without publishing an event.
    func learn(_ places: [Place]) {
        state.withLock { state in
            for place in places {
                switch place {
                case .peer(let view):
                    let id = view.record.id
                    state.names[id] = view.displayName
                    state.trust[id] = .init(view.record.trust)
                    if state.peers[id] == nil { state.peers[id] = PeerInfo(view, now: nil) }
                case .group(let view):
                    let id = view.conversation
                    if state.groups[id] == nil { state.groups[id] = GroupFace(view) }
                }
            }
        }
    }

    func publish(_ event: any ControlEvent) {
        let subscribers = state.withLock { state in
            state.subscribers.isEmpty ? [] : state.subscribers.sorted { $0.key < $1.key }.map(\.value)
        }
        for subscriber in subscribers where subscriber.filter.admits(event) { subscriber.deliver(event) }
    }

    private func isWanted(_ kind: ControlEventKind) -> Bool {
        state.withLock { $0.subscribers.values.contains { $0.filter.events?.contains(kind) ?? true } }
    }

    func publish(_ notice: Notice) {
        switch notice {
        case .message(let message): messageShown(message)
        case .unwanted(let message): _ = state.withLock { $0.waiting.came(message) }
        case .changed(let message):
            if isWanted(ChangedEvent.kind) { publish(ChangedEvent(MessageTeller(hub: self).info(message))) }
        case .waiting(let conversation, let logs): waitingChanged(conversation, logs)
        case .withdrawn(let id): publish(WithdrawnEvent(id: id.text))
        case .voided(let message): publish(voided(message))
        case .removed(let conversation, let ids): publish(removed(ids, from: conversation))
        case .group(let view): groupChanged(view)
        case .delivery(let view): delivered(view)
        case .peer(let view): peerChanged(view)
        case .gone(let peer):
            state.withLock { state in
                state.names[peer] = nil
                state.peers[peer] = nil
                state.trust[peer] = nil
            }
        case .typing(let peer, let conversation, let active):
            var event = TypingEvent(
                peer: peer.controlID,
                displayName: name(of: peer),
                conversation: conversation.text,
                group: title(of: conversation),
                active: active
            )
            event.trust = trust(of: peer)
            publish(event)
        case .request(let view):
            if let request = RequestEvent(view) { publish(request) }
        case .profile(let profile): profileChanged(profile)
        case .preference(let conversation, let preference): preferenceChanged(conversation, preference)
        case .workspace(let view, let before): workspaceChanged(view, from: before)
        case .transfer(let view): transferChanged(view)
        case .upload(let view): uploadChanged(view)
        }
    }

    /// Sets the function to call after each change of the user's own name.
    func onRenamed(_ act: @escaping @Sendable () -> Void) {
        state.withLock { $0.renamed = act }
    }

    private func profileChanged(_ profile: ProfileRecord) {
        let renamed = state.withLock { state in
            state.activity = profile.activity
            return state.names.updateValue(profile.name, forKey: identity) == profile.name ? nil : state.renamed
        }
        renamed?()
    }

    private func preferenceChanged(_ conversation: ConversationRecord, _ preference: Preference) {
        let before = state.withLock { $0.preferences.updateValue(preference, forKey: conversation.id) }
        if before ?? Preference() != preference { publish(PreferenceInfo(conversation, preference, self)) }
    }

    /// Describes a new message. One of a muted conversation is marked, unless it mentions the user.
    private func info(ofNew message: ShownMessage) -> MessageInfo {
        var info = MessageTeller(hub: self).info(message)
        if !info.mine, info.mentionsMe != true,
            preference(of: message.conversation).isQuiet(at: .system())
        {
            info.muted = true
        }
        return info
    }

    private func messageShown(_ message: ShownMessage) {
        // Subscribers that heard of the message while it waited must learn that it no longer waits.
        if state.withLock({ $0.waiting.came(message) }) {
            if isWanted(ChangedEvent.kind) { publish(ChangedEvent(MessageTeller(hub: self).info(message))) }
            return
        }
        guard isWanted(message.note == nil ? MessageEvent.kind : NoteEvent.kind) else { return }
        guard message.note == nil else { return publish(NoteEvent(MessageTeller(hub: self).info(message))) }
        var info = info(ofNew: message)
        if info.mine { info.status = .staged }
        publish(MessageEvent(info))
    }

    /// Sets the function that reads waiting messages and then calls `tell` with them.
    func onWaiting(_ read: @escaping WaitingNews.Read) {
        state.withLock { $0.waiting.read = read }
    }

    private func waitingChanged(_ conversation: ConversationID, _ logs: Set<LogID>) {
        guard isWanted(MessageEvent.kind) else { return }
        state.withLock { $0.waiting.begin(conversation, logs) }?(conversation, logs)
    }

    /// Messages that were published as waiting and have not been projected yet.
    func waiting(in conversation: ConversationID) -> [EventReference] {
        state.withLock { $0.waiting.waiting(in: conversation) }
    }

    /// Publishes the waiting messages that were not published before, and withdraws those that are gone.
    func tell(waiting messages: [ShownMessage], gone: [EventID], in conversation: ConversationID) {
        let news = state.withLock { $0.waiting.end(conversation, messages, gone: gone) }
        for id in news.gone { publish(WithdrawnEvent(id: id.text)) }
        for message in news.new { publish(MessageEvent(info(ofNew: message))) }
        if let next = news.next { next.read(conversation, next.logs) }
    }

    private func groupChanged(_ view: GroupView) {
        let face = GroupFace(view)
        let isNew = state.withLock { state in
            for member in view.members where member.peer != identity {
                state.names[member.peer] = member.displayName
            }
            return state.groups.updateValue(face, forKey: view.conversation) != face
        }
        if isNew { publish(GroupInfo(view, self)) }
        // A message that only a former member lacked is delivered now.
        delivered(view.delivery)
    }

    /// Statuses only move forward: publish each threshold once.
    private func delivered(_ view: DeliveryView) {
        guard let log = view.logs.first(where: \.isWritten), !view.recipients.isEmpty else { return }
        let group = title(of: view.conversation)
        let title = group ?? name(of: view.recipients[0].peer)
        for (status, level) in [(MessageStatus.delivered, WatermarkLevel.delivered), (.read, .read)] {
            let position = view.reachedByAll(log, level)
            let told = Told(conversation: view.conversation, status: status)
            guard position.head != LogPosition.start.head, isNew(told, position.sequence) else { continue }
            var event = StatusEvent(
                conversation: view.conversation.text,
                title: title,
                status: status,
                through: position.head.text,
                sequence: position.sequence
            )
            if group == nil { event.trust = trust(of: view.recipients[0].peer) }
            publish(event)
        }
        if group == nil { tellFailed(view, log, title) } else { tellReached(view, log, title) }
    }

    /// In a group, publishes each member's thresholds beside those of all members.
    private func tellReached(_ view: DeliveryView, _ log: DeliveryView.LogDelivery, _ title: String) {
        for (recipient, progress) in zip(view.recipients, log.progress) {
            for (status, position) in [(MessageStatus.delivered, progress.delivered), (.read, progress.read)] {
                let told = Told(conversation: view.conversation, status: status, member: recipient.peer)
                guard position.sequence > recipient.after, isNew(told, position.sequence) else { continue }
                publish(
                    ReachedEvent(
                        conversation: view.conversation.text,
                        title: title,
                        member: person(recipient.peer),
                        status: status,
                        sequence: position.sequence
                    )
                )
            }
        }
    }

    private func isNew(_ told: Told, _ sequence: UInt64) -> Bool {
        state.withLock { state in
            guard sequence > state.told[told] ?? 0 else { return false }
            state.told[told] = sequence
            return true
        }
    }

    private func tellFailed(_ view: DeliveryView, _ log: DeliveryView.LogDelivery, _ title: String) {
        let key = Told(conversation: view.conversation, status: .failed)
        let isNew = state.withLock { state in
            // A retry takes the refusal back, so the same sequence number may fail again.
            let before = state.told.updateValue(log.refusedThrough, forKey: key) ?? 0
            return log.refusedThrough > before
                && log.refusedThrough > view.reachedByAll(log, .delivered).sequence
        }
        guard isNew else { return }
        var event = FailedEvent(
            conversation: view.conversation.text,
            title: title,
            sequence: log.refusedThrough,
            recipient: view.recipients[0].peer.controlID,
            why: WaitReason.refusal(view.recipients[0].reason, by: title) { name(of: $0) }
        )
        event.trust = trust(of: view.recipients[0].peer)
        publish(event)
    }

    private func peerChanged(_ view: PeerView) {
        let info = PeerInfo(view, now: nil)
        let before = state.withLock { state in
            state.names[view.record.id] = view.displayName
            state.trust[view.record.id] = info.trust
            return state.peers.updateValue(info, forKey: view.record.id)
        }
        let presence = info.presence ?? .offline
        if (before?.presence ?? .offline) != presence || before?.statusText != info.statusText {
            var event = PresenceEvent(
                peer: info.id,
                displayName: info.displayName,
                presence: presence,
                statusText: info.statusText,
                lastSeen: info.lastSeen
            )
            event.trust = info.trust
            publish(event)
        }
        if before?.withoutPresence != info.withoutPresence { publish(info) }
    }
}

/// The properties of a group whose changes are published.
private struct GroupFace: Equatable {
    var title: String
    var createdAs: String
    var topic: String
    var isMember: Bool
    var members: [PeerID]
    var admins: [PeerID]

    init(_ view: GroupView) {
        title = view.title
        createdAs = view.createdAs
        topic = view.topic
        isMember = view.isMember
        members = view.members.map(\.peer)
        admins = view.members.filter(\.isAdmin).map(\.peer)
    }
}

extension PeerInfo {
    /// The properties whose changes are published as an event of the peer: all but its presence and the next attempt.
    fileprivate var withoutPresence: PeerInfo {
        var info = self
        info.presence = nil
        info.statusText = nil
        info.lastSeen = nil
        info.nextTry = nil
        return info
    }
}
