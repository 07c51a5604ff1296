package import ParlanceControl
package import ParlanceCore
import ParlanceNetwork
package import ParlanceRecords
import ParlanceWire
import ParlanceWords

// Converts what the engine and the store know to the types of the control protocol.

extension PeerID {
    /// The full text form without spaces: 56 characters.
    var controlID: String { grouped.filter { $0 != " " } }
}

extension ParlanceControl.Trust {
    init(_ trust: ParlanceCore.Trust) {
        switch trust {
        case .unknown: self = .unknown
        case .accepted: self = .accepted
        case .verified: self = .verified
        case .blocked: self = .blocked
        }
    }
}

extension PresenceState {
    init(_ activity: Activity?) {
        switch activity {
        case .online: self = .online
        case .away: self = .away
        case .busy: self = .busy
        case nil: self = .offline
        }
    }
}

extension PeerInfo {
    /// - Parameters:
    /// - unread: `nil` if nobody counted.
    /// - now: the base for the time of the next attempt; `nil` leaves that time out.
    /// - findings: what is said of the peer in the light of all that is known; `nil` uses those of the view alone.
    init(_ view: PeerView, unread: Int? = nil, findings: [NodeStatus.Problem]? = nil, now: Moment?) {
        // Omit what trust and addresses already say, and what is true of everybody and told once.
        let omitted: Set = ["blocked", "notAccepted", "nowhere", MachineState.offlineCode]
        let findings = (findings ?? view.findings).filter { !omitted.contains($0.code) }
        self.init(
            id: view.record.id.controlID,
            name: view.record.pinnedName ?? view.record.announcedName,
            alias: view.record.alias,
            displayName: view.displayName,
            trust: .init(view.record.trust),
            newName: view.record.newName,
            warning: view.warning,
            nearby: view.nearby,
            connected: view.connected,
            addresses: view.endpoints.map(\.named.description).eachOnce,
            presence: view.knownPresence,
            statusText: view.presence.statusText.isEmpty || view.presence.activity == nil
                ? nil : view.presence.statusText,
            lastSeen: view.presence.lastSeen.map { ControlTime(milliseconds: $0) },
            unread: unread,
            note: view.note(findings),
            nextTry: now.flatMap { now in view.nextTry.map { now.time(ofMonotonic: $0) } }
        )
        asks = view.record.request == nil ? nil : true
        courier = view.record.isCourier ? true : nil
        leftOut = view.isLeftOut ? true : nil
        picture = view.picture.map { PictureInfo($0) }
        problems = findings.isEmpty ? nil : findings
    }
}

extension PeerInfo {
    /// The properties whose changes are published as an event of the peer: all but its presence and the next attempt.
    var withoutPresence: PeerInfo {
        var info = self
        info.presence = nil
        info.statusText = nil
        info.lastSeen = nil
        info.nextTry = nil
        return info
    }
}

extension PeerView {
    /// The presence to show; `nil` for a blocked peer, and for one without a link to which none is wanted, because only
    /// links tell presence.
    var knownPresence: PresenceState? {
        // A block ends the link. What was shown until then is not the present state.
        guard record.trust != .blocked else { return nil }
        return isWelcome ? PresenceState(presence.activity) : presence.activity.map { PresenceState($0) }
    }

    /// What to say about a peer beyond its trust and its link.
    fileprivate func note(_ findings: [NodeStatus.Problem]) -> Phrase? {
        var notes: [Phrase] = []
        if record.request != nil {
            notes.append(Phrase("asks to talk; answer with: parlance accept \(record.id.prefix)"))
        }
        notes += findings.map(\.message.withoutPeriod)
        if let newName = record.newName, newName.isReservedName {
            notes.append(Phrase("now goes by \"\(NameText.plain(newName))\", which has another meaning in Parlance"))
        } else if let newName = record.newName {
            let command = Phrase(command: ShellWord.command("parlance alias", [record.id.prefix, newName]))
            notes.append(Phrase("now goes by \"\(NameText.plain(newName))\"; to show that: \(command)"))
        }
        return notes.isEmpty ? nil : Phrase.joined(notes, by: "; ")
    }

    /// A warning if a newcomer announces the name of somebody known here, or a word that the program uses itself, and so is
    /// shown with a suffix.
    var warning: Phrase? {
        let name = record.announcedName
        guard record.alias == nil, record.pinnedName == nil, !name.isEmpty, displayName != name else { return nil }
        if name.isReservedName {
            return Phrase("goes by \"\(NameText.plain(name))\", which has another meaning in Parlance")
        }
        return Phrase("somebody else you know goes by \"\(NameText.plain(name))\"; this is not them")
    }
}

extension RequestEvent {
    /// Describes a peer that asks to talk; `nil` if it does not.
    init?(_ view: PeerView) {
        guard let request = view.record.request else { return nil }
        self.init(
            peer: view.record.id.controlID,
            name: view.displayName,
            preview: request.preview,
            time: ControlTime(milliseconds: request.time),
            warning: view.warning
        )
    }
}

extension [String] {
    /// Each element once, at its first position.
    var eachOnce: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}

extension ControlError {
    package init(_ refusal: Refusal, candidate: (Refusal.Candidate) -> Candidate) {
        let candidates = refusal.candidates.map(candidate)
        let words = refusal.inEnglish
        self.init(
            refusal.code,
            words.message,
            advice: words.advice,
            candidates: candidates.isEmpty ? nil : candidates,
            reason: words.reason
        )
    }
}

extension ControlTime {
    /// The time to show to people, at present, for when something was written.
    package init(shown time: WrittenTime) {
        self.init(milliseconds: time.shown(at: WallClock.milliseconds()))
    }
}
