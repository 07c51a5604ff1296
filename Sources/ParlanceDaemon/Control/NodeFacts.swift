import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceWire
import Synchronization

/// What a node knows about itself apart from its conversations; the assembly fills it in.
final class NodeFacts: Sendable {
    struct Values {
        var profileName: String?
        var started: Int64
        var port: UInt16
        var listening: [String]
        var dataPath: String
        var discovery: DiscoveryInfo
        /// Since when discovery looks on the present network, in milliseconds of the monotonic clock; `nil` unless it runs.
        var lookingSince: Int64?
        var isProtected: Bool
        /// Whether the node is hidden (discovery.md, "TXT").
        var isHidden: Bool
        /// The last dial-back: whether a peer reached this node's port, and when, in milliseconds of the monotonic
        /// clock.
        var dialBack: (view: DialBackView, time: Int64)?
        /// The newer version of the package that apt knows.
        var newer: NewerVersion?

        fileprivate mutating func startLooking() {
            let now = discovery.state == .running ? Moment.now() : nil
            lookingSince = now?.monotonic
            discovery.since = now.map { ControlTime(milliseconds: $0.wall) }
        }
    }

    private let values: Mutex<Values>
    /// What the node has counted since its start.
    let counters: Counters
    /// What is known of this computer's firewall.
    let firewall = OwnFirewall.Look()
    /// The callers that were refused.
    let refusedCalls: @Sendable () -> [RefusedCall]

    init(
        _ daemon: Daemon,
        _ opened: OpenedProfile,
        port: UInt16,
        mode: DiscoveryMode,
        counters: Counters,
        refusedCalls: @escaping @Sendable () -> [RefusedCall]
    ) {
        self.refusedCalls = refusedCalls
        self.counters = counters
        let addresses = daemon.settings.listen.isEmpty ? ["0.0.0.0", "::"] : daemon.settings.listen
        values = Mutex(
            Values(
                profileName: daemon.profileName,
                started: WallClock.milliseconds(),
                port: port,
                listening: addresses.map { Endpoint(host: $0, port: port).description },
                dataPath: daemon.paths.dataDirectory,
                discovery: DiscoveryInfo(backend: .none, state: mode == .off ? .off : .starting),
                isProtected: opened.isProtected,
                isHidden: daemon.settings.hidden
            )
        )
    }

    var now: Values { values.withLock { $0 } }

    func setProtected(_ isProtected: Bool) {
        values.withLock { $0.isProtected = isProtected }
    }

    /// How long a dial-back counts as recent, in milliseconds.
    private static let dialBackKept: Int64 = 600_000

    /// The last dial-back, if it is recent.
    var recentDialBack: DialBackView? {
        values.withLock { values in
            values.dialBack.flatMap { Moment.now().monotonic - $0.time < Self.dialBackKept ? $0.view : nil }
        }
    }

    func set(_ dialBack: DialBackView) {
        guard dialBack.outcome != .tooOften, dialBack.outcome != .noAnswer else { return }
        values.withLock { $0.dialBack = (dialBack, Moment.now().monotonic) }
    }

    /// Takes over the state of discovery, with the time since when it looks.
    func set(_ discovery: DiscoveryInfo) -> DiscoveryInfo {
        values.withLock { values in
            values.discovery = discovery
            values.startLooking()
            return values.discovery
        }
    }

    /// On another network everybody has to be found anew.
    func networkChanged() {
        values.withLock { $0.startLooking() }
    }

    func set(_ newer: NewerVersion?) {
        values.withLock { $0.newer = newer }
    }
}
