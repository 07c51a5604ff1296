import ParlanceControl
import ParlanceCore
import ParlanceWire
import ParlanceWords

extension Refusal.WorkspaceReason {
    /// The words for what a charter does not allow.
    var wordsOfCharter: RefusalWords {
        switch self {
        case .noCharter:
            RefusalWords(
                "noCharter",
                "This workspace has no admins: whoever has the key decides.",
                "Nothing was changed. For a workspace with admins, create a new one: parlance workspace create NAME"
            )
        case .hasCharter:
            RefusalWords(
                "hasCharter",
                "This node follows the admins of its workspace already.",
                "Nothing was changed. See who they are: parlance workspace show"
            )
        case .adminsOnly(let admins):
            RefusalWords(
                "workspaceAdminsOnly",
                admins.isEmpty
                    ? "Only an admin of the workspace can do that, and no member has told this node yet who that is."
                    : "Only an admin of the workspace can do that: \(PeopleText.list(admins)).",
                "Nothing was changed. Ask one of them.",
                ["admins": .list(admins)]
            )
        case .senior(let peer):
            RefusalWords(
                "seniorAdmin",
                "\(peer.name) became an admin before you, so you cannot take anything from \(peer.name).",
                "Nothing was changed. An admin who is senior to \(peer.name) can: parlance workspace show lists them in order.",
                peer.values
            )
        case .excluded(let peer):
            RefusalWords(
                "excludedMember",
                "\(peer.name) is excluded from the workspace.",
                "Nothing was changed. To let \(peer.name) in again: parlance workspace readmit \(peer.id.prefix)",
                peer.values
            )
        case .notExcluded(let peer):
            RefusalWords(
                "notExcluded",
                "\(peer.name) is not excluded from the workspace.",
                "Nothing was changed.",
                peer.values
            )
        default: wordsOfInput
        }
    }

    /// The words for what is wrong with what was typed, and for what there is no room for.
    private var wordsOfInput: RefusalWords {
        switch self {
        case .excludesOneself:
            RefusalWords(
                "excludesOneself",
                "You cannot exclude yourself.",
                "Nothing was changed. To leave: parlance workspace leave"
            )
        case .noOffer:
            RefusalWords(
                "noCharterOffered",
                "No member that is connected tells of admins of this workspace.",
                "Nothing was changed. Try again when such a member is connected: parlance workspace show"
            )
        case .policyName:
            RefusalWords(
                "policyName",
                "The name of a policy has 1 to \(Limits.charterPolicyNameBytes) lower-case letters, digits and underscores.",
                "Nothing was changed.",
                ["limit": .number(Limits.charterPolicyNameBytes)]
            )
        case .policyValue:
            RefusalWords(
                "policyValue",
                "The value of a policy is one line of at most \(Limits.charterPolicyValueBytes) bytes.",
                "Nothing was changed.",
                ["limit": .number(Limits.charterPolicyValueBytes)]
            )
        default:
            RefusalWords(
                "manyCharterChanges",
                "You have changed as much in this workspace as one admin can.",
                "Nothing was changed. Another admin can do it: parlance workspace show"
            )
        }
    }
}
