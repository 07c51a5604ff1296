/// Finds peers on the local network and lets them find this node.
package protocol Discovery: Sendable {
    /// Announces, browses and reports until the task is cancelled; returns after the announcement was withdrawn.
    ///
    /// It never gives up: where mDNS cannot be reached it says so once and keeps trying. The handler is called on one
    /// serial queue of discovery's own, so it must not block, and is not called after this method has returned.
    func run(handler: @escaping @Sendable (DiscoveryEvent) -> Void) async

    /// Announces this from now on in place of what was announced before (a changed port, mode or workspace).
    func announce(_ instance: ServiceInstance)
}

/// Which mDNS to use (configuration `discovery.mode`).
package enum DiscoveryMode: String, Sendable, Hashable, CaseIterable {
    /// The system's service where it answers, otherwise the embedded one.
    case auto
    /// Only the system's service.
    case system
    /// Only the embedded one.
    case embedded
    /// None: peers are dialled at configured and remembered addresses only.
    case off
}

/// How discovery is set up.
package struct DiscoveryOptions: Sendable, Hashable {
    package var mode: DiscoveryMode
    /// Names of the only interfaces to use, for example `["lo"]`; empty for all.
    ///
    /// The system's service cannot be told this, so `auto` then means `embedded`.
    package var interfaces: [String]
    /// Whether to speak mDNS over IPv6 too.
    package var useIPv6: Bool
    /// Instances remembered at most; beyond it the oldest is forgotten.
    package var cacheLimit: Int

    package init(
        mode: DiscoveryMode = .auto,
        interfaces: [String] = [],
        useIPv6: Bool = true,
        cacheLimit: Int = 1_024
    ) {
        self.mode = mode
        self.interfaces = interfaces
        self.useIPv6 = useIPv6
        self.cacheLimit = max(1, cacheLimit)
    }
}
