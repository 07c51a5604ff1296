/// Who speaks mDNS for this node, and whether it works.
package struct DiscoveryState: Sendable, Hashable {
    /// Who speaks mDNS for this node.
    package enum Backend: String, Sendable, Hashable {
        /// libavahi-core inside this process.
        case embedded
        /// The system's own service, reached through `dns_sd.h`.
        case system
        /// Nobody at the moment.
        case none
    }

    package let backend: Backend
    /// Whether peers can be found and can find us.
    package let isWorking: Bool
    /// For people: what is the matter, why, and what to do about it; where all is well, one sentence saying so.
    package let explanation: String

    package init(backend: Backend, isWorking: Bool, explanation: String) {
        self.backend = backend
        self.isWorking = isWorking
        self.explanation = explanation
    }
}

/// What discovery tells the node.
package enum DiscoveryEvent: Sendable, Hashable {
    /// A peer was seen, or what is known of it changed; the sighting replaces the earlier one of that instance.
    case found(Sighting)
    /// An announcement ended. Only a hint: presence comes from links, and a dead peer may stay listed for an hour.
    case lost(instance: String)
    /// Discovery began to work, stopped, or moved; told once per change.
    case state(DiscoveryState)
    /// Own addresses or interfaces changed, so whatever could not be reached may be reached now.
    case networkChanged
}
