package import ParlanceWords

extension Person {
    /// `you`, or the name with its mark.
    package var shownName: String { me == true ? say("you") : NameText.marked(displayName, trust) }
}

extension MemberInfo {
    /// The member as a person.
    package var person: Person { Person(id: id, displayName: displayName, me: me == true, trust: trust) }
}

extension PeerInfo {
    package var shownName: String { NameText.marked(displayName, trust) }
}

extension MessageInfo {
    /// The sender's name with its mark.
    package var shownSender: String { NameText.marked(senderName, senderTrust) }
}

extension PeopleText {
    /// `Ada ✓, Bob and you`.
    ///
    /// - Parameter count: how many people there are in total, if `people` has only the first of them.
    package static func list(_ people: [Person], count: Int? = nil) -> Phrase {
        list(people.map(\.shownName), count: count)
    }

    /// The people to whom something is done: "you" is another word there.
    package static func whom(_ people: [Person], count: Int? = nil) -> Phrase {
        list(people.map { $0.me == true ? say("you", hint: "whom") : $0.shownName }, count: count)
    }
}
