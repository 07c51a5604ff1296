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
        case .charterNotCome:
            RefusalWords(
                "charterNotCome",
                "No member has told this node yet what the admins of its workspace have decided.",
                "Try again when a member is connected: parlance workspace show"
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
                "Nothing was changed. Only an admin who became one before \(peer.name) can do that, if there is one: parlance workspace show lists them in order.",
                peer.values
            )
        case .excluded(let peer):
            RefusalWords(
                "excludedMember",
                "\(peer.name) is excluded from the workspace.",
                "Nothing was changed. To let \(peer.name) in again: parlance workspace readmit \(peer.id.prefix)",
                peer.values
            )
        case .excludedUser(let peer):
            RefusalWords(
                "excludedUser",
                "\(peer.name) has excluded you from this workspace.",
                "Nothing was changed. Talk to \(peer.name) in another way, or leave it: parlance workspace leave",
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

    private var wordsOfInvitations: RefusalWords {
        switch self {
        case .admissionOpen:
            RefusalWords(
                "admissionOpen",
                "Whoever has the code of this workspace is a member, so an invitation could not limit anything.",
                "Nothing was changed. Have admins let members in first: parlance workspace policy admission approve"
            )
        case .invitationPolicy:
            RefusalWords(
                "invitationPolicy",
                "A policy whose name begins with \"\(Charter.Invitation.prefix)\" is an invitation.",
                "Nothing was changed. Make one, or end one: parlance help workspace invite"
            )
        case .invitationUses:
            RefusalWords(
                "invitationUses",
                "An invitation admits 1 to \(Limits.charterInvitationUses) people.",
                "Nothing was changed. For more people, make several.",
                ["limit": .number(Limits.charterInvitationUses)]
            )
        case .unknownInvitation(let text):
            RefusalWords(
                "unknownInvitation",
                "No invitation begins with \"\(text)\", or several do.",
                "Nothing was changed. See them all: parlance workspace show",
                ["invitation": .text(text)]
            )
        default:
            RefusalWords(
                "invitationOver",
                "The last day of the invitation is past.",
                "Nothing was changed. Give today or a later day."
            )
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
        case .otherOffer:
            RefusalWords(
                "otherCharterOffered",
                "The connected members name a different charter from the one you were shown.",
                "Nothing was changed. Look at it and compare again: parlance workspace adopt"
            )
        case .manyOffers:
            RefusalWords(
                "manyChartersOffered",
                "Members that are connected tell of different admins of this workspace.",
                "Nothing was changed. Ask somebody whom you trust for a new code, leave the workspace, and join by that code."
            )
        case .manyAdmins:
            RefusalWords(
                "manyWorkspaceAdmins",
                "At most \(Limits.charterAdmins) people can ever become admins of a workspace.",
                "Nothing was changed. Those who were admins before can become so again.",
                ["limit": .number(Limits.charterAdmins)]
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
        case .admissionOpen, .invitationPolicy, .invitationUses, .invitationOver, .unknownInvitation: wordsOfInvitations
        default:
            RefusalWords(
                "manyCharterChanges",
                "You have changed as much in this workspace as one admin can.",
                "Nothing was changed. Another admin can do it: parlance workspace show"
            )
        }
    }
}
