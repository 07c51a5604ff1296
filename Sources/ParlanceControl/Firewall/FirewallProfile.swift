/// What a firewall has to let in, the same as in the profiles that the package installs (contrib/firewall).
package enum FirewallProfile {
    /// The ports for links: the usual one, and those that further nodes of the same computer take.
    package static let tcp = (first: 4_747, last: 4_762)
    /// mDNS.
    package static let udp = 5_353
    /// Private networks (RFC 1918) and link-local addresses (RFC 3927): nobody of the internet is let in.
    package static let ipv4 = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"]
    /// Link-local (RFC 4291) and unique local addresses (RFC 4193).
    package static let ipv6 = ["fe80::/10", "fc00::/7"]

    static let ufwPath = "/etc/ufw/applications.d/parlance"
    static let firewalldPath = "/usr/lib/firewalld/services/parlance.xml"
}
