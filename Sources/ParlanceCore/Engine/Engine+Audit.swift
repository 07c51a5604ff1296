import ParlanceWire

extension Engine {
    /// Names what rooms keep up to save looking at everything, and what a look at everything contradicts: for tests.
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

    /// Whether a group is found by everybody who may have written in it.
    private func isFound(_ group: Conversation) -> Bool {
        group.group?.membership.mentioned.allSatisfy { conversations.groups(mentioning: $0).contains(group.id) } == true
    }
}
