import ParlanceControl
import ParlanceCore
import ParlanceProfile
import ParlanceRecords
import ParlanceStore
import ParlanceWire

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension NodeOperations {
    static let status: [any NodeOperation.Type] = [StatusOperation.self, StatsOperation.self, DoctorOperation.self]
}

extension StatusOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> NodeStatus {
        let view = try await node.ask(.status, \.status)
        let places = view.doctor.people.map { Place.peer($0.view) } + view.groups.map { .group($0) }
        return try await node.read { node.status(view, try node.counts(places)) }
    }
}

extension LocalControl {
    func counts(_ places: [Place]) throws(StoreError) -> NodeStatus.Counts {
        let views = places.compactMap { if case .peer(let view) = $0 { view } else { nil } }
        let summaries = try store.conversations()
        let failed = try failedCount(places)
        return NodeStatus.Counts(
            nearby: views.filter(\.nearby).count,
            connected: views.filter(\.connected).count,
            accepted: views.filter { $0.record.trust == .accepted || $0.record.trust == .verified }.count,
            verified: views.filter { $0.record.trust == .verified }.count,
            conversations: summaries.count,
            // What a list leaves out is not looked for.
            unread: summaries.filter { hub.preference(of: $0.record.id).unlisted == nil }
                .reduce(0) { $0 + $1.unread },
            outbox: try waitingCount(places),
            failed: failed == 0 ? nil : failed,
            requests: views.filter { $0.record.request != nil }.count
        )
    }

    fileprivate func status(_ status: StatusView, _ counts: NodeStatus.Counts) -> NodeStatus {
        let (profile, view, facts) = (status.profile, status.doctor, facts.now)
        var shown = NodeStatus(
            version: ParlanceVersion.text,
            peerID: store.identity.controlID,
            replica: Base32.encode(store.replica.bytes),
            name: profile.record.name,
            profile: facts.profileName,
            processID: Int(getpid()),
            started: ControlTime(milliseconds: facts.started),
            port: Int(facts.port),
            listening: facts.listening,
            discovery: facts.discovery,
            dataPath: facts.dataPath,
            protected: facts.isProtected,
            workspace: view.workspace,
            presence: OwnPresence(profile),
            counts: counts,
            problems: diagnosis(view).problems
        )
        shown.newerVersion = facts.newer?.available
        shown.picture = status.picture.map { PictureInfo($0) }
        let chosen = ChosenName(in: facts.dataPath)
        shown.nameless =
            chosen.isMissing(profile.record.name, configured: host.configuredName) ? true : nil
        return shown
    }
}
