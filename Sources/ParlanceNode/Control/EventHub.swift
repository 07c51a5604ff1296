package import ParlanceControl
package import ParlanceCore
import ParlanceRecords
import ParlanceTexts
package import ParlanceWire
import ParlanceWords
import Synchronization

/// Turns the engine's notices into events for subscribers, and publishes only what is new.
///
/// Notices arrive from the node's event loop, in order, each after the directory that has the names in it.
package final class EventHub: Sendable {
    package typealias Deliver = @Sendable (any ControlEvent) -> Void

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
        var directory: Directory
        var subscribers: [UInt64: Subscriber] = [:]
        var lastToken: UInt64 = 0
        var told: [Told: UInt64] = [:]
        /// What was last told of each peer, each group and the settings of each conversation, or was so at the start.
        var toldPeers: [PeerID: PeerInfo]
        var toldGroups: [ConversationID: Directory.GroupFace]
        var toldPreferences: [ConversationID: Preference]
        var waiting = WaitingNews()
        var departures = DepartureNews()
        var renamed: (@Sendable () -> Void)?
        var look: (@Sendable () -> Surroundings)?
    }

    let identity: PeerID
    /// Whether a file is on the shelf as a whole. After the restore of a backup none is, whatever the rows say.
    let isOnShelf: @Sendable (FileID) -> Bool
    private let state: Mutex<State>

    /// - Parameters:
    ///   - directory: as it is at the start.
    ///   - peers: the peers known at the start: subscribers are told of them only once they change.
    package init(
        _ directory: Directory,
        peers: [PeerView] = [],
        isOnShelf: @escaping @Sendable (FileID) -> Bool = { _ in true }
    ) {
        identity = directory.identity
        self.isOnShelf = isOnShelf
        state = Mutex(
            State(
                directory: directory,
                toldPeers: Dictionary(peers.map { ($0.record.id, PeerInfo($0, now: nil)) }) { $1 },
                toldGroups: Dictionary(directory.groups.map { ($0.key, $0.value) }) { $1 },
                toldPreferences: directory.preferences
            )
        )
    }

    /// What is known of everybody and everything at present.
    var directory: Directory { state.withLock { $0.directory } }

    /// Takes the directory of the node as it is from now on.
    func take(_ directory: Directory) {
        let renamed = state.withLock { state in
            let isRenamed = state.directory.profile.name != directory.profile.name
            state.directory = directory
            return isRenamed ? state.renamed : nil
        }
        renamed?()
    }

    package func subscribe(_ filter: SubscriptionFilter, _ deliver: @escaping Deliver) -> SubscriptionToken {
        state.withLock { state in
            state.lastToken += 1
            state.subscribers[state.lastToken] = Subscriber(filter: filter, deliver: deliver)
            return SubscriptionToken(rawValue: state.lastToken)
        }
    }

    package func unsubscribe(_ token: SubscriptionToken) {
        state.withLock { $0.subscribers[token.rawValue] = nil }
    }

    /// The display name of an author.
    package func name(of peer: PeerID) -> String { directory.name(of: peer) }

    func person(_ peer: PeerID) -> Person {
        let isMe = peer == identity
        return Person(id: peer.controlID, displayName: name(of: peer), me: isMe, trust: isMe ? nil : trust(of: peer))
    }

    func trust(of peer: PeerID) -> ParlanceControl.Trust { ParlanceControl.Trust(directory.trust(in: peer)) }

    func isBlocked(_ peer: PeerID) -> Bool { trust(of: peer) == .blocked }

    /// Whether the user has said to be busy.
    package var isBusy: Bool { directory.profile.activity == .busy }

    /// A group's title; `nil` for a direct conversation.
    func title(of conversation: ConversationID) -> String? { directory[conversation]?.title }

    /// The user's settings for a conversation.
    func preference(of conversation: ConversationID) -> Preference {
        directory.preferences[conversation] ?? Preference()
    }

    /// The peers that subscribers were told to be linked, or seen by discovery.
    var peersInSight: Set<PeerID> {
        state.withLock { state in Set(state.toldPeers.filter { $0.value.nearby || $0.value.connected }.keys) }
    }

    package func publish(_ event: any ControlEvent) {
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
        case .departed(let conversation, let events): departed(conversation, events)
        case .withdrawn(let id): publish(WithdrawnEvent(id: id.text))
        case .voided(let message): publish(voided(message))
        case .removed(let conversation, let ids): publish(removed(ids, from: conversation))
        case .group(let view): groupChanged(view)
        case .delivery(let view): delivered(view)
        case .peer(let view): peerChanged(view)
        case .gone(let peer): _ = state.withLock { $0.toldPeers.removeValue(forKey: peer) }
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
        // The directory has told of it.
        case .preference(let conversation, let preference): preferenceChanged(conversation, preference)
        case .workspace(let view, let before): workspaceChanged(view, from: before)
        case .transfer(let view): transferChanged(view)
        case .upload(let view): uploadChanged(view)
        }
    }

    /// Sets the function to call after each change of the user's own name.
    package func onRenamed(_ act: @escaping @Sendable () -> Void) {
        state.withLock { $0.renamed = act }
    }

    private func preferenceChanged(_ conversation: ConversationRecord, _ preference: Preference) {
        let before = state.withLock { $0.toldPreferences.updateValue(preference, forKey: conversation.id) }
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
        if state.withLock({ $0.waiting.came(message) || message.note != nil && $0.departures.came(message.id) }) {
            if isWanted(ChangedEvent.kind) { publish(ChangedEvent(MessageTeller(hub: self).info(message))) }
            return
        }
        guard isWanted(message.note == nil ? MessageEvent.kind : NoteEvent.kind) else { return }
        guard message.note == nil else { return publish(NoteEvent(MessageTeller(hub: self).info(message))) }
        var info = info(ofNew: message)
        if info.mine { info.setStatus(.staged, because: nil) }
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

    /// Sets the function that reads the lines about departures and then calls `tell` with them.
    func onDepartures(_ read: @escaping DepartureNews.Read) {
        state.withLock { $0.departures.read = read }
    }

    private func departed(_ conversation: ConversationID, _ events: [EventID]) {
        guard isWanted(NoteEvent.kind) else { return }
        state.withLock { $0.departures.begin(events) }?(conversation, events)
    }

    /// Publishes the lines about departures whose logs have not come.
    func tell(departures events: [EventID], _ lines: [ShownMessage]) {
        for line in state.withLock({ $0.departures.end(events, lines) }) {
            publish(NoteEvent(MessageTeller(hub: self).info(line)))
        }
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
        let isNew = state.withLock { state in
            let face = state.directory[view.conversation]
            defer { state.toldGroups[view.conversation] = face }
            return state.toldGroups[view.conversation] != face
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
                statusWords: status.words,
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

    /// Sets the function that says what is known besides the view of one person.
    func setSurroundings(_ look: @escaping @Sendable () -> Surroundings) {
        state.withLock { $0.look = look }
    }

    /// Describes a peer as the list of peers does.
    private func info(of view: PeerView) -> PeerInfo {
        let findings = view.findings
        // Only these depend on what is around. `status` says that there is no network: no event would take that back here.
        let look = findings.contains(where: Surroundings.mayChange) ? state.withLock { $0.look } : nil
        return PeerInfo(view, findings: look?().seen(findings, of: view) ?? findings, now: nil)
    }

    private func peerChanged(_ view: PeerView) {
        let info = info(of: view)
        let before = state.withLock { $0.toldPeers.updateValue(info, forKey: view.record.id) }
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
