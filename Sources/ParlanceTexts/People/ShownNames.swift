package import ParlanceControl
import ParlanceWords

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
