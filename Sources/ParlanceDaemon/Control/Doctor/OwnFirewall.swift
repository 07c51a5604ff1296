import ParlanceControl
import ParlanceNetwork
import Synchronization

/// What is known of this computer's firewall without being root: which program manages it, and what a packet of this node to
/// itself has met (`FirewallProbe`).
struct OwnFirewall: Equatable, Sendable {
    var manager: FirewallManager?
    /// Whether mDNS comes in.
    var discovery = FirewallProbe.Passage.unknown
    /// Whether what only rules for Parlance let in comes in: if not, most likely neither do links. TCP itself cannot be
    /// tried from inside.
    var others = FirewallProbe.Passage.unknown

    /// Whether it most likely keeps links out.
    var isLikelyClosed: Bool { others == .dropped || others == .unknown && manager != nil }

    /// What is told of it.
    var finding: Findings.Firewall? {
        switch others {
        case .open: .open
        case .dropped: .closed
        case .unknown: nil
        }
    }

    /// Looks again at most every few seconds, unless somebody asks: each look takes a moment where the firewall drops something.
    final class Look: Sendable {
        private let last = Mutex<(time: Int64, firewall: OwnFirewall)?>(nil)

        /// For how long what was seen holds, in milliseconds.
        private static let kept: Int64 = 5_000

        /// - Parameter anew: whether what was seen before does not count: somebody may have just changed a rule.
        func firewall(anew: Bool) -> OwnFirewall {
            last.withLock { last in
                let time = Moment.now().monotonic
                if !anew, let last, time - last.time < Self.kept { return last.firewall }
                let passages = FirewallProbe.passages(to: [.discovery, .experiment])
                let firewall = OwnFirewall(
                    manager: .active(),
                    discovery: passages.first ?? .unknown,
                    others: passages.last ?? .unknown
                )
                last = (time, firewall)
                return firewall
            }
        }
    }
}
