/// Makes a group; oneself is its first admin.
package struct GroupCreateRequest: Codable, Equatable, Sendable {
    /// At most 200 bytes of UTF-8 without control characters.
    package var title: String
    /// Who is in it from the beginning, beside oneself.
    package var who: [String]

    package init(title: String, who: [String]) {
        self.title = title
        self.who = who
    }
}

/// A request about one group.
package struct GroupRequest: Codable, Equatable, Sendable {
    /// The group's title, or an unambiguous prefix of its ID of 8 or more characters.
    package var group: String

    package init(group: String) {
        self.group = group
    }
}

/// Adds people to a group, or removes them.
package struct GroupMembersRequest: Codable, Equatable, Sendable {
    package var group: String
    package var who: [String]

    package init(group: String, who: [String]) {
        self.group = group
        self.who = who
    }
}

/// Makes members admins, or takes that from them.
package struct GroupAdminRequest: Codable, Equatable, Sendable {
    package var group: String
    package var who: [String]
    /// Dismisses them instead; they stay members.
    package var remove: Bool?

    package init(group: String, who: [String], remove: Bool? = nil) {
        self.group = group
        self.who = who
        self.remove = remove
    }
}

/// Gives a group another title.
package struct GroupRenameRequest: Codable, Equatable, Sendable {
    package var group: String
    package var title: String

    package init(group: String, title: String) {
        self.group = group
        self.title = title
    }
}

/// Asks for a group's topic, or sets it.
package struct GroupTopicRequest: Codable, Equatable, Sendable {
    package var group: String
    /// The new topic, at most 200 bytes; empty takes it away, absent only asks.
    package var topic: String?

    package init(group: String, topic: String? = nil) {
        self.group = group
        self.topic = topic
    }
}
