import ParlanceControl
import ParlanceCore
import ParlanceWire
package import ParlanceWords

/// A refusal in words: what went wrong and why, and what to do; and its name, for clients that have words of their own.
package struct RefusalWords: Equatable {
    let reason: ErrorReason
    package let message: Phrase
    package let advice: Phrase

    init(
        _ reason: String,
        _ message: Phrase,
        _ advice: Phrase,
        _ values: [String: ErrorReason.Value] = [:]
    ) {
        self.reason = ErrorReason(reason, values)
        self.message = message
        self.advice = advice
    }
}

// Every refusal of the engine in English. The names of reasons and values are part of the protocol (control.md, "Reasons").

extension Refusal {
    package var inEnglish: RefusalWords {
        switch self {
        case .naming(let reason): reason.words
        case .text(let reason): reason.words
        case .message(let reason): reason.words
        case .group(let reason): reason.words
        case .contact(let reason): reason.words
        case .workspace(let reason): reason.words
        case .file(let reason): reason.words
        case .muteLength:
            RefusalWords(
                "muteLength",
                "A conversation is muted for 1 second to \(Limits.muteMilliseconds / 86_400_000) days.",
                "Leave the length out to mute it until you end that with: parlance unmute WHO",
                ["limit": .number(Int(Limits.muteMilliseconds / 1_000))]
            )
        case .retentionLength:
            RefusalWords(
                "retentionLength",
                "Messages are kept for 1 hour to \(Limits.retentionMilliseconds / 31_536_000_000) years.",
                "To keep them, give the length off.",
                [
                    "least": .number(Int(Limits.leastRetentionMilliseconds / 1_000)),
                    "limit": .number(Int(Limits.retentionMilliseconds / 1_000)),
                ]
            )
        case .notStored(let why):
            RefusalWords(
                "notStored",
                "It could not be written to disk: \(why)",
                "Nothing was done. Make room or mend the disk, then give the command again.",
                ["why": .text(why)]
            )
        case .notRead:
            RefusalWords(
                "notRead",
                "The message store could not be read.",
                "Give the command again. If it fails again, check the disk."
            )
        }
    }
}

extension Refusal.MessageReason {
    fileprivate var words: RefusalWords {
        let outbox = Phrase("See \"parlance outbox\" for what waits.")
        return switch self {
        case .editByOther:
            RefusalWords("editByOther", "Only the author can edit a message.", "Answer it: parlance reply ID TEXT")
        case .deletionByOther:
            RefusalWords(
                "deletionByOther",
                "Only the author, or an admin of the group, can delete a message.",
                "Ask one of them."
            )
        case .otherCopy:
            RefusalWords("otherCopy", "That message was not written by this copy of your node.", outbox)
        case .unknown: RefusalWords("unknownMessage", "There is no such message.", outbox)
        case .delivered:
            RefusalWords(
                "delivered",
                "That message has been delivered already.",
                "A delivered message cannot be cancelled."
            )
        case .onItsWay:
            RefusalWords(
                "onItsWay",
                "That message may have left this computer already.",
                "It cannot be cancelled now. To remove it: parlance delete ID"
            )
        case .unknownConversation: RefusalWords("unknownConversation", "There is no such conversation.", outbox)
        }
    }
}

extension Refusal.GroupReason {
    fileprivate var words: RefusalWords {
        switch self {
        case .nonce: RefusalWords("nonce", "A group needs 16 random bytes.", "Report this defect.")
        case .large(let members):
            RefusalWords(
                "largeGroup",
                "A group has at most \(Limits.members) members, and these would be \(members).",
                "No group was made. Name fewer people.",
                ["members": .number(members), "limit": .number(Limits.members)]
            )
        case .full(let members):
            RefusalWords(
                "fullGroup",
                "A group has at most \(Limits.members) members; this one has \(members).",
                "Nobody was added.",
                ["members": .number(members), "limit": .number(Limits.members)]
            )
        case .notAppliedYet(let attempt):
            RefusalWords(
                "notAppliedYet",
                "You were added to this group again, but what happened before that has not come here yet.",
                "\(attempt.result) Try again as soon as another member is connected."
            )
        case .notMember(let departure): departure.words
        case .notMemberHere(let peer):
            RefusalWords(
                "notMemberHere",
                "\(peer.name) is not a member of this group.",
                "To see its members: parlance group show GROUP",
                peer.values
            )
        case .empty(let isAdmin):
            RefusalWords(
                isAdmin ? "emptyGroup" : "emptyGroupOfOthers",
                "Nobody else is in this group any more.",
                isAdmin
                    ? "Nothing was sent. Add somebody: parlance group add GROUP WHO"
                    : "Nothing was sent. Only an admin could add somebody; for a new group: parlance group create TITLE WHO"
            )
        case .lastAdmin:
            RefusalWords(
                "lastAdmin",
                "You are the only admin of this group.",
                "Make somebody else one first: parlance group admin GROUP WHO"
            )
        case .adminsOnly(let admins):
            RefusalWords(
                "adminsOnly",
                "Only an admin of this group can do that.",
                admins.isEmpty ? "It has none any more." : "Ask \(PeopleText.any(of: admins)).",
                ["admins": .list(admins)]
            )
        case .manyChanges:
            RefusalWords(
                "manyChanges",
                "You have made as many changes of this kind as one admin can make in a group: \(Limits.membershipChanges).",
                "Nothing was changed. Ask another admin, or make a new group: parlance group create TITLE WHO",
                ["limit": .number(Limits.membershipChanges)]
            )
        case .voidChange:
            RefusalWords(
                "voidChange",
                "This change does not count: by all that is known of the group here, you may not make it.",
                "Nothing was changed. See who may: parlance group show GROUP"
            )
        }
    }
}

extension Refusal.Departure? {
    fileprivate var words: RefusalWords {
        let advice = Phrase("Ask an admin to add you.")
        return switch self {
        case .left: RefusalWords("left", "You are not a member of this group any more: you left.", advice)
        case .removed(let name):
            RefusalWords(
                "removed",
                "You are not a member of this group any more: \(name) removed you.",
                advice,
                ["by": .text(name)]
            )
        case nil: RefusalWords("notMember", "You are not a member of this group any more.", advice)
        }
    }
}

extension Refusal.ContactReason {
    fileprivate var words: RefusalWords {
        switch self {
        case .blocked(let peer, let attempt):
            RefusalWords(
                "blocked",
                "You have blocked \(peer.name).",
                "\(attempt.result) To end that: parlance unblock \(peer.id.prefix)",
                peer.values
            )
        case .notBlocked(let peer):
            RefusalWords(
                "notBlocked",
                "\(peer.name) is not blocked.",
                "Nothing was changed. See \"parlance peers\" for who is.",
                peer.values
            )
        case .noRequest(let peer):
            RefusalWords(
                "noRequest",
                "\(peer.name) does not ask to talk.",
                "See \"parlance requests\" for who does.",
                peer.values
            )
        case .verifiesStranger(let peer):
            RefusalWords(
                "verifiesStranger",
                "\(peer.name) is not accepted yet, and only somebody accepted can be verified.",
                "Nothing was changed. To accept: parlance accept \(peer.id.prefix)",
                peer.values
            )
        case .trustsStranger(let peer):
            RefusalWords(
                "trustsStranger",
                "\(peer.name) is not accepted here, and only people you know carry messages.",
                "Nothing was changed. To accept: parlance accept \(peer.id.prefix)",
                peer.values
            )
        case .carriesToStranger(let peer):
            RefusalWords(
                "carriesToStranger",
                "\(peer.name) is not accepted here, and a stick only carries between people you know.",
                "Nothing was changed. To accept: parlance accept \(peer.id.prefix)",
                peer.values
            )
        case .carriesToLeftOut(let peer):
            RefusalWords(
                "carriesToLeftOut",
                "\(peer.name) is excluded from the workspace, so a stick carries nothing to or from them.",
                "Nothing was carried. With a charter, an admin can let them in again: parlance workspace readmit \(peer.id.prefix)",
                peer.values
            )
        case .noConversation(let peer):
            RefusalWords(
                "noConversation",
                "You have no conversation with \(peer.name) yet.",
                "Write first: parlance send \(peer.id.prefix) TEXT",
                peer.values
            )
        }
    }
}

extension Refusal.WorkspaceReason {
    fileprivate var words: RefusalWords {
        switch self {
        case .none:
            RefusalWords(
                "noWorkspace",
                "This node is in no workspace.",
                "Make one: parlance workspace create NAME. Or join one: parlance workspace join CODE."
            )
        case .other(let name):
            RefusalWords(
                "otherWorkspace",
                "This node is in the workspace \(name) already.",
                "Leave it first: parlance workspace leave. A second one needs a node of its own: --profile NAME.",
                ["workspace": .text(name)]
            )
        case .unnumbered:
            RefusalWords(
                "unnumbered",
                "This node joined by a code, and no member has told it yet how often the key was changed.",
                "Try again when it is connected with a member who accepts it. If none is left: leave, and make a new workspace."
            )
        case .manyRemoved:
            RefusalWords(
                "manyRemoved",
                "At most \(Limits.workspaceRemoved) people can be excluded from a workspace.",
                "Create a new workspace, and invite those who belong to it.",
                ["limit": .number(Limits.workspaceRemoved)]
            )
        case .admissionOpen, .invitationPolicy, .invitationUses, .invitationOver, .unknownInvitation, .noCharter,
            .charterNotCome, .hasCharter, .noOffer, .otherOffer, .manyOffers, .adminsOnly, .senior, .excluded,
            .excludedUser, .notExcluded, .excludesOneself, .policyName, .policyValue, .manyAdmins, .manyChanges:
            wordsOfCharter
        }
    }
}

extension Refusal.Attempt {
    fileprivate var result: Phrase {
        switch self {
        case .toSend: Phrase("Nothing was sent.")
        case .toChange: Phrase("Nothing was changed.")
        }
    }
}

extension Refusal.Named {
    var values: [String: ErrorReason.Value] {
        ["peer": .text(id.controlID), "name": .text(name)]
    }
}

extension Refusal.FileReason {
    fileprivate var words: RefusalWords {
        switch self {
        case .unknown:
            RefusalWords(
                "unknownFile",
                "That file is not being fetched.",
                "It was only offered, or nobody has sent it. See \"parlance files\"."
            )
        case .notFetched:
            RefusalWords(
                "notFetched",
                "That file is not being fetched any more.",
                "It is complete, paused or cancelled, or could not be fetched. To fetch it: parlance fetch ID"
            )
        case .many(let files):
            RefusalWords(
                "manyWanted",
                "\(files) files are wanted already.",
                "Cancel some of them, or wait until they are here.",
                ["limit": .number(files)]
            )
        case .tooMany(let count):
            RefusalWords(
                "manyFiles",
                "One message cannot have \(count) files.",
                """
                Nothing was sent. Send at most \(Limits.filesPerMessage) at once, or put them into a folder and send that.
                """,
                ["count": .number(count), "limit": .number(Limits.filesPerMessage)]
            )
        case .badName(let name):
            RefusalWords(
                "badFileName",
                "The name of the file \(name) is empty or too long.",
                "Nothing was sent. Give it a name of at most \(Limits.fileMentionNameBytes) bytes.",
                ["name": .text(name), "limit": .number(Limits.fileMentionNameBytes)]
            )
        case .longNames:
            RefusalWords(
                "longFileNames",
                "The text and the names of the files are too long for one message.",
                "Nothing was sent. Send the files with a shorter text, or in several messages."
            )
        }
    }
}
