import ParlanceControl
import ParlanceErrorCode
import ParlanceWords

/// The test node's answers about its workspace.
enum TestWorkspace {
    struct State {
        /// Whether it has admins, and the user is one of them.
        var hasAdmins = true
        var isAdmin = true
        /// Whether the code suffices, and who was to stay a member when that ended.
        var isOpen = false
        var kept: [String]?
        /// The list of people that was imported last.
        var imported = ""
        /// Whether members offer a charter, which of them was adopted, and how often to look until its admins are known.
        var isOffered = false
        var adopted: String?
        var looksUntilTold = 2
        /// Whether the audit log is not told for people, as by earlier versions.
        var tellsLinesOnly = false
        /// What is known of the user once the code is taken: nothing, that an admin has to let them in, that somebody excluded
        /// them, or that they are a member.
        var joinedAs = JoinedAs.unknown
        /// What is known of the user's own invitation, and whether nobody is connected.
        var ownInvitation: CharterInfo.OwnInvitation?
        var isAlone = false
    }

    enum JoinedAs: CaseIterable { case unknown, waiting, excluded, member }

    static let code = "Ship aaaaaaaa bbbbbbbb cccccccc dddddddd eeeeeeee ffffffff gggggggg"

    /// What admins type, and the members about them.
    static let commands = [
        ["workspace", "invite"], ["workspace", "invite", "--uses", "20", "--until", "2026-12-24"],
        ["workspace", "invite", "--uses", "1"], ["workspace", "invite", "--end", "abcdefgh"], ["workspace", "admin"],
        ["workspace", "admin", "Bob"],
        ["workspace", "admin", "Bob", "--dismiss"], ["workspace", "exclude", "Bob", "--yes"],
        ["workspace", "readmit", "Bob"], ["workspace", "admit", "Bob"], ["workspace", "policy"],
        ["workspace", "policy", "retention", "90 days"], ["workspace", "policy", "retention", "--withdraw"],
        ["workspace", "adopt", "--yes"], ["workspace", "log"], ["workspace", "import", "-"],
        ["workspace", "policy", "x", "y", "--custom"],
        ["wait"], ["wait", "--members"],
    ]

    private static let bob = Person(id: TestNode.bob.id, displayName: "Bob")
    private static let ada = Person(id: "a", displayName: "Ada", me: true)

    private static func invitation(_ uses: Int) -> InvitationInfo {
        InvitationInfo(
            id: "abcdefghijklmnop",
            author: bob,
            time: ControlTime(milliseconds: 1),
            uses: uses,
            left: min(3, uses),
            until: ControlTime(milliseconds: 1_767_225_600_000)
        )
    }

    private static var ownInvitation: InvitationInfo {
        var own = invitation(7)
        own.author = ada
        return own
    }

    private static var ship: WorkspaceInfo {
        var ship = WorkspaceInfo(name: "Ship", code: code, number: 1, connected: [bob], removed: [])
        ship.charter = CharterInfo(
            id: "c-Ship",
            title: "Ship",
            admins: [ada, bob],
            admission: .approve,
            policies: [
                PolicyInfo(name: "retention", value: "90 days", author: bob, time: ControlTime(milliseconds: 1))
            ],
            invitations: [invitation(20), ownInvitation],
            endedInvitations: [InvitationInfo.End.exclusion, .newKey].map { end in
                var ended = invitation(5)
                ended.ended = end
                return ended
            },
            waiting: [bob],
            isMember: true,
            isAdmin: true
        )
        ship.met = [MetCharterInfo(charter: "c-Other", person: bob, offered: false)]
        return ship
    }

    /// The ship whose charter Bob and Cyd name, until it is adopted; its admins come a while later.
    private static func offer(_ ship: inout WorkspaceInfo, _ state: inout State) {
        let cyd = Person(id: "c", displayName: "Cyd")
        guard state.adopted != nil else {
            ship.charter = nil
            ship.met = [bob, cyd].map { MetCharterInfo(charter: "abcdefghijklmnop", person: $0, offered: true) }
            return
        }
        ship.charter?.id = "abcdefghijklmnop"
        ship.met = nil
        if state.looksUntilTold > 0 { ship.charter?.admins = [] }
        state.looksUntilTold -= 1
    }

    /// The ship after its code was taken.
    private static func joined(_ state: State, named name: String?) -> WorkspaceInfo {
        let (standing, invitation, isAlone) = (state.joinedAs, state.ownInvitation, state.isAlone)
        var ship = ship
        ship.name = name ?? ship.name
        if standing == .unknown { ship.charter = nil }
        ship.charter?.isMember = standing == .member
        ship.charter?.excludedBy = standing == .excluded ? bob : nil
        ship.charter?.ownInvitation = invitation
        if isAlone { ship.connected = [] }
        return ship
    }

    /// The ship with somebody excluded from it.
    private static func without(_ who: [String], _ state: State) -> WorkspaceInfo {
        var ship = ship
        ship.number = 2
        ship.removed = who.map { Person(id: "x", displayName: $0) }
        if !state.hasAdmins { ship.charter = nil }
        return ship
    }

    /// What refuses a change, or the question whom it would mean.
    private static func check(_ state: State, isPreview: Bool = false) throws(ControlError) {
        if !state.hasAdmins, !isPreview {
            throw ControlError(.notAllowed, "This workspace has no admins.", advice: "Nothing was changed.")
        }
        guard state.isAdmin else {
            throw ControlError(.notAllowed, "Only an admin can do that.", advice: "Nothing was changed.")
        }
    }

    private static let standings: [String: MeantPerson.Standing] = ["Bob": .waiting, "Fay": .member, "Zoe": .outside]

    private static func meant(_ who: [String]) -> [MeantPerson] {
        who.map { name in
            let person = name == "Bob" ? bob : Person(id: "\(name.lowercased())-of-many", displayName: name)
            return MeantPerson(person: person, was: standings[name] ?? .outside)
        }
    }

    static func add(to methods: inout ControlMethods, of node: TestNode) {
        node.add(WorkspaceCreateOperation.self, to: &methods) { _, _ in WorkspaceReply(workspace: ship) }
        node.add(WorkspaceShowOperation.self, to: &methods) { _, state in
            var ship = ship
            if !state.workspace.hasAdmins { ship.charter = nil }
            if state.workspace.joinedAs == .excluded { ship.charter?.excludedBy = bob }
            if state.workspace.isOffered { offer(&ship, &state.workspace) }
            if state.workspace.isOpen {
                ship.charter?.admission = .open
                ship.members = [bob]
            }
            return WorkspaceReply(workspace: ship)
        }
        node.add(WorkspaceLeaveOperation.self, to: &methods) { _, _ in WorkspaceReply(workspace: nil) }
        node.add(WorkspaceJoinOperation.self, to: &methods) { request, state throws(ControlError) in
            guard request.code == code || request.passphrase != nil else {
                throw ControlError(.invalidValue, "This is not an invitation code.", advice: "Copy it whole.")
            }
            return WorkspaceReply(workspace: joined(state.workspace, named: request.name))
        }
        node.add(WorkspaceRotateOperation.self, to: &methods) { request, state throws(ControlError) in
            if state.workspace.hasAdmins { try check(state.workspace) }
            let who = request.without ?? []
            state.changed = who
            return WorkspaceReply(
                workspace: without(who, state.workspace),
                people: state.workspace.hasAdmins ? meant(who) : []
            )
        }
        node.add(WorkspaceAdoptOperation.self, to: &methods) { request, state in
            state.workspace.adopted = request.charter
            var ship = ship
            if state.workspace.isOffered { offer(&ship, &state.workspace) }
            return WorkspaceReply(workspace: ship)
        }
        node.add(WorkspaceChangeOperation.self, to: &methods) { request, state throws(ControlError) in
            try check(state.workspace)
            state.changed = request.who
            var ship = request.change == .exclude ? without(request.who, state.workspace) : ship
            if request.change == .admit { ship.charter?.waiting.removeAll { request.who.contains($0.displayName) } }
            return WorkspaceReply(workspace: ship, people: meant(request.who))
        }
        node.add(WorkspacePreviewOperation.self, to: &methods) { request, state throws(ControlError) in
            try check(state.workspace, isPreview: true)
            guard request.who.allSatisfy({ standings[$0] != nil }) else {
                throw ControlError(.unknownPeer, "Nobody here is called so.", advice: "See: parlance peers")
            }
            return WorkspaceReply(workspace: without([], state.workspace), people: meant(request.who))
        }
        node.add(WorkspacePolicyOperation.self, to: &methods) { asked, state in
            state.workspace.kept = asked.who
            return WorkspaceReply(
                workspace: ship,
                passedOver: asked.who == nil ? [] : [Person(id: "c", displayName: "Cyd")]
            )
        }
        node.add(WorkspaceInviteOperation.self, to: &methods) { request, _ in
            WorkspaceInviteReply(code: code, invitation: invitation(request.uses ?? 1), workspace: ship)
        }
        node.add(WorkspaceUninviteOperation.self, to: &methods) { _, _ in WorkspaceReply(workspace: ship) }
        node.add(WorkspaceImportOperation.self, to: &methods) { request, state in
            state.workspace.imported = request.people
            let left: [WorkspaceImportReply.LeftOut] = [
                .init(name: "Eve", id: "e", reason: .excluded), .init(name: "Bob", id: "b", reason: .blocked),
                .init(name: "Dan", id: "d", reason: .declined), .init(name: "Cyd", id: "c", reason: .nameTaken),
            ]
            return WorkspaceImportReply(admitted: 2, named: 2, accepted: 1, known: 3, leftOut: left)
        }
        addLog(to: &methods, of: node)
    }

    private static func addLog(to methods: inout ControlMethods, of node: TestNode) {
        node.add(WorkspaceLogOperation.self, to: &methods) { request, state in
            let lines = ["{\"line\":1}", "{\"line\":2}"].dropFirst(request.after ?? 0)
            let entry = WorkspaceLogEntry(
                time: ControlTime(milliseconds: 1),
                author: bob,
                action: .exclude,
                people: [ada],
                counts: true
            )
            var reply = WorkspaceLogReply(
                lines: Array(lines.prefix(1)),
                entries: lines.count == 1 ? [entry] : [],
                more: lines.count > 1,
                hash: "aaaa"
            )
            if state.workspace.tellsLinesOnly { reply.entries = nil }
            return reply
        }
    }
}
