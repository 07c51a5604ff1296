import ParlanceHistory
import ParlanceWire

// Who waits to be let in, and who is let in by an invitation (charter.md, "Admission", "Invitations").
extension OwnWorkspace {
    /// Somebody came with a key of the workspace and is no member yet.
    ///
    /// - Returns: who is forgotten because there are too many.
    mutating func waits(_ peer: PeerID, on link: Link, _ proof: InvitationProof?, _ turn: inout Turn) -> PeerID? {
        let request = AdmissionRequests.Request(tag: link.workspaceTag, proof: proof, seen: turn.now.monotonic)
        let dropped = changeRequests { $0.came(peer, request) }
        turn.deadlines[.requests] = requests.next
        return dropped
    }

    /// Forgets those who have not been here for a day.
    ///
    /// - Returns: those who are forgotten.
    mutating func requestsDue(_ links: Links, _ turn: inout Turn) -> [PeerID] {
        let now = turn.now.monotonic
        for peer in requests.peers where links.main(of: peer) != nil { changeRequests { $0.saw(peer, at: now) } }
        let due = requests.due(at: now)
        for peer in due { changeRequests { $0.remove(peer) } }
        turn.deadlines[.requests] = requests.next
        return due
    }

    /// Takes out those whom an admin has answered, and all if nobody waits for an admin any more.
    mutating func takeAnswered(_ turn: inout Turn) -> [(peer: PeerID, request: AdmissionRequests.Request)] {
        let answered = requests.peers.filter { current?.charter?.awaits($0) != true }
        let taken = answered.compactMap { peer in requests[peer].map { (peer, $0) } }
        for peer in answered { changeRequests { $0.remove(peer) } }
        if !taken.isEmpty { turn.deadlines[.requests] = requests.next }
        return taken
    }

    // Invitations.

    /// The invitations by which this node may let somebody in now, with those who name them. Their proofs are not verified
    /// yet.
    private func invited(_ turn: Turn) -> [(invitation: Charter.Invitation, peers: [PeerID])] {
        let named = Set(requests.peers.compactMap { requests[$0]?.proof?.key })
        guard !named.isEmpty, let charter = current?.charter, charter.isAdmin(turn.own.identity),
            charter.admission == .approve, charter.hasRoom(for: turn.own.identity, .admit)
        else { return [] }
        let standing = charter.invitations.filter { named.contains($0.key) && $0.stands(at: turn.now.wall) }
        return standing.compactMap { invitation in
            let peers = requests.peers.filter { requests[$0]?.proof?.key == invitation.key && charter.awaits($0) }
            return peers.isEmpty ? nil : (invitation, peers)
        }
    }

    /// Schedules an admission if somebody has shown an invitation: at once if no linked admin has a smaller ID, otherwise
    /// after a random delay, in which one of those may do it.
    mutating func considerAdmission(_ links: Links, _ turn: inout Turn) {
        guard !invited(turn).isEmpty, let charter = current?.charter else {
            turn.deadlines[.admission] = nil
            return
        }
        guard turn.deadlines[.admission] == nil else { return }
        turn.deadlines[.admission] = turn.now.monotonic + charter.delay(links, &turn)
    }

    /// Lets those in who have shown a valid invitation, as long as it admits somebody.
    mutating func admitInvited(_ turn: inout Turn) -> [Fact] {
        guard var changed = current, let before = changed.charter else { return [] }
        var charter = before
        for (invitation, peers) in invited(turn) {
            let proven = peers.filter { isProven($0, CharterPrefix(of: charter.id)) }.prefix(invitation.left)
            var grown = charter
            // If this admin's share is used up, another one has to do it.
            guard grown.sign(.admit, Array(proven), saying: .admission(by: invitation), turn) else { break }
            charter = grown
        }
        guard charter != before else { return [] }
        changed.charter = charter
        changed.sortKeys(at: turn.now.wall)
        return change(to: changed, &turn)
    }

    /// Lets people in as the user, an admin, said.
    ///
    /// - Returns: `nil` if the admin's share is used up.
    mutating func admit(_ peers: [PeerID], _ turn: inout Turn) -> [Fact]? {
        guard !peers.isEmpty, var changed = current, var charter = changed.charter else { return [] }
        guard charter.sign(.admit, peers, turn) else { return nil }
        changed.charter = charter
        changed.sortKeys(at: turn.now.wall)
        return change(to: changed, &turn)
    }

    /// Whether somebody has the secret of the invitation that its proof names. A wrong proof is forgotten.
    private mutating func isProven(_ peer: PeerID, _ charter: CharterPrefix) -> Bool {
        guard requests[peer]?.proof?.isValid(for: peer, in: charter) != true else { return true }
        changeRequests { $0.dropProof(of: peer) }
        return false
    }
}

extension Charter {
    /// Whether an admin has to let somebody in.
    func awaits(_ peer: PeerID) -> Bool { !isMember(peer) && !isExcluded(peer) }

    /// How long an admin's node leaves something to others: not at all if no linked admin has a smaller ID.
    func delay(_ links: Links, _ turn: inout Turn) -> Int64 {
        let own = turn.own.identity
        let isFirst = !links.open.contains { $0.helloReceived && $0.peer < own && isAdmin($0.peer) }
        return isFirst ? 0 : turn.random.below(Limits.charterRotationDelayMilliseconds)
    }

    /// The invitations in force that a text means: the beginning of the public key, or of the policy's name.
    func invitations(meant text: String) -> [Invitation] {
        let typed = text.lowercased()
        let start = typed.hasPrefix(Invitation.prefix) ? String(typed.dropFirst(Invitation.prefix.count)) : typed
        return start.isEmpty ? [] : invitations.filter { $0.text.hasPrefix(start) }
    }
}
