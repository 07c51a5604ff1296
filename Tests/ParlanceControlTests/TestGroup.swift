import ParlanceControl

/// What the test node says of its one group.
enum TestGroup {
    static let ada = MemberInfo(
        id: "adaadaadadaadaadadaadaadadaadaadadaadaadadaadaadadaadaad",
        displayName: "Ada",
        me: true,
        admin: true,
        connected: true,
        presence: .online,
        lacks: 0
    )
    static let bob = MemberInfo(
        id: TestNode.bob.id,
        displayName: "Bob",
        admin: false,
        trust: .accepted,
        connected: false,
        presence: .offline,
        lacks: 3
    )
    static let crew = GroupInfo(
        id: "crewcrewcrewcrew",
        title: "Crew",
        isMember: true,
        isAdmin: true,
        events: 7,
        members: [ada, bob]
    )

    static func answer(_ request: ControlRequest) -> Result<ControlReply, ControlError> {
        var group = crew
        switch request {
        case .groupCreate(let create):
            group.title = create.title
            if create.who.isEmpty { group.members = [ada] }
        case .groupRename(let rename): group.title = rename.title
        case .groupTopic(let topic): group.topic = topic.topic.flatMap { $0.isEmpty ? nil : $0 }
        case .groupAdmin(let admin): group.members[1].admin = admin.remove != true
        case .groupRemove: group.members = [ada]
        case .groupLeave:
            return .failure(
                ControlError(.notAllowed, "You are the only admin of this group.", advice: "Make somebody else one.")
            )
        default: break
        }
        return .success(.group(group))
    }
}
