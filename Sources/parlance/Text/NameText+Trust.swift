import ParlanceControl

// What a terminal shows of people beside their names.
extension NameText {
    /// How far somebody is trusted, in the words of a table.
    static func words(_ trust: Trust) -> String {
        trust == .accepted ? "not verified" : trust.rawValue
    }

    static func role(_ trust: Trust) -> TextStyle.Role {
        switch trust {
        case .verified: .good
        case .blocked: .bad
        case .unknown, .accepted: .plain
        }
    }

    /// What is said of somebody whose safety number was not compared; `who` is how the user named them.
    static func compareAdvice(_ who: String) -> String {
        "To be sure who it is, compare safety numbers: parlance verify \(ShellWord.quoted(who))"
    }
}

extension Person {
    /// `you`, or the name with its mark.
    var shownName: String { me == true ? "you" : NameText.marked(displayName, trust) }
}

extension MemberInfo {
    /// As a list of people names a member.
    var person: Person { Person(id: id, displayName: displayName, me: me == true, trust: trust) }
}

extension PeerInfo {
    var shownName: String { NameText.marked(displayName, trust) }
}

extension MessageInfo {
    /// The sender's name with its mark.
    var shownSender: String { NameText.marked(senderName, senderTrust) }
}

extension PeopleText {
    /// `Ada ✓, Bob and you`.
    ///
    /// - Parameter count: how many there are in all, where the list is a beginning.
    static func list(_ people: [Person], count: Int? = nil) -> String {
        list(people.map(\.shownName), count: count)
    }
}
