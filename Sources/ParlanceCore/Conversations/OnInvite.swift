/// What follows from an invitation to a group (sync.md, "Invite").
enum OnInvite: Equatable {
    /// It says nothing new, or comes from somebody whose word does not count.
    case nothing
    /// The rest of it has to come first. What has come is kept on the link.
    case incomplete(InvitationParts)
    /// It is taken. Everybody whom the events of the group name is known from now on.
    case members([Conversation.NamedMember])
    case broken(Breach)
}
