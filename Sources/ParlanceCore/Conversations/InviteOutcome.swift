/// The result of examining an invitation to a group (sync.md, "Invite").
enum InviteOutcome: Equatable {
    /// It says nothing new, or comes from a peer that is not trusted to invite.
    case nothing
    /// The rest has to come first. The parts so far are kept on the link.
    case incomplete(InvitationParts)
    /// The invitation is taken. Remember everybody whom the group's events name.
    case members([Conversation.NamedMember])
}
