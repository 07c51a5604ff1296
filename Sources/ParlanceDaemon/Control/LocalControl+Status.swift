import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceStore
import ParlanceWire
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a node knows of itself beside its conversations; the assembly fills it in.
final class NodeFacts: Sendable {
    struct Values {
        var profileName: String?
        var started: Int64
        var port: UInt16
        var listening: [String]
        var dataPath: String
        var discovery: DiscoveryInfo
        var isProtected: Bool
        /// Whether it takes links from nobody it does not dial.
        var isHidden: Bool
        /// Whether a peer reached the own port when one was last asked, and when that was, in monotonic milliseconds.
        var dialBack: (view: DialBackView, time: Int64)?
    }

    private let values: Mutex<Values>
    /// Callers that were refused.
    let refusedCalls: @Sendable () -> [RefusedCall]

    init(
        _ daemon: Daemon,
        port: UInt16,
        mode: DiscoveryMode,
        isProtected: Bool,
        refusedCalls: @escaping @Sendable () -> [RefusedCall]
    ) {
        self.refusedCalls = refusedCalls
        let addresses = daemon.settings.listen.isEmpty ? ["0.0.0.0", "::"] : daemon.settings.listen
        values = Mutex(
            Values(
                profileName: daemon.profileName,
                started: WallClock.milliseconds(),
                port: port,
                listening: addresses.map { Endpoint(host: $0, port: port).description },
                dataPath: daemon.paths.dataDirectory,
                discovery: DiscoveryInfo(backend: .none, state: mode == .off ? .off : .starting),
                isProtected: isProtected,
                isHidden: daemon.settings.hidden
            )
        )
    }

    var now: Values { values.withLock { $0 } }

    func setProtected(_ isProtected: Bool) {
        values.withLock { $0.isProtected = isProtected }
    }

    /// How long an answer to whether the own port is reached is told, in milliseconds.
    private static let dialBackKept: Int64 = 600_000

    /// What a peer that was asked lately found out of the own port.
    var recentDialBack: DialBackView? {
        values.withLock { values in
            values.dialBack.flatMap { Moment.now().monotonic - $0.time < Self.dialBackKept ? $0.view : nil }
        }
    }

    func set(_ dialBack: DialBackView) {
        guard dialBack.outcome != .tooOften, dialBack.outcome != .noAnswer else { return }
        values.withLock { $0.dialBack = (dialBack, Moment.now().monotonic) }
    }

    func set(_ discovery: DiscoveryInfo) {
        values.withLock { $0.discovery = discovery }
    }
}

extension LocalControl {
    func status(_ reply: @escaping Reply) {
        inbox.offer(.examine(who: nil)) { [self] examined in
            guard case .success(.doctor(let view)) = examined else { return give(examined, reply) { _ in nil } }
            inbox.offer(.showProfile) { [self] shown in
                guard case .success(.profile(let profile)) = shown else { return give(shown, reply) { _ in nil } }
                askAll(reply) { [self] places throws(StoreError) in
                    .success(.status(status(profile, view, try counts(places))))
                }
            }
        }
    }

    private func counts(_ places: [Place]) throws(StoreError) -> NodeStatus.Counts {
        let views = places.compactMap { if case .peer(let view) = $0 { view } else { nil } }
        let summaries = try store.conversations()
        return NodeStatus.Counts(
            nearby: views.filter(\.nearby).count,
            connected: views.filter(\.connected).count,
            accepted: views.filter { $0.record.trust == .accepted || $0.record.trust == .verified }.count,
            verified: views.filter { $0.record.trust == .verified }.count,
            conversations: summaries.count,
            unread: summaries.reduce(0) { $0 + $1.unread },
            outbox: try waitingCount(places),
            requests: views.filter { $0.record.request != nil }.count
        )
    }

    private func status(_ profile: ProfileRecord, _ view: DoctorView, _ counts: NodeStatus.Counts) -> NodeStatus {
        let facts = facts.now
        return NodeStatus(
            version: ParlanceVersion.text,
            peerID: store.identity.controlID,
            replica: Base32.encode(store.replica.bytes),
            name: profile.name,
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
    }
}

extension Moment {
    static func now() -> Moment {
        Moment(
            monotonic: Int64(DispatchTime.now().uptimeNanoseconds / 1_000_000),
            wall: WallClock.milliseconds()
        )
    }
}
