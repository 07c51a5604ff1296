import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
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
    func perform(on node: LocalControl) async throws(ControlError) -> PeersReply {
        var ids: Set<String> = []
        var unknown: [String] = []
        for name in who ?? [] {
            // Unknown names are collected; an ambiguous one fails.
            switch await node.result(of: .find(who: name)) {
            case .success(let answer): ids.formUnion(answer.peer.map { [$0.record.id.controlID] } ?? [])
            case .failure(.naming(.unknownPeer)): unknown.append(name)
            case .failure(let refusal): throw node.explain(refusal)
            }
        }
        let view = try await node.ask(.examine(who: nil), \.doctor)
        return try await node.read { [ids, unknown] in
            let diagnosis = node.diagnosis(view)
            let peers = try node.peers(diagnosis).filter { who == nil || ids.contains($0.id) }
            return PeersReply(peers: peers, problems: diagnosis.reachProblems, unknown: unknown)
        }
    }
}

extension AliasOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> PeerInfo {
        try await node.info(node.ask(.setAlias(who: who, alias: name), \.peer))
    }
}

extension ForgetOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> DoneReply {
        try await node.give(.forget(who: who))
    }
}

extension AllowOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> DoneReply {
        try await node.give(.allow(who: who))
    }
}

extension SeenOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> SeenReply {
        let view = try await node.ask(.find(who: who), \.peer)
        let now = Moment.now()
        var record = view.record
        if view.connected, let heard = view.presence.lastSeen { record.wasSeen(heard) }
        return SeenReply(
            peer: node.hub.person(record.id),
            from: ControlTime(milliseconds: SeenHours.first(until: now.wall)),
            hours: record.hours.all(until: now.wall).map { ControlTime(milliseconds: $0) }
        )
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
    func perform(on node: LocalControl) async throws(ControlError) -> PeerInfo {
        try await node.changePeer(command)
    }
}

extension LocalControl {
    fileprivate func peers(_ diagnosis: Diagnosis) throws(StoreError) -> [PeerInfo] {
        let summaries = try store.conversations()
        let unread = Dictionary(summaries.map { ($0.record.id, $0.unread) }) { $1 }
        let infos = diagnosis.view.people.map { person in
            PeerInfo(person, unread: unread[person.view.conversation], in: diagnosis)
        }
        return infos.sorted {
            ($0.connected ? 0 : 1, $0.displayName, $0.id) < ($1.connected ? 0 : 1, $1.displayName, $1.id)
        }
    }

    /// Describes a peer as a command left it, in the words of the list of peers.
    fileprivate func info(_ view: PeerView) async throws(ControlError) -> PeerInfo {
        let found: DoctorView
        do throws(ControlError) {
            found = try await ask(.examine(who: view.record.id.controlID), \.doctor)
        } catch {
            // Whoever was forgotten is known no longer.
            guard error.code == .unknownPeer else { throw error }
            return PeerInfo(view, now: .now())
        }
        var person = found.people.first ?? DoctorView.Person(view: view)
        person.view = view
        return try await read { [self, person] in
            let unread = try store.summary(of: view.conversation)?.unread
            return PeerInfo(person, unread: unread, in: diagnosis(found))
        }
    }

    /// Gives a command that changes a peer, and replies with the peer as the command left it.
    fileprivate func changePeer(_ command: Command) async throws(ControlError) -> PeerInfo {
        let (now, before) = try await ask(command, \.change)
        var info = try await self.info(now)
        // Acceptance pins the name that a newcomer asked for: this is the last chance to warn that somebody else has it.
        info.warning = info.warning ?? before.warning
        return info
    }
}

extension PeerInfo {
    /// Describes a person as the list of peers does.
    fileprivate init(_ person: DoctorView.Person, unread: Int?, in diagnosis: Diagnosis) {
        self.init(
            person.view,
            unread: unread ?? 0,
            findings: diagnosis.findings(about: person),
            // Without a network nobody is tried.
            now: diagnosis.machine.isOffline ? nil : Moment.now()
        )
    }
}
