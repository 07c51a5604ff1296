import ParlanceControl
import ParlanceNetwork
import ParlanceWords

// What is set, and this computer does not have or does not give. The node does without, so each is a note.
extension Settings {
    /// What these settings name and this computer does not have now.
    static func absences(_ all: [Settings]) -> [NodeStatus.Problem] {
        let hosts = Set(all.flatMap { ListenPlaces($0.listen).absent }).sorted()
        let named = all.flatMap { $0.mdns == .off ? [] : $0.mdnsInterfaces }
        let interfaces = Set(named.filter { !NetworkInterface.exists(named: $0) }).sorted()
        var found: [NodeStatus.Problem] = []
        if !hosts.isEmpty {
            found.append(
                finding(
                    """
                    The setting listen has addresses that this computer does not have now: \(PeopleText.list(hosts)). Nobody \
                    can reach this node there.
                    """,
                    """
                    If it comes by itself, as with a cable or the Wi-Fi, nothing has to be done. To correct it: parlance \
                    config set listen ADDRESS... (--default for all)
                    """
                )
            )
        }
        if !interfaces.isEmpty {
            found.append(
                finding(
                    """
                    The setting mdns-interfaces has interfaces that this computer does not have now: \
                    \(PeopleText.list(interfaces)). Nobody is found there.
                    """,
                    """
                    If it comes by itself, as with a VPN, nothing has to be done. To correct it: parlance config set \
                    mdns-interfaces NAME... (--default for all)
                    """
                )
            )
        }
        return found
    }

    /// A port that the node did not get; `nil` if nobody chose it, so that nobody misses it.
    func problem(of missed: MissedPort) -> NodeStatus.Problem? {
        switch missed {
        case .replaced(let wanted, let used, let isReserved):
            guard places[.port] != nil else { return nil }
            return Self.finding(
                isReserved
                    ? "Only root can take port \(wanted) here, so this node takes links at port \(used) instead."
                    : "Another program uses port \(wanted), so this node takes links at port \(used) instead.",
                """
                Nobody can reach this node at port \(wanted). To choose a port that it can have: parlance config set port \
                NUMBER, then restart parlanced.
                """
            )
        case .refused(let port, let host, let reason):
            return Self.finding(
                "Port \(port) cannot be taken at \(host): \(reason). Nobody can reach this node there.",
                "To choose a port that it can have: parlance config set port NUMBER, then restart parlanced."
            )
        }
    }

    private static func finding(_ message: Phrase, _ advice: Phrase) -> NodeStatus.Problem {
        NodeStatus.Problem(code: "configuration", message: message, advice: advice, severity: .note)
    }
}
