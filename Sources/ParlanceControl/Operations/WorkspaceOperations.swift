/// The reply of every operation here: the workspace as it is now; absent if the node is in none.
package struct WorkspaceReply: Codable, Equatable, Sendable {
    package var workspace: WorkspaceInfo?
    /// After `workspace.change`, `workspace.preview`, and `workspace.rotate` with `without` where there are admins: those
    /// whom it names; absent if it names nobody.
    package var people: [MeantPerson]?
    /// After `workspace.policy` with `who`: the people whom an admin has to admit by name. These are members that `who` does not
    /// list, and people in `who` that are not members any more. Absent if there are none.
    package var passedOver: [Person]?

    package init(workspace: WorkspaceInfo?, people: [MeantPerson] = [], passedOver: [Person] = []) {
        self.workspace = workspace
        self.people = people.isEmpty ? nil : people
        self.passedOver = passedOver.isEmpty ? nil : passedOver
    }
}

/// Somebody whom a change of the workspace names.
package struct MeantPerson: Codable, Equatable, Sendable {
    package enum Standing: String, Codable, JSONWord, Sendable { case member, waiting, excluded, outside }

    package var person: Person
    /// What the person was in the workspace before, as far as this node knows.
    package var was: Standing

    package init(person: Person, was: Standing) {
        self.person = person
        self.was = was
    }
}

/// `workspace.create`: makes a workspace with a new key, whose first admin the user is.
package struct WorkspaceCreateOperation: ControlOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.create"

    /// 1 to 64 bytes of UTF-8 without control characters.
    package var name: String

    package init(name: String) {
        self.name = name
    }
}

/// `workspace.join`: joins a workspace, either by its invitation code or by its name and a passphrase.
package struct WorkspaceJoinOperation: ControlOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.join"

    /// The invitation code, with or without the name.
    package var code: String?
    /// The name to show for the workspace here; with a passphrase, the workspace's name.
    package var name: String?
    /// All who give the same name and passphrase are in the same workspace.
    package var passphrase: String?

    package init(code: String? = nil, name: String? = nil, passphrase: String? = nil) {
        self.code = code
        self.name = name
        self.passphrase = passphrase
    }
}

/// `workspace.show`: asks for the workspace.
package struct WorkspaceShowOperation: BareOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.show"

    package init() {}
}

/// `workspace.leave`: leaves the workspace.
package struct WorkspaceLeaveOperation: BareOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.leave"

    package init() {}
}

/// `workspace.rotate`: gives the workspace a new key. Where there are admins, only they can.
package struct WorkspaceRotateOperation: ControlOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.rotate"

    /// The peers that do not get the new key (see WHO in protocol/control.md); absent means none. Where there are admins,
    /// they are excluded.
    package var without: [String]?

    package init(without: [String]? = nil) {
        self.without = without
    }
}

/// `workspace.adopt`: takes the charter that a linked member names, and whose admins decide from then on.
package struct WorkspaceAdoptOperation: ControlOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.adopt"

    /// The ID of the only charter that is taken; absent takes whichever is named.
    package var charter: String?

    package init(charter: String? = nil) {
        self.charter = charter
    }
}

/// `workspace.change`: changes who is an admin or a member. Only an admin can.
package struct WorkspaceChangeOperation: ControlOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.change"

    package enum Change: String, Codable, JSONWord, Sendable {
        case appoint, dismiss
        /// Excludes, and gives the others a new key.
        case exclude
        case readmit, admit
    }

    package var change: Change
    /// Peers (see WHO in protocol/control.md), or whole peer IDs.
    package var who: [String]

    package init(_ change: Change, who: [String]) {
        self.change = change
        self.who = who
    }
}

/// `workspace.preview`: asks whom `workspace.change` would mean, and whether it would be refused; nothing is changed. In a
/// workspace without admins it asks whom `workspace.rotate` would leave out.
package struct WorkspacePreviewOperation: ControlOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.preview"

    package var change: WorkspaceChangeOperation.Change
    /// As for `workspace.change`.
    package var who: [String]

    package init(_ change: WorkspaceChangeOperation.Change, who: [String]) {
        self.change = change
        self.who = who
    }
}

/// `workspace.policy`: suggests a setting to all members, or withdraws it. Only an admin can.
package struct WorkspacePolicyOperation: ControlOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.policy"

    /// 1 to 64 lower-case letters, digits and underscores.
    package var name: String
    /// One line of at most 256 bytes; absent or empty: the policy is withdrawn.
    package var value: String?
    /// Whether the name is meant though this version does not know it; absent: no.
    package var custom: Bool?
    /// With `admission`: those who are to stay members, if they are when it is signed; absent: all who are. Peers (see WHO in
    /// protocol/control.md), or whole peer IDs.
    package var who: [String]?

    package init(name: String, value: String? = nil, custom: Bool? = nil, who: [String]? = nil) {
        self.name = name
        self.value = value
        self.custom = custom
        self.who = who
    }
}

/// `workspace.invite`: makes an invitation, whose code admits by itself. Only an admin can, and only where admins let
/// members in.
package struct WorkspaceInviteOperation: ControlOperation {
    package typealias Reply = WorkspaceInviteReply
    package static let method = "workspace.invite"

    /// How many people it admits, 1 to 1,000; absent: 1.
    package var uses: Int?
    /// Its last day, as in a search; absent: the day in a week.
    package var until: String?

    package init(uses: Int? = nil, until: String? = nil) {
        self.uses = uses
        self.until = until
    }
}

/// The reply of `workspace.invite`.
package struct WorkspaceInviteReply: Codable, Equatable, Sendable {
    /// The code of the invitation. Nobody can tell it again.
    package var code: String
    package var invitation: InvitationInfo
    package var workspace: WorkspaceInfo

    package init(code: String, invitation: InvitationInfo, workspace: WorkspaceInfo) {
        self.code = code
        self.invitation = invitation
        self.workspace = workspace
    }
}

/// `workspace.uninvite`: ends an invitation. Only an admin can.
package struct WorkspaceUninviteOperation: ControlOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.uninvite"

    /// The beginning of its ID.
    package var invitation: String

    package init(invitation: String) {
        self.invitation = invitation
    }
}

/// `workspace.import`: admits, names and accepts the people of a list.
package struct WorkspaceImportOperation: ControlOperation {
    package typealias Reply = WorkspaceImportReply
    package static let method = "workspace.import"

    /// Lines of a name and a peer ID, as RFC 4180 says.
    package var people: String

    package init(people: String) {
        self.people = people
    }
}

/// The reply of `workspace.import`.
package struct WorkspaceImportReply: Codable, Equatable, Sendable {
    package struct LeftOut: Codable, Equatable, Sendable {
        package enum Reason: String, Codable, JSONWord, Sendable {
            case excluded, blocked, declined
            /// Somebody else here has the name. The rest was done.
            case nameTaken
        }

        /// As in the list.
        package var name: String
        package var id: String
        package var reason: Reason

        package init(name: String, id: String, reason: Reason) {
            self.name = name
            self.id = id
            self.reason = reason
        }
    }

    /// How many were admitted to the workspace with it; none if the user is no admin.
    package var admitted: Int
    /// How many were given their name.
    package var named: Int
    /// How many are accepted since.
    package var accepted: Int
    /// How many had a name and were accepted before.
    package var known: Int
    package var leftOut: [LeftOut]

    package init(admitted: Int, named: Int, accepted: Int, known: Int, leftOut: [LeftOut]) {
        self.admitted = admitted
        self.named = named
        self.accepted = accepted
        self.known = known
        self.leftOut = leftOut
    }
}

/// `workspace.log`: the audit log of the workspace, in parts.
package struct WorkspaceLogOperation: ControlOperation {
    package typealias Reply = WorkspaceLogReply
    package static let method = "workspace.log"

    /// How many lines to leave out at the beginning; absent means none.
    package var after: Int?

    package init(after: Int? = nil) {
        self.after = after
    }
}

/// The reply of `workspace.log`.
package struct WorkspaceLogReply: Codable, Equatable, Sendable {
    /// Lines of the log (charter.md, "Audit log"), without their ends.
    package var lines: [String]
    /// The same for people, without the first line, which is about the log itself; absent if the daemon is too old to tell
    /// it.
    package var entries: [WorkspaceLogEntry]?
    /// Whether others follow these.
    package var more: Bool
    /// A short hash of the events that the log contains. If it differs from that of an earlier part, the log is another one
    /// by now: begin again.
    package var hash: String

    package init(lines: [String], entries: [WorkspaceLogEntry], more: Bool, hash: String) {
        self.lines = lines
        self.entries = entries
        self.more = more
        self.hash = hash
    }
}
