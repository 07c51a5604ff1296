import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceWire
import Synchronization

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
