import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceSodium
import ParlanceTexts
import ParlanceWire
import ParlanceWords

// Operations on the workspace: the nodes that share a key.

extension NodeOperations {
    static let workspace: [any NodeOperation.Type] = [
        WorkspaceCreateOperation.self, WorkspaceJoinOperation.self, WorkspaceShowOperation.self,
        WorkspaceLeaveOperation.self, WorkspaceRotateOperation.self, WorkspaceAdoptOperation.self,
        WorkspaceChangeOperation.self, WorkspacePreviewOperation.self, WorkspacePolicyOperation.self,
        WorkspaceLogOperation.self,
        WorkspaceInviteOperation.self, WorkspaceUninviteOperation.self,
        WorkspaceImportOperation.self,
    ]
}

extension WorkspaceCreateOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand {
        .found(name: name, .random(), nonce: (0..<ReplicaID.count).map { _ in .random(in: .min ... .max) })
    }
}

extension WorkspaceJoinOperation: NodeOperation {
    /// The name of a workspace whose code was given without one.
    private static let unnamed = "unnamed"

    func perform(on node: LocalControl) async throws(ControlError) -> WorkspaceReply {
        if let name, let passphrase, code == nil { return try await join(name, passphrase, node) }
        guard let code, passphrase == nil else { throw .noCode }
        guard let code = InvitationCode(text: code) else { throw .wrongCode }
        let label = name ?? (code.name.isEmpty ? Self.unnamed : code.name)
        let command = WorkspaceCommand.join(
            name: label,
            code.key,
            code.charter,
            code.invitationKey,
            isChosen: name != nil
        )
        return try await node.give(command)
    }

    /// Derives the key from the name and the passphrase: all who give the same two get the same key.
    private func join(
        _ name: String,
        _ passphrase: String,
        _ node: LocalControl
    ) async throws(ControlError) -> WorkspaceReply {
        guard !passphrase.isEmpty else { throw .noCode }
        if let fault = PassphrasePrompt.fault(Array(passphrase.utf8)) {
            let advice = Phrase(
                "Nothing was changed. All who are to be in it agree on several words that nobody would guess."
            )
            throw ControlError(.invalidValue, fault, advice: advice)
        }
        // Deriving the key takes most of a second, so no event loop waits for it.
        let key = try await node.read {
            do throws(SodiumError) {
                return try WorkspaceKey(name: name, passphrase: passphrase)
            } catch {
                let advice = Phrase("Close other programs, or join by the invitation code: it needs no memory.")
                throw ControlError(.busy, "There is not enough memory to make a key of it.", advice: advice)
            }
        }
        return try await node.give(.join(name: name, key))
    }
}

extension WorkspaceShowOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand { .show }
}

extension WorkspaceLeaveOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand { .leave }
}

extension WorkspaceRotateOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand { .rotate(.random(), without: without ?? []) }
}

extension WorkspaceAdoptOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand { .adopt(named: charter) }
}

extension WorkspaceChangeOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand { .change(change.command, who: who) }
}

extension WorkspacePreviewOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand { .preview(change.command, who: who) }
}

extension WorkspaceChangeOperation.Change {
    fileprivate var command: CharterCommand {
        switch self {
        case .appoint: .appoint
        case .dismiss: .dismiss
        case .exclude: .exclude(.random())
        case .readmit: .readmit
        case .admit: .admit
        }
    }
}

extension MeantPerson {
    fileprivate init(_ meant: WorkspaceView.Meant, _ hub: EventHub) {
        let was: Standing =
            switch meant.was {
            case .member: .member
            case .waiting: .waiting
            case .excluded: .excluded
            case .outside: .outside
            }
        self.init(person: hub.person(meant.peer), was: was)
    }
}

extension WorkspacePolicyOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> WorkspaceReply {
        if let value, !value.isEmpty, let fault = KnownPolicy.fault(name, value, isCustom: custom == true) {
            throw fault
        }
        guard who == nil || name == CharterInfo.admissionPolicy else { throw .whoWithoutAdmission }
        return try await node.give(.change(.policy(name: name, value: value ?? "", keeping: who), who: []))
    }
}

extension WorkspaceInviteOperation: NodeOperation {
    /// How many days an invitation lasts if nothing is said.
    private static let usualDays: Int64 = 7

    func perform(on node: LocalControl) async throws(ControlError) -> WorkspaceInviteReply {
        guard let secret = InvitationSecret(SecretBytes(randomCount: InvitationSecret.count)) else {
            throw .defect
        }
        let wall = WallClock.milliseconds()
        let today = CivilDay(at: wall)
        var last = CivilDay(at: wall + Self.usualDays * 86_400_000)
        if let until {
            guard let day = SearchDay(until) else { throw .notADay(until) }
            last = day.day(on: today)
        }
        let command = WorkspaceCommand.change(.invite(secret, uses: uses ?? 1, until: last.end), who: [])
        let view = try await node.ask(.workspace(command), \.workspace)
        guard let view, let prefix = view.code, let key = InvitationKey(secret, to: prefix),
            let made = view.charter?.invitations.first(where: { $0.policy == key.policy })
        else { throw .defect }
        return WorkspaceInviteReply(
            code: InvitationCode(name: view.name, secret: view.key.secret, charter: prefix, key).text,
            invitation: InvitationInfo(made, node.hub),
            workspace: WorkspaceInfo(view, node.hub)
        )
    }
}

extension WorkspaceUninviteOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand { .change(.endInvitation(invitation), who: []) }
}

extension CharterInfo.OwnInvitation {
    fileprivate init(_ standing: InvitationStanding) {
        self =
            switch standing {
            case .admits: .admits
            case .ended(.exclusion): .exclusion
            case .ended(.newKey): .newKey
            case .ended(.usedUp): .usedUp
            case .ended(.expired): .expired
            case .admitted: .admitted
            case .unknown: .unknown
            }
    }
}

extension InvitationInfo {
    init(_ ended: EndedInvitation, _ hub: EventHub) {
        self.init(ended.invitation, hub)
        self.ended =
            switch ended.reason {
            case .exclusion: .exclusion
            case .newKey: .newKey
            case .usedUp: .usedUp
            case .expired: .expired
            }
    }

    init(_ invitation: Charter.Invitation, _ hub: EventHub) {
        self.init(
            id: invitation.text,
            author: hub.person(invitation.author),
            time: ControlTime(shown: invitation.time),
            uses: invitation.uses,
            left: invitation.left,
            until: ControlTime(milliseconds: invitation.until)
        )
    }
}

extension WorkspaceLogOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> WorkspaceLogReply {
        let charter = try await node.ask(.workspace(.log), \.charter)
        let first = max(0, after ?? 0)
        let lines = CharterLog.lines(of: charter).dropFirst(first)
        var part: [String] = []
        var bytes = 0
        for line in lines where bytes <= ControlLimits.pageLogBytes {
            part.append(line)
            bytes += line.utf8.count
        }
        let hash = Base32.encode(charter.hash)
        // The first line has no entry.
        let told = charter.entries.dropFirst(max(0, first - 1)).prefix(max(0, first + part.count - max(1, first)))
        let entries = told.compactMap { WorkspaceLogEntry($0, node.hub) }
        return WorkspaceLogReply(lines: part, entries: entries, more: part.count < lines.count, hash: hash)
    }
}

/// An operation that is one command about the workspace. It replies with the workspace as the command left it.
protocol WorkspaceCommandOperation: NodeOperation where Reply == WorkspaceReply {
    var command: WorkspaceCommand { get }
}

extension WorkspaceCommandOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> WorkspaceReply {
        try await node.give(command)
    }
}

extension LocalControl {
    /// Gives a command about the workspace, and returns the workspace as the command left it.
    fileprivate func give(_ command: WorkspaceCommand) async throws(ControlError) -> WorkspaceReply {
        var view = try await ask(.workspace(command), \.workspace)
        let offline = view == nil ? nil : facts.offline()
        // A link counts as up for a while after the network has gone.
        if offline != nil, let within = view?.withinComputer {
            view?.connected.removeAll { !within.contains($0) }
            view?.strangers.removeAll { !within.contains($0) }
        }
        return WorkspaceReply(
            workspace: view.map { WorkspaceInfo($0, hub) },
            people: view?.meant.map { MeantPerson($0, hub) } ?? [],
            passedOver: view?.passedOver.map { hub.person($0) } ?? [],
            problems: [offline].compactMap(\.self)
        )
    }
}

extension WorkspaceKey {
    fileprivate static func random() -> WorkspaceKey { WorkspaceKey(secret: SecretBytes(randomCount: 32)) }
}

extension WorkspaceInfo {
    init(_ view: WorkspaceView, _ hub: EventHub) {
        let byName = { (peers: [PeerID]) in
            peers.map { hub.person($0) }.sorted { ($0.displayName, $0.id) < ($1.displayName, $1.id) }
        }
        self.init(
            name: view.name,
            code: InvitationCode(name: view.name, secret: view.key.secret, charter: view.code).text,
            number: view.keyNumber,
            connected: byName(view.connected),
            removed: byName(view.removed)
        )
        members = byName(view.members)
        strangers = view.strangers.isEmpty ? nil : byName(view.strangers)
        charter = view.charter.map { charter in
            CharterInfo(
                id: charter.id.text,
                title: charter.title,
                admins: charter.admins.map { hub.person($0) },
                admission: charter.admission == .open ? .open : .approve,
                policies: charter.policies.map { policy in
                    PolicyInfo(
                        name: policy.name,
                        value: policy.value,
                        author: hub.person(policy.author),
                        time: ControlTime(shown: policy.time)
                    )
                },
                invitations: charter.invitations.map { InvitationInfo($0, hub) },
                endedInvitations: charter.endedInvitations.map { InvitationInfo($0, hub) },
                waiting: byName(charter.waiting),
                isMember: charter.isMember,
                isAdmin: charter.isAdmin,
                excludedBy: charter.excludedBy.map { hub.person($0) },
                ownInvitation: charter.ownInvitation.map { CharterInfo.OwnInvitation($0) }
            )
        }
        met =
            view.met.isEmpty
            ? nil
            : view.met.map {
                MetCharterInfo(charter: $0.id.text, person: hub.person($0.peer), offered: $0.isOffered)
            }
        let invitation = WorkspaceText.ownInvitation(in: self)
        charter?.ownInvitationText = invitation
    }
}

extension ControlError {
    fileprivate static let whoWithoutAdmission = ControlError(
        .invalidValue,
        "Only the policy admission takes a list of people.",
        advice: "Nothing was changed. Leave the list out."
    )
    fileprivate static let wrongCode = ControlError(
        .invalidValue,
        "This is not an invitation code: a character is missing or wrong.",
        advice: "Copy it whole: a code has 7, 9 or 12 groups of characters."
    )
    fileprivate static func notADay(_ typed: String) -> ControlError {
        ControlError(
            .invalidValue,
            Phrase("\"\(typed.withoutControlCharacters)\" is not a date."),
            advice: Phrase("Write a day as 2026-11-24, a month as 2026-11, or today.")
        )
    }
    fileprivate static let noCode = ControlError(
        .invalidValue,
        "It takes either an invitation code, or a name and a passphrase.",
        advice: "Ask a member for the code: \(Phrase(elsewhere: "parlance workspace show --code"))"
    )
}
