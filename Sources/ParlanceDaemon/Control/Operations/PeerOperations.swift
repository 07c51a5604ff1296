import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import ParlanceWords

// Operations on peers: those that the node knows, and what the user says about them.

extension NodeOperations {
    static let peers: [any NodeOperation.Type] = [
        PeersOperation.self, AliasOperation.self, ForgetOperation.self, AllowOperation.self, SeenOperation.self,
        CourierOperation.self,
    ]
}

extension PeersOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<PeersReply>) {
        node.find(FoundPeople(asked: (who ?? []).reversed()), reply) { found in
            node.ask(.examine(who: nil), \.doctor, reply) { view in
                node.read(reply) { () throws(StoreError) in
                    let diagnosis = node.diagnosis(view)
                    let peers = try node.peers(diagnosis).filter { who == nil || found.ids.contains($0.id) }
                    return .success(
                        PeersReply(peers: peers, problems: diagnosis.reachProblems, unknown: found.unknown)
                    )
                }
            }
        }
    }
}

/// Whom some typed names mean.
private struct FoundPeople {
    /// The names that are still to be looked up, the next one last.
    var asked: [String]
    /// The IDs of those who were found.
    var ids: Set<String> = []
    /// The names that nobody has.
    var unknown: [String] = []
}

extension AliasOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<PeerInfo>) {
        node.ask(.setAlias(who: who, alias: name), \.peer, reply) { view in
            node.read(reply) { () throws(StoreError) in .success(try node.info(view)) }
        }
    }
}

extension ForgetOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<DoneReply>) {
        node.give(.forget(who: who), reply)
    }
}

extension AllowOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<DoneReply>) {
        node.give(.allow(who: who), reply)
    }
}

extension SeenOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<SeenReply>) {
        node.give(.find(who: who), \.peer, reply) { [hub = node.hub] view in
            let now = Moment.now()
            var record = view.record
            if view.connected { record.wasSeen(now.wall) }
            return SeenReply(
                peer: hub.person(record.id),
                from: ControlTime(milliseconds: SeenHours.first(until: now.wall)),
                hours: record.hours.all(until: now.wall).map { ControlTime(milliseconds: $0) }
            )
        }
    }
}

extension CourierOperation: PeerCommandOperation {
    var command: Command { .setCourier(who: who, remove != true) }
}

/// An operation that is one command about a peer. It replies with the peer as the command left it.
protocol PeerCommandOperation: NodeOperation where Reply == PeerInfo {
    var command: Command { get }
}

extension PeerCommandOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<PeerInfo>) {
        node.changePeer(command, reply)
    }
}

extension LocalControl {
    /// Resolves names in order. An unknown name is not an error; an ambiguous name is.
    fileprivate func find(
        _ people: FoundPeople,
        _ reply: @escaping Completion<PeersReply>,
        _ body: @escaping @Sendable (FoundPeople) -> Void
    ) {
        var people = people
        guard let who = people.asked.popLast() else { return body(people) }
        inbox.offer(.find(who: who)) { [self, people] result in
            var people = people
            switch result {
            case .success(let answer):
                guard let view = answer.peer else { return reply(.failure(.defect)) }
                people.ids.insert(view.record.id.controlID)
            case .failure(.naming(.unknownPeer)): people.unknown.append(who)
            case .failure(let refusal): return reply(.failure(explain(refusal)))
            }
            find(people, reply, body)
        }
    }

    fileprivate func peers(_ diagnosis: Diagnosis) throws(StoreError) -> [PeerInfo] {
        let summaries = try store.conversations()
        let unread = Dictionary(summaries.map { ($0.record.id, $0.unread) }) { $1 }
        let now = Moment.now()
        let infos = diagnosis.view.people.map { person in
            PeerInfo(
                person.view,
                unread: unread[person.view.conversation] ?? 0,
                findings: diagnosis.findings(about: person),
                now: now
            )
        }
        return infos.sorted {
            ($0.connected ? 0 : 1, $0.displayName, $0.id) < ($1.connected ? 0 : 1, $1.displayName, $1.id)
        }
    }

    /// Describes a peer, with the number of its unread messages.
    fileprivate func info(_ view: PeerView) throws(StoreError) -> PeerInfo {
        PeerInfo(view, unread: try store.summary(of: view.conversation)?.unread ?? 0, now: .now())
    }

    /// Gives a command that changes a peer, and replies with the peer as the command left it.
    fileprivate func changePeer(_ command: Command, _ reply: @escaping Completion<PeerInfo>) {
        ask(command, \.change, reply) { [self] change in
            read(reply) { [self] () throws(StoreError) in
                var info = try info(change.now)
                // Acceptance pins the name that a newcomer asked for: this is the last chance to warn that somebody
                // else has it.
                info.warning = info.warning ?? change.before.warning
                return .success(info)
            }
        }
    }
}
