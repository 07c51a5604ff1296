package import ParlanceWords

/// Which program speaks mDNS for this node, and whether it works.
package struct DiscoveryState: Sendable, Hashable {
    /// Which program speaks mDNS for this node.
    package enum Backend: String, Sendable, Hashable {
        /// libavahi-core inside this process.
        case embedded
        /// The system's service, reached through `dns_sd.h`.
        case system
        /// None at the moment.
        case none
    }

    package let backend: Backend
    /// Whether this node can find peers and peers can find it.
    package let isWorking: Bool
    /// For people: what is wrong, why, and what to do about it; if all is well, one sentence that says so.
    package let explanation: Phrase

    package init(backend: Backend, isWorking: Bool, explanation: Phrase) {
        self.backend = backend
        self.isWorking = isWorking
        self.explanation = explanation
    }
}

/// What discovery reports to the node.
package enum DiscoveryEvent: Sendable, Hashable {
    /// A peer was seen, or the information about it changed; the sighting replaces the earlier one of that instance.
    case found(Sighting)
    /// An announcement ended. This is only a hint: presence comes from links, and a dead peer may stay listed for an
    /// hour.
    case lost(instance: String)
    /// Discovery began to work, stopped, or changed its backend; reported once per change.
    case state(DiscoveryState)
    /// Addresses or interfaces of this machine changed, so a peer that could not be reached may be reachable now.
    case networkChanged
}
