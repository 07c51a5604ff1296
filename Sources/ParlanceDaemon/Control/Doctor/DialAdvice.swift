/// What to do about a dial that failed, by its reason as `DialFailure` puts it.
enum DialAdvice {
    static func of(_ reason: String, at place: String, port: Int) -> String {
        switch reason {
        case "connection refused":
            "The machine at \(place) is there, and takes no links on that port: start parlanced there, look at its port "
                + "(parlance status there), or have its firewall let TCP \(port) in."
        case "timed out", "no answer":
            "Nobody answered at \(place): the machine is off or asleep, has another address by now, or a firewall drops "
                + "TCP \(port). On the other machine: parlance doctor"
        case "no route to host", "network unreachable", "the address cannot be reached from here":
            "There is no way from this network to \(place): look at the cable, the Wi-Fi or the VPN, and at the routes "
                + "(ip route)."
        case "not permitted by this machine":
            "This machine's own firewall, or the service's sandbox, forbids connections to \(place): let TCP \(port) out."
        case "somebody else answers at that address":
            "The address \(place) was given to another machine. Ask for the new one, or wait until mDNS shows it: parlance peers"
        case "this node itself answers at that address":
            "\(place) is this node's own address: give the other one's."
        case "there are too many links to peers that are not accepted":
            "Wait a minute, or accept whom you know: parlance requests"
        case _ where reason.hasSuffix("was not found"):
            "Look whether the name is spelt right, and known to the DNS here: getent hosts NAME. An address always works."
        case _ where reason.hasSuffix("does not speak Parlance"):
            "Something else listens at \(place): look at the port (parlance status there)."
        case _ where reason.contains("version"):
            "Install the same version of Parlance on both machines: parlance status shows it."
        case _ where reason.hasSuffix("the other side closed the connection"):
            "It does not take this node: it is in another workspace or in none (parlance workspace show, on both), has "
                + "another version (parlance status, on both), or has too many links just now."
        case _ where reason.contains("certificate"):
            "Somebody may be in between, or the other node is damaged: do not trust that address, and tell who runs it."
        default: "On the other machine: parlance doctor"
        }
    }
}
