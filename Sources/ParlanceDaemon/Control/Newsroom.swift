import ParlanceControl
import ParlanceCore
import ParlanceWire
import Synchronization

/// Turns the engine's notices into events for whoever watches, and tells each only what is new.
///
/// Notices come from the node's queue, in order.
final class Newsroom: Sendable {
    typealias Deliver = @Sendable (ControlEvent) -> Void

    private struct Subscriber {
        var filter: SubscriptionFilter
        var deliver: Deliver
    }

    private struct Told: Hashable {
        var conversation: ConversationID
        var status: MessageStatus
    }

    private struct State {
        var subscribers: [UInt64: Subscriber] = [:]
        var lastToken: UInt64 = 0
        var names: [PeerID: String] = [:]
        var peers: [PeerID: PeerInfo] = [:]
        var told: [Told: UInt64] = [:]
    }

    private let identity: PeerID
    private let replica: ReplicaID
    private let state: Mutex<State>

    init(identity: PeerID, replica: ReplicaID, ownName: String) {
        self.identity = identity
        self.replica = replica
        state = Mutex(State(names: [identity: ownName]))
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

    /// The name to show for an author.
    func name(of peer: PeerID) -> String {
        state.withLock { $0.names[peer] } ?? peer.prefix
    }

    /// What was last told of a peer.
    func info(of peer: PeerID) -> PeerInfo? {
        state.withLock { $0.peers[peer] }
    }

    func publish(_ event: ControlEvent) {
        let subscribers = state.withLock { state in
            state.subscribers.isEmpty ? [] : state.subscribers.sorted { $0.key < $1.key }.map(\.value)
        }
        for subscriber in subscribers where subscriber.filter.admits(event) { subscriber.deliver(event) }
    }

    private func isWanted(_ kind: ControlEvent.Kind) -> Bool {
        state.withLock { state in
            state.subscribers.values.contains { $0.filter.events?.contains(kind) ?? true }
        }
    }

    func publish(_ notice: Notice) {
        switch notice {
        case .message(let message): messageShown(message)
        case .withdrawn: break  // A cancelled message is in no list; there is nothing to update.
        case .delivery(let view): delivered(view)
        case .peer(let view): peerChanged(view)
        case .gone(let peer):
            state.withLock { state in
                state.names[peer] = nil
                state.peers[peer] = nil
            }
        case .typing(let peer, let conversation, let active):
            publish(
                .typing(
                    TypingEvent(
                        peer: peer.controlID,
                        displayName: name(of: peer),
                        conversation: conversation.text,
                        active: active
                    )
                )
            )
        case .request(let view):
            guard let request = view.record.request else { return }
            publish(
                .request(
                    RequestEvent(
                        peer: view.record.id.controlID,
                        name: view.displayName,
                        preview: request.preview,
                        time: ControlTime(milliseconds: request.time)
                    )
                )
            )
        case .profile(let profile): state.withLock { $0.names[identity] = profile.name }
        }
    }

    private func messageShown(_ message: ShownMessage) {
        guard isWanted(.message) else { return }
        publish(
            .message(
                MessageInfo(message, own: identity, senderName: name(of: message.log.author), status: .staged)
            )
        )
    }

    /// Statuses only move forward: each threshold is told once.
    private func delivered(_ view: DeliveryView) {
        guard let log = view.logs.first(where: { $0.log.replica == replica }) else { return }
        for (status, position) in [(MessageStatus.delivered, log.delivered), (.read, log.read)] {
            let isNew = state.withLock { state in
                let key = Told(conversation: view.conversation, status: status)
                guard position.sequence > state.told[key] ?? 0, position.head != LogPosition.start.head else {
                    return false
                }
                state.told[key] = position.sequence
                return true
            }
            guard isNew else { continue }
            publish(
                .status(
                    StatusEvent(
                        conversation: view.conversation.text,
                        title: name(of: view.peer),
                        status: status,
                        through: position.head.text,
                        sequence: position.sequence
                    )
                )
            )
        }
        tellFailed(view, log)
    }

    private func tellFailed(_ view: DeliveryView, _ log: DeliveryView.LogDelivery) {
        let key = Told(conversation: view.conversation, status: .failed)
        let isNew = state.withLock { state in
            // A retry takes the refusal back, so the same number may fail again.
            let before = state.told.updateValue(log.refusedThrough, forKey: key) ?? 0
            return log.refusedThrough > before && log.refusedThrough > log.delivered.sequence
        }
        guard isNew else { return }
        publish(
            .failed(
                FailedEvent(
                    conversation: view.conversation.text,
                    title: name(of: view.peer),
                    sequence: log.refusedThrough,
                    recipient: view.peer.controlID,
                    why: view.why(.failed, peer: name(of: view.peer)) ?? ""
                )
            )
        )
    }

    private func peerChanged(_ view: PeerView) {
        let info = PeerInfo(view, unread: 0, now: nil)
        let before = state.withLock { state in
            state.names[view.record.id] = view.displayName
            return state.peers.updateValue(info, forKey: view.record.id)
        }
        if (before?.presence ?? .offline) != info.presence || before?.statusText != info.statusText {
            publish(
                .presence(
                    PresenceEvent(
                        peer: info.id,
                        displayName: info.displayName,
                        presence: info.presence,
                        statusText: info.statusText,
                        lastSeen: info.lastSeen
                    )
                )
            )
        }
        if before?.withoutPresence != info.withoutPresence { publish(.peer(info)) }
    }
}

extension PeerInfo {
    /// What a change of presence leaves as it is.
    fileprivate var withoutPresence: PeerInfo {
        var info = self
        info.presence = .offline
        info.statusText = nil
        info.lastSeen = nil
        info.nextTry = nil
        return info
    }
}
