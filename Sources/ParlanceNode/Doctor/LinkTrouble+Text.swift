import ParlanceCore
import ParlanceNetwork
import ParlanceWords

// How people are told about a link that ended or did not come about.
extension LinkTrouble {
    /// Whether the peer is in another workspace, or one of the two nodes is in none.
    var isOfOtherWorkspace: Bool {
        switch cause {
        case .otherWorkspace, .failed(.notTaken, _): true
        default: false
        }
    }

    /// Whether the peer is in another workspace, at an address of `host`.
    func isOfOtherWorkspace(at host: String) -> Bool {
        if case .failed(.notTaken, let place) = cause { place.isAt(host) } else { false }
    }
}

extension LinkTrouble.Cause {
    /// The stable name for programs.
    var code: String {
        switch self {
        case .breach: "breach"
        case .accused: "accused"
        case .congested: "congested"
        case .stale: "stale"
        case .behind: "behind"
        case .blocked: "refused"
        case .noRoom: "noRoom"
        case .diskFull: "diskFull"
        case .otherWorkspace, .failed(.notTaken, _): "workspace"
        case .stopped: "stopped"
        case .lost: "lost"
        case .unanswered: "unanswered"
        case .closed: "closed"
        case .failed: "unreached"
        }
    }

    /// What happened, as one sentence without its period.
    func text(_ name: String) -> Phrase {
        switch self {
        case .breach(let rule): Phrase("\(name)'s node broke a rule of the protocol: it sent \(rule.text)")
        case .accused: Phrase("\(name)'s node ended the link: it says that this node broke a rule of the protocol")
        case .congested: Phrase("\(name)'s node does not take what is sent to it")
        case .stale:
            Phrase(
                """
                \(name)'s node knows a later start of this node: a copy of this node runs too, or the data here were restored \
                from a backup
                """
            )
        case .behind: Phrase("\(name)'s node shows an earlier start than before: its data were restored from a backup")
        case .blocked: Phrase("\(name) does not take your messages")
        case .noRoom: Phrase("\(name)'s node ended the link: it has not accepted you, or it has enough links")
        case .diskFull: Phrase("\(name)'s disk is full")
        case .otherWorkspace: Phrase("\(name)'s node is in another workspace than this one, or in none")
        case .stopped: Phrase("\(name)'s node was stopped")
        case .lost: Phrase("\(name)'s node was cut off")
        case .unanswered: Phrase("\(name)'s computer has stopped answering; another way is tried")
        case .closed: Phrase("\(name)'s node closed the link without a reason")
        case .failed(.notTaken, let place):
            Phrase(
                """
                \(name)'s node at \(place.named) does not take this node: most likely it is in another workspace than this \
                one, or in none
                """
            )
        case .failed(let failure, let place): failure.text(about: name, at: place)
        }
    }

    /// What to do about it.
    func advice(_ name: String) -> Phrase {
        switch self {
        case .breach:
            Phrase(
                """
                Install the same version of Parlance on both machines: parlance status shows it. If that does not help, \
                report it with this node's log.
                """
            )
        case .accused:
            Phrase(
                """
                Install the same version of Parlance on both machines: parlance status shows it. If that does not help, \
                report it with the log of \(name)'s node, which names the rule.
                """
            )
        case .congested:
            Phrase("Look at the disk and the load of \(name)'s machine. What waits is sent on the next link.")
        case .stale:
            Phrase(
                "Nothing has to be done: this node goes on as a new copy as soon as somebody who accepted it says so."
            )
        case .behind:
            Phrase("Nothing has to be done here: \(name)'s node goes on as a new copy as soon as it learns of it.")
        case .blocked:
            Phrase(
                """
                \(name) has blocked you, or the key of your workspace was changed without you. Talk to \(name) in another \
                way. What you wrote is sent if \(name) takes your messages again; to take it back: parlance outbox cancel ID
                """
            )
        case .noRoom: Phrase("The next attempt is in 5 minutes. A message to \(name) makes one at once.")
        case .diskFull:
            Phrase("\(name) has to make room. What you wrote is kept here, and is sent then.")
        case .otherWorkspace:
            Phrase(
                """
                Compare on both machines: parlance workspace show. Anybody who wants to join needs the current code; an \
                old one no longer works: parlance workspace invite
                """
            )
        case .stopped, .lost, .unanswered, .closed:
            Phrase("This node tries again by itself. On the other machine: \(Phrase(elsewhere: "parlance status"))")
        case .failed(let failure, let place): failure.advice(about: name, at: place)
        }
    }
}

extension DialFailure {
    /// Why somebody is not reached, as one sentence without its period. What people meet each day is said without an
    /// address: the advice has it, and `doctor` names every one.
    fileprivate func text(about name: String, at place: Endpoint) -> Phrase {
        switch self {
        case .refused: Phrase("\(name)'s computer answers, and Parlance does not run there")
        case .timedOut: Phrase("\(name)'s computer does not answer")
        case .noRoute: Phrase("\(name)'s computer is off or elsewhere, or its firewall lets nobody in")
        case .networkUnreachable: Phrase("\(name)'s network cannot be reached from this computer")
        case .handshakeTimedOut:
            Phrase("\(name)'s computer accepted the connection and sent nothing: it may be asleep")
        default: Phrase("\(name) was not reached at \(place.named): \(self.text)")
        }
    }

    /// What to do about it, if it is known who should be there.
    fileprivate func advice(about name: String, at target: Endpoint) -> Phrase {
        let place = target.named
        return switch self {
        case .otherIdentity:
            Phrase(
                """
                If \(place) is now the address of another machine, wait until mDNS shows \(name) elsewhere. If \(name) has \
                set up Parlance again, this node sees a new person: write to the new one, and forget the old: parlance \
                forget WHO
                """
            )
        case .handshakeTimedOut:
            Phrase(
                """
                Something accepted the connection at \(place) and sent nothing. Wake that computer; if it is awake, run there: \
                \(Phrase(elsewhere: "parlance doctor"))
                """
            )
        default: advice(at: target)
        }
    }

    private static let otherKey = Phrase(
        """
        Compare on both machines: parlance workspace show. Anybody who joined with an old code needs the current one: \
        parlance workspace invite. If that is the same, compare the versions: parlance status
        """
    )

    /// What to do about it.
    func advice(at target: Endpoint) -> Phrase {
        let place = target.named
        return switch self {
        case .refused:
            Phrase(
                """
                The machine at \(place) is there, and takes no links on that port: start parlanced there, look at its \
                port (\(Phrase(elsewhere: "parlance status")) there), or have its firewall let TCP \(place.port) in.
                """
            )
        case .timedOut:
            Phrase(
                """
                Nobody answered at \(place): the machine is off or asleep, has another address by now, or a firewall \
                drops TCP \(place.port). On the other machine: \(Phrase(elsewhere: "parlance doctor"))
                """
            )
        case .noRoute:
            Phrase(
                """
                Nothing takes packets for \(place): the computer is off, has another address by now, or its firewall \
                refuses TCP \(place.port). On the other machine: \(Phrase(elsewhere: "parlance doctor"))
                """
            )
        case .networkUnreachable, .unusableAddress:
            Phrase(
                """
                There is no way from this network to \(place): look at the cable, the Wi-Fi or the VPN, and at the routes \
                (ip route).
                """
            )
        case .needsInterface:
            Phrase("Name it after the address, such as [fe80::1%eth1]:4747. To list the interfaces: ip link")
        case .noInterface:
            Phrase("Plug it in, or give the address with another interface. To list the interfaces: ip link")
        case .notPermitted:
            Phrase(
                """
                This machine's own firewall, or the service's sandbox, forbids connections to \(place): let TCP \
                \(place.port) out.
                """
            )
        case .otherIdentity:
            Phrase(
                """
                The address \(place) was given to another machine. Ask for the new one, or wait until mDNS shows it: \
                parlance peers
                """
            )
        case .ownIdentity: Phrase("\(place) is this node's own address: give the other one's.")
        case .tooManyUnaccepted: Phrase("Wait a minute, or accept whom you know: parlance requests")
        case .nameNotFound:
            Phrase(
                "Look whether the name is spelt right, and known to the DNS here: getent hosts NAME. An address always works."
            )
        case .notTaken: Self.otherKey
        case .handshake:
            Phrase(
                "Something else may listen at \(place): look at the port (\(Phrase(elsewhere: "parlance status")) there)."
            )
        case .certificate:
            Phrase(
                "Somebody may be in between, or the other node is damaged: do not trust that address, and tell who runs it."
            )
        case .reset, .invalidAddress, .system, .stopping, .closedInHandshake, .handshakeTimedOut:
            Phrase("On the other machine: \(Phrase(elsewhere: "parlance doctor"))")
        }
    }
}
