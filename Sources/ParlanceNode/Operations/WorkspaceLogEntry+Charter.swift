import ParlanceControl
import ParlanceCore
import ParlanceHistory
import ParlanceWire

extension WorkspaceLogEntry {
    /// An entry of the audit log with the names that are known here; `nil` for what no charter contains.
    init?(_ entry: Charter.Entry, _ hub: EventHub) {
        let change = entry.change
        let action: Action
        var (name, value): (String?, String?)
        var (byInvitation, automatic) = (false, false)
        switch change.action {
        case .create(let title): (action, name) = (.create, title)
        case .appoint: action = .appoint
        case .dismiss: action = .dismiss
        case .remove: action = .exclude
        case .add: action = .readmit
        case .admit:
            action = .admit
            if let admission = change.admission {
                (name, byInvitation) = (Self.invitation(admission.invitation), true)
                automatic = admission.isAutomatic
            }
        case .note(.rotate(_, _, let isAutomatic)): (action, automatic) = (.rotate, isAutomatic)
        case .note(.policy(let policy, let said)):
            (action, value, byInvitation) = (.policy, said, policy.isInvitationName)
            name = byInvitation ? Self.invitation(policy) : policy
        case .note(.link): action = .link
        case .leave: return nil
        }
        self.init(
            time: ControlTime(shown: change.time),
            author: hub.person(change.log.author),
            action: action,
            people: change.subjects.map { hub.person($0) },
            spared: entry.spared.map { hub.person($0) },
            name: name,
            value: value,
            byInvitation: byInvitation,
            automatic: automatic,
            counts: entry.counts
        )
    }

    /// What people type to name an invitation.
    private static func invitation(_ policy: String) -> String {
        String(policy.dropFirst(Charter.Invitation.prefix.count).prefix(InvitationInfo.prefixLength))
    }
}
