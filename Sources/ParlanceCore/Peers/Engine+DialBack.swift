import ParlanceWire

/// Whether the own port can be reached, asked of a peer, and the same done for others (sync.md, "DialBack").
struct DialBacks: Equatable, Sendable {
    /// What one has asked, until it is answered.
    var asked: Asked?
    /// What others have asked: on which link each attempt is answered.
    var attempts: [DialID: LinkID] = [:]

    struct Asked: Equatable, Sendable {
        var link: LinkID
        var peer: PeerID
        var commands: [CommandID]
    }
}

extension Engine {
    /// Asks the peer that was asked longest ago, first those that this node has dialled: whoever dialled it has reached it.
    mutating func askForDialBack(of who: String?, _ id: CommandID) {
        guard dialBacks.asked == nil else {
            dialBacks.asked?.commands.append(id)
            return
        }
        let open = links.values.filter { $0.helloReceived && !$0.closing && peers[$0.peer]?.isAccepted == true }
        let meant = who.flatMap { try? resolve($0).get() }
        let chosen = open.filter { meant == nil || $0.peer == meant }.min { before($0, $1) }
        guard turn.own.listeningPort != 0, let chosen else { return turn.emit(.answer(id, .success(.dialedBack(nil)))) }
        dialBacks.asked = DialBacks.Asked(link: chosen.id, peer: chosen.peer, commands: [id])
        peers[chosen.peer]?.askedToDialBack = turn.now.monotonic
        turn.deadlines[.dialBack] = turn.now.monotonic + Limits.dialBackMilliseconds
        send(.dialBack(WireDialBack()), on: chosen.id)
    }

    private func before(_ a: Link, _ b: Link) -> Bool {
        let moments = [a, b].map { peers[$0.peer]?.askedToDialBack ?? .min }
        if moments[0] != moments[1] { return moments[0] < moments[1] }
        if a.dialled != b.dialled { return a.dialled }
        return a.id < b.id
    }

    mutating func dialedBackReceived(_ answer: WireDialedBack, on id: LinkID) {
        // Late, or of somebody who was not asked.
        guard dialBacks.asked?.link == id else { return }
        let reason = answer.reason.withoutControlCharacters.prefix(utf8: Limits.dialBackReasonBytes)
        switch answer.outcome {
        case .reached: endDialBack(.reached)
        case .tooOften: endDialBack(.tooOften)
        default: endDialBack(.failed(reason))
        }
    }

    mutating func endDialBack(_ outcome: DialBackView.Outcome) {
        guard let asked = dialBacks.asked else { return }
        dialBacks.asked = nil
        turn.deadlines[.dialBack] = nil
        let view = DialBackView(peer: asked.peer, outcome: outcome)
        for command in asked.commands { turn.emit(.answer(command, .success(.dialedBack(view)))) }
    }

    /// A link is gone: nobody will answer on it, or hear.
    mutating func dropDialBacks(on link: LinkID) {
        if dialBacks.asked?.link == link { endDialBack(.noAnswer) }
        dialBacks.attempts = dialBacks.attempts.filter { $0.value != link }
    }

    // For others.

    /// An accepted peer asks whether it can be reached: at the address it has here, on the port it has told. Never another
    /// one, or it could have this node knock anywhere.
    mutating func dialBackReceived(on id: LinkID) {
        guard let link = links[id], peers[link.peer]?.isAccepted == true else { return }
        guard let port = UInt16(exactly: link.listeningPort), port != 0 else {
            return answerDialBack(.failed, "it takes no links", on: id)
        }
        guard turn.now.monotonic - (peers[link.peer]?.dialedBack ?? .min / 2) >= Limits.dialBackPauseMilliseconds else {
            return answerDialBack(.tooOften, "", on: id)
        }
        peers[link.peer]?.dialedBack = turn.now.monotonic
        let attempt = DialID(turn.nextNumber())
        dialBacks.attempts[attempt] = id
        turn.emit(.probe(attempt, Endpoint(host: link.remote.host, port: port)))
    }

    mutating func probed(_ attempt: DialID, failure: String?) {
        guard let link = dialBacks.attempts.removeValue(forKey: attempt) else { return }
        answerDialBack(failure == nil ? .reached : .failed, failure ?? "", on: link)
    }

    private mutating func answerDialBack(_ outcome: WireDialedBack.Outcome, _ reason: String, on id: LinkID) {
        var answer = WireDialedBack()
        answer.outcome = outcome
        answer.reason = reason.prefix(utf8: Limits.dialBackReasonBytes)
        send(.dialedBack(answer), on: id)
    }
}
