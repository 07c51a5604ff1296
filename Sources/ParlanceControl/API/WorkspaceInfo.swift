package import ParlanceWords

/// The workspace a node is in, as people see it.
package struct WorkspaceInfo: Codable, Equatable, Sendable {
    package var name: String
    /// The invitation code: anybody who has it can join.
    package var code: String
    /// Counts the rotations of the key.
    package var number: UInt64
    /// The other members that this node knows, by name.
    package var members: [Person]?
    /// Those of them that are linked now, by name.
    package var connected: [Person]
    /// The names of linked people who are not members: not accepted yet, or linked by an old code.
    package var strangers: [Person]?
    /// People who get no link and no key, because they were excluded or left out of a rotation, by name.
    package var removed: [Person]
    /// What its admins have signed; absent without a charter.
    package var charter: CharterInfo?
    /// Charters that linked members name and this node does not hold; absent if there are none.
    package var met: [MetCharterInfo]?

    package init(name: String, code: String, number: UInt64, connected: [Person], removed: [Person]) {
        self.name = name
        self.code = code
        self.number = number
        self.connected = connected
        self.removed = removed
    }
}

/// Who decides in a workspace.
package struct CharterInfo: Codable, Equatable, Sendable {
    /// The name of the policy that says who joins.
    package static let admissionPolicy = "admission"

    /// Whether everybody with the key is a member, or only those whom an admin lets in.
    package enum Admission: String, Codable, JSONWord, Sendable { case open, approve }

    /// The charter's ID.
    package var id: String
    /// The name that the creator gave the workspace; empty until a member has told it.
    package var title: String
    /// In the order in which they became it: nobody takes the right from those before them.
    package var admins: [Person]
    package var admission: Admission
    /// What admins suggest, by name.
    package var policies: [PolicyInfo]
    /// The invitations that admit somebody now.
    package var invitations: [InvitationInfo]
    /// Those that would, but whose codes let nobody in any more (`InvitationInfo.ended`); absent if there are none.
    package var endedInvitations: [InvitationInfo]?
    /// Those who have the key and wait for an admin to let them in, if they were here within a day.
    package var waiting: [Person]
    /// Whether the user is a member. If not, and nobody excluded them, an admin has to let them in.
    package var isMember: Bool
    /// Whether the user is an admin.
    package var isAdmin: Bool
    /// Who excluded the user; absent if nobody did.
    package var excludedBy: Person?

    package init(
        id: String,
        title: String,
        admins: [Person],
        admission: Admission = .open,
        policies: [PolicyInfo] = [],
        invitations: [InvitationInfo] = [],
        endedInvitations: [InvitationInfo] = [],
        waiting: [Person] = [],
        isMember: Bool,
        isAdmin: Bool,
        excludedBy: Person? = nil
    ) {
        self.id = id
        self.title = title
        self.admins = admins
        self.admission = admission
        self.policies = policies
        self.invitations = invitations
        self.endedInvitations = endedInvitations.isEmpty ? nil : endedInvitations
        self.waiting = waiting
        self.isMember = isMember
        self.isAdmin = isAdmin
        self.excludedBy = excludedBy
    }
}

/// A setting that an admin suggests. Each user decides.
package struct PolicyInfo: Codable, Equatable, Sendable {
    package var name: String
    package var value: String
    package var author: Person
    /// When it was signed, by the author's clock.
    package var time: ControlTime

    package init(name: String, value: String, author: Person, time: ControlTime) {
        self.name = name
        self.value = value
        self.author = author
        self.time = time
    }
}

/// An invitation that lets people in by itself.
package struct InvitationInfo: Codable, Equatable, Sendable {
    /// Its public key as text. A beginning of it that no other has names it too.
    package var id: String
    package var author: Person
    /// When it was signed, by the author's clock.
    package var time: ControlTime
    /// How many people it admits, and how many of them are left.
    package var uses: Int
    package var left: Int
    /// The last moment.
    package var until: ControlTime
    /// Why its code lets nobody in any more; absent: it does.
    package var ended: End?

    package enum End: String, Codable, JSONWord, Sendable {
        /// Somebody was excluded after it was made.
        case exclusion
        /// The workspace has had another key for a day.
        case newKey
    }

    package init(id: String, author: Person, time: ControlTime, uses: Int, left: Int, until: ControlTime) {
        self.id = id
        self.author = author
        self.time = time
        self.uses = uses
        self.left = left
        self.until = until
    }

    /// What people type to end it.
    package var prefix: String { String(id.prefix(Self.prefixLength)) }

    package static let prefixLength = 8
}

/// A charter that a linked member names and this node does not hold.
package struct MetCharterInfo: Codable, Equatable, Sendable {
    /// The charter's ID.
    package var charter: String
    package var person: Person
    /// Whether `workspace.adopt` takes it: this node holds none, and its code names none.
    package var offered: Bool

    package init(charter: String, person: Person, offered: Bool) {
        self.charter = charter
        self.person = person
        self.offered = offered
    }
}

/// The workspace changed: its admins, who is excluded, its key, or what members say of its charter.
package struct WorkspaceEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "workspace")

    /// Absent if the node is in none any more.
    package var workspace: WorkspaceInfo?
    /// What changed, in one sentence each.
    package var news: [Phrase]

    package init(workspace: WorkspaceInfo?, news: [Phrase]) {
        self.workspace = workspace
        self.news = news
    }
}
