/// Finds peers on the local network and lets them find this node.
package protocol Discovery: Sendable {
    /// Announces, browses and reports until the task is cancelled; returns after the announcement has been withdrawn.
    /// It never gives up: if mDNS cannot be reached, it reports that once and keeps trying. The handler is called on
    /// discovery's serial queue, so it must not block; it is not called after this method has returned.
    func run(handler: @escaping @Sendable (DiscoveryEvent) -> Void) async

    /// Announces this from now on instead of the previous announcement (a changed port, mode or workspace).
    func announce(_ instance: ServiceInstance)

    /// Announces the same under a new name, so that everybody in sight treats it as an instance that they have not met:
    /// strangers dial it, and hear the present name of this node.
    func announceAnew()

    /// Asks who is there, at once, and announces itself again: what kept packets out, such as a firewall, does not any more.
    /// Otherwise mDNS asks less and less often, in the end once an hour (RFC 6762, 5.2).
    func lookAnew()
}

/// Which mDNS to use (configuration `discovery.mode`).
package enum DiscoveryMode: String, Sendable, Hashable, CaseIterable {
    /// The system's service if it answers, otherwise the embedded one.
    case auto
    /// Only the system's service.
    case system
    /// Only the embedded one.
    case embedded
    /// None: peers are dialled only at configured and remembered addresses.
    case off
}

/// The settings of discovery.
package struct DiscoveryOptions: Sendable, Hashable {
    package var mode: DiscoveryMode
    /// Names of the only interfaces to use, for example `["lo"]`; empty for all.
    /// The system's service has no such setting, so `auto` then means `embedded`.
    package var interfaces: [String]
    /// Whether to speak mDNS over IPv6 too.
    package var useIPv6: Bool
    /// The most instances remembered; beyond it the oldest is forgotten.
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
