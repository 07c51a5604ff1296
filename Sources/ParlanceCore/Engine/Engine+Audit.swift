import ParlanceWire

extension Engine {
    /// Names the indexes that contradict the data they were built from. For tests.
    package var wrongIndexes: [String] {
        let groups = conversations.inOrder.filter { $0.group != nil }
        let answers: [(String, Bool)] = [
            ("the groups of each person", groups.allSatisfy { isFound($0) }),
            ("the list of those who ask to talk", contacts.asking == Contacts(Array(contacts.all)).asking),
            ("the targets of each peer", dialing.places.isSound),
            ("the marks of each member", conversations.values.allSatisfy(\.marks.isSound)),
            ("the list of members", groups.allSatisfy { $0.group?.membership.listsItsMembers == true }),
        ]
        return answers.filter { !$0.1 }.map(\.0)
    }

    /// Whether the index finds the group for all people who may have written in it.
    private func isFound(_ group: Conversation) -> Bool {
        group.group?.membership.mentioned.allSatisfy { conversations.groups(mentioning: $0).contains(group.id) } == true
    }
}
