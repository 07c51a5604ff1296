import ParlanceControl

/// Values of the control protocol where any would do.
enum Sample {
    static let bob = PeerInfo(
        id: "bobbobbobbobbob2bobbobbobbobbob2bobbobbobbobbob2bobbobbo",
        name: "Bob",
        displayName: "Bob",
        trust: .accepted,
        nearby: true,
        connected: true,
        addresses: ["127.0.0.1:4747"],
        presence: .online
    )

    static func message(
        _ text: String,
        of sender: String = "Bob",
        mine: Bool = false,
        at time: ControlTime = ControlTime(milliseconds: 0)
    ) -> MessageInfo {
        let id = sender.lowercased()
        return MessageInfo(
            id: "m1",
            conversation: "c",
            sender: id,
            senderName: sender,
            mine: mine,
            text: text,
            time: time
        )
    }

    /// A group of the user Ada and of Bob.
    static let crew: GroupInfo = {
        var ada = MemberInfo(id: "ada", displayName: "Ada", admin: true, connected: true, presence: .online, lacks: 0)
        var other = MemberInfo(
            id: bob.id,
            displayName: "Bob",
            admin: false,
            connected: false,
            presence: .offline,
            lacks: 3
        )
        (ada.me, other.trust) = (true, .accepted)
        let id = "crewcrewcrewcrew"
        return GroupInfo(id: id, title: "Crew", isMember: true, isAdmin: true, events: 7, members: [ada, other])
    }()

    /// A message of Bob in that group, as the assistant gives it.
    static func source(_ text: String) -> AssistantSource {
        AssistantSource(
            id: "m1",
            conversation: "c",
            kind: .group,
            title: "Crew",
            sender: Person(id: bob.id, displayName: "Bob", trust: .accepted),
            time: ControlTime(milliseconds: 1_772_000_000_000),
            excerpt: text
        )
    }
}
