import ParlanceControl
import ParlanceErrorCode
import ParlanceWords

/// The test node's answers about its one group.
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

    static func add(to methods: inout ControlMethods, of node: TestNode) {
        node.add(GroupCreateOperation.self, to: &methods) { request, _ in
            var group = crew
            group.title = request.title
            if request.who.isEmpty { group.members = [ada] }
            return group
        }
        node.add(GroupShowOperation.self, to: &methods) { asked, state throws(ControlError) in
            guard !state.groups.isEmpty else { return crew }
            guard let group = state.groups.first(where: { $0.id == asked.group }) else {
                throw ControlError(.unknownPeer, "No group is called so.", advice: "See: parlance groups")
            }
            return group
        }
        node.add(GroupAddOperation.self, to: &methods) { _, _ in crew }
        node.add(GroupRemoveOperation.self, to: &methods) { _, _ in
            var group = crew
            group.members = [ada]
            return group
        }
        node.add(GroupAdminOperation.self, to: &methods) { request, _ in
            var group = crew
            group.members[1].admin = request.remove != true
            return group
        }
        node.add(GroupLeaveOperation.self, to: &methods) { _, _ throws(ControlError) in
            throw ControlError(.notAllowed, "You are the only admin of this group.", advice: "Make somebody else one.")
        }
        node.add(GroupRenameOperation.self, to: &methods) { request, _ in
            var group = crew
            group.title = request.title
            return group
        }
        node.add(GroupTopicOperation.self, to: &methods) { request, _ in
            var group = crew
            group.topic = request.topic.flatMap { $0.isEmpty ? nil : $0 }
            return group
        }
    }
}
