import ParlanceControl
import ParlanceWords

// Text for the terminal about people.
extension NameText {
    /// How far somebody is trusted, in the words of a table.
    static func words(_ trust: Trust) -> Phrase {
        trust == .accepted ? Phrase("not verified") : trust.words
    }

    static func role(_ trust: Trust) -> TextStyle.Role {
        switch trust {
        case .verified: .good
        case .blocked: .bad
        case .unknown, .accepted: .plain
        }
    }

    /// Advice about somebody whose safety number was not compared; `who` is the name that the user typed.
    static func compareAdvice(_ who: String) -> Phrase {
        Phrase("To be sure who it is, compare safety numbers: parlance verify \(ShellWord.quoted(who))")
    }
}

extension Person {
    /// `you`, or the name with its mark.
    var shownName: String { me == true ? say("you") : NameText.marked(displayName, trust) }
}

extension MemberInfo {
    /// The member as a person.
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
    /// - Parameter count: how many people there are in total, if `people` has only the first of them.
    static func list(_ people: [Person], count: Int? = nil) -> Phrase {
        list(people.map(\.shownName), count: count)
    }

    /// The people to whom something is done: "you" is another word there.
    static func whom(_ people: [Person]) -> Phrase {
        list(people.map { $0.me == true ? say("you", hint: "whom") : $0.shownName })
    }
}
