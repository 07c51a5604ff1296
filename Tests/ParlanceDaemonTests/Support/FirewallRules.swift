/// Rules as the firewalls of common systems write them, for `nft -f`.
enum FirewallRules {
    /// ufw of Debian 12 after `ufw enable`: /usr/share/ufw/iptables/before.rules and before6.rules, whose last word is the
    /// policy. mDNS is let in, and no new connection.
    static let ufw = """
        table inet ufw {
            chain input {
                type filter hook input priority filter; policy drop;
                iif lo accept
                ct state related,established accept
                ct state invalid drop
                icmp type { destination-unreachable, time-exceeded, parameter-problem, echo-request } accept
                meta l4proto ipv6-icmp accept
                udp sport 67 udp dport 68 accept
                ip daddr 224.0.0.251 udp dport 5353 accept
                ip6 daddr ff02::fb udp dport 5353 accept
                ip daddr 239.255.255.250 udp dport 1900 accept
            }
        }
        """

    /// firewalld of Debian 12 in its zone `public`, with nftables as its backend: neither mDNS nor a new connection is let
    /// in, and what is not let in is answered with ICMP.
    static let firewalld = """
        table inet firewalld {
            chain filter_INPUT {
                type filter hook input priority filter + 10; policy accept;
                ct state { established, related } accept
                ct status dnat accept
                iifname "lo" accept
                ct state invalid drop
                jump filter_IN_public
                reject with icmpx admin-prohibited
            }
            chain filter_IN_public {
                tcp dport 22 accept
                ip6 daddr fe80::/64 udp dport 546 accept
                meta l4proto { icmp, ipv6-icmp } accept
            }
        }
        """
}
