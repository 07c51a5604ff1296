// Operations on groups. Each replies with the group as it is now.

/// `group.create`: makes a group, with the user as its first admin.
package struct GroupCreateOperation: ControlOperation {
    package typealias Reply = GroupInfo
    package static let method = "group.create"

    /// At most 200 bytes of UTF-8 without control characters.
    package var title: String
    /// The other first members.
    package var who: [String]
    /// Whether to make it although a person or another group has that name; absent means no.
    package var force: Bool?

    package init(title: String, who: [String], force: Bool? = nil) {
        self.title = title
        self.who = who
        self.force = force
    }
}

/// `group.show`: asks for a group.
package struct GroupShowOperation: ControlOperation {
    package typealias Reply = GroupInfo
    package static let method = "group.show"

    /// The title of the group, or an unambiguous prefix of its ID of 8 or more characters.
    package var group: String

    package init(group: String) {
        self.group = group
    }
}

/// `group.add`: adds people to a group.
package struct GroupAddOperation: ControlOperation {
    package typealias Reply = GroupInfo
    package static let method = "group.add"

    /// The title of the group, or an unambiguous prefix of its ID of 8 or more characters.
    package var group: String
    /// Peers (see WHO in protocol/control.md).
    package var who: [String]

    package init(group: String, who: [String]) {
        self.group = group
        self.who = who
    }
}

/// `group.remove`: removes people from a group.
package struct GroupRemoveOperation: ControlOperation {
    package typealias Reply = GroupInfo
    package static let method = "group.remove"

    /// The title of the group, or an unambiguous prefix of its ID of 8 or more characters.
    package var group: String
    /// Members (see WHO in protocol/control.md).
    package var who: [String]

    package init(group: String, who: [String]) {
        self.group = group
        self.who = who
    }
}

/// `group.admin`: makes members admins, or dismisses admins.
package struct GroupAdminOperation: ControlOperation {
    package typealias Reply = GroupInfo
    package static let method = "group.admin"

    /// The title of the group, or an unambiguous prefix of its ID of 8 or more characters.
    package var group: String
    /// Members (see WHO in protocol/control.md).
    package var who: [String]
    /// Whether to dismiss them; they stay members. Absent means no.
    package var remove: Bool?

    package init(group: String, who: [String], remove: Bool? = nil) {
        self.group = group
        self.who = who
        self.remove = remove
    }
}

/// `group.leave`: leaves a group.
package struct GroupLeaveOperation: ControlOperation {
    package typealias Reply = GroupInfo
    package static let method = "group.leave"

    /// The title of the group, or an unambiguous prefix of its ID of 8 or more characters.
    package var group: String

    package init(group: String) {
        self.group = group
    }
}

/// `group.rename`: gives a group another title.
package struct GroupRenameOperation: ControlOperation {
    package typealias Reply = GroupInfo
    package static let method = "group.rename"

    /// The title of the group, or an unambiguous prefix of its ID of 8 or more characters.
    package var group: String
    /// At most 200 bytes of UTF-8 without control characters.
    package var title: String
    /// Whether to rename it although a person or another group has that name; absent means no.
    package var force: Bool?

    package init(group: String, title: String, force: Bool? = nil) {
        self.group = group
        self.title = title
        self.force = force
    }
}

/// `group.topic`: asks for the topic of a group, or sets it.
package struct GroupTopicOperation: ControlOperation {
    package typealias Reply = GroupInfo
    package static let method = "group.topic"

    /// The title of the group, or an unambiguous prefix of its ID of 8 or more characters.
    package var group: String
    /// The new topic, at most 200 bytes; empty removes the topic, absent only asks.
    package var topic: String?

    package init(group: String, topic: String? = nil) {
        self.group = group
        self.topic = topic
    }
}
