// The charter of a workspace (charter.md, "Limits").
extension Limits {
    /// Events of a charter that count, of all admins together: 500 people who come and go for ten years. The work of an
    /// evaluation grows with its square.
    package static let charterEvents = 8_192
    /// Identities that were ever admins of a workspace: each has shares of its own.
    package static let charterAdmins = 64
    /// Changes of a charter by one admin that count, among those that give something, and as many among those that take
    /// something: with 64 people in each, 32,768 people.
    package static let charterChanges = 512
    /// Rotations by one admin that count, a share of their own: one in each hour for three weeks.
    package static let charterRotations = 512
    /// Policies by one admin that count: one in each week for five years.
    package static let charterPolicies = 256
    /// Links by one admin that count: with 64 events in each, twice as many as all others together could need.
    package static let charterLinks = 256
    /// Events of a charter that count, or that ones that count had seen: twice `charterEvents`, so whatever counted once
    /// can stop counting, and as much again can count.
    package static let charterSeen = 16_384
    /// Events that do not count, and that the counting ones of one admin were the first to have seen: as many as count of
    /// three admins, so that undoing what they wrote undoes nothing that others wrote after it.
    package static let charterVoidSeen = 6_144
    /// Events of a charter that are held though they do not count and no counting one had seen them, since they may count
    /// again: as many as can count.
    package static let charterVoid = 8_192
    /// People whom one event of a charter names, so that such an event is small.
    package static let charterPeople = 64
    /// Events that one event of a charter names as the last ones seen, so that such an event is small; a link names more.
    package static let charterParents = 64
    /// Bytes of the body of an event of a charter: that many people and events, and a policy.
    package static let charterBodyBytes = 8_192
    /// Bytes of the header of such an event, which names no other event: 150, and room.
    package static let charterHeaderBytes = 512
    /// Bytes of the name of a policy.
    package static let charterPolicyNameBytes = 64
    /// Bytes of the value of a policy: a word, a number, or a line of text.
    package static let charterPolicyValueBytes = 256
    /// How long a node waits between two rotations that it writes by itself: nobody who keeps causing them uses up an
    /// admin's share in less than three weeks.
    package static let charterRotationMilliseconds: Int64 = 3_600_000
    /// How long an admin's node at most leaves it to others to make a key, or to admit somebody, by themselves.
    package static let charterRotationDelayMilliseconds: Int64 = 60_000
    /// People whom one invitation admits: twice the people of a large office.
    package static let charterInvitationUses = 1_000
    /// People who are remembered as asking to be let in, as many as can be left out. Of more, those go who were seen
    /// longest ago.
    package static let admissionRequests = 256
    /// How long they are remembered: an admin looks in once a day.
    package static let admissionRequestMilliseconds: Int64 = 86_400_000
    /// Lines of a list of people that is read at once: twice the people of a large office.
    package static let importedPeople = 1_000
    /// Bytes of such a list: a name of the greatest size and a peer ID with spaces in each line, and room.
    package static let importedBytes = 262_144
    /// Bytes of events of a charter that are kept on a link until the rest has come: all that a workspace of some hundred
    /// people has. More are taken in parts.
    package static let charterPartBytes = 1_048_576
    /// Bytes of events of a charter in one frame, unless one event is larger: so little that nodes can be joined that buffer
    /// only 16 KiB of a peer that they have not accepted, as was allowed once.
    package static let charterFrameBytes = 3_072
    /// Bytes of an audit log that is read for a check: as many events as are held, each of the greatest size, written as
    /// hexadecimal digits, with its people, each of them spared.
    package static let charterLogBytes = 671_088_640
}
