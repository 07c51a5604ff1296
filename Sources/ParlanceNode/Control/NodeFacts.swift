package import ParlanceControl
import ParlanceCore
package import ParlanceNetwork
import ParlanceWire
import ParlanceWords
import Synchronization

/// What a node knows about itself apart from its conversations; the assembly fills it in.
package final class NodeFacts: Sendable {
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
    /// When the machine was asked for its network last, in milliseconds of the monotonic clock, and what it said.
    private let asked = Mutex<(time: Int64, offline: NodeStatus.Problem?)?>(nil)
    /// What the node has counted since its start.
    let counters: Counters
    /// What is known of this computer's firewall.
    let firewall = OwnFirewall.Look()
    /// The callers that were refused.
    let refusedCalls: @Sendable () -> [RefusedCall]

    package init(
        profileName: String?,
        dataPath: String,
        listen: [String],
        port: UInt16,
        isProtected: Bool,
        isHidden: Bool,
        mode: DiscoveryMode,
        counters: Counters,
        refusedCalls: @escaping @Sendable () -> [RefusedCall]
    ) {
        self.refusedCalls = refusedCalls
        self.counters = counters
        let addresses = listen.isEmpty ? ["0.0.0.0", "::"] : listen
        values = Mutex(
            Values(
                profileName: profileName,
                started: WallClock.milliseconds(),
                port: port,
                listening: addresses.map { Endpoint(host: $0, port: port).description },
                dataPath: dataPath,
                discovery: DiscoveryInfo(backend: .none, state: mode == .off ? .off : .starting),
                isProtected: isProtected,
                isHidden: isHidden
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
    package func set(_ discovery: DiscoveryInfo) -> DiscoveryInfo {
        values.withLock { values in
            values.discovery = discovery
            values.startLooking()
            return values.discovery
        }
    }

    /// Calls a function once this computer's firewall lets others in.
    package func onFirewallOpened(_ look: @escaping @Sendable () -> Void) { firewall.onOpened(look) }

    /// How long an answer of the machine holds, in milliseconds: a cable that is pulled is told of thousands of people at
    /// once, and a person sees no difference.
    private static let askedKept: Int64 = 100

    /// Why this computer has no network, as `status` says it; `nil` if it has one.
    func offline() -> NodeStatus.Problem? {
        asked.withLock { asked in
            let now = Moment.now().monotonic
            if let known = asked, now - known.time < Self.askedKept { return known.offline }
            let offline = MachineState.offlineNow()
            asked = (now, offline)
            return offline
        }
    }

    /// The same as part of a sentence.
    func cutOff() -> Phrase? { offline()?.message.withoutPeriod }

    /// On another network everybody has to be found anew.
    package func networkChanged() {
        asked.withLock { $0 = nil }
        values.withLock { $0.startLooking() }
    }

    package func set(_ newer: NewerVersion?) {
        values.withLock { $0.newer = newer }
    }
}
