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
        private let opened = Mutex<(@Sendable () -> Void)?>(nil)

        /// For how long what was seen holds, in milliseconds.
        private static let kept: Int64 = 5_000

        /// - Parameter anew: whether what was seen before does not count: somebody may have just changed a rule.
        func firewall(anew: Bool) -> OwnFirewall {
            let (before, now) = look(anew: anew)
            if before?.discovery == .dropped, now.discovery == .open { opened.withLock { $0 }?() }
            return now
        }

        /// Calls a closure each time mDNS is seen to come in that did not come in before.
        func onOpened(_ body: @escaping @Sendable () -> Void) { opened.withLock { $0 = body } }

        private func look(anew: Bool) -> (before: OwnFirewall?, now: OwnFirewall) {
            last.withLock { last in
                let time = Moment.now().monotonic
                let before = last?.firewall
                if !anew, let last, time - last.time < Self.kept { return (before, last.firewall) }
                let passages = FirewallProbe.passages(to: [.discovery, .experiment])
                let firewall = OwnFirewall(
                    manager: .active(),
                    discovery: passages.first ?? .unknown,
                    others: passages.last ?? .unknown
                )
                last = (time, firewall)
                return (before, firewall)
            }
        }
    }
}
