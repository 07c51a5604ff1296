// How many members of a workspace are accepted without their user.
extension Limits {
    /// How many people may be accepted already where a member is accepted by itself at any time: more than most offices
    /// have.
    package static let membersAccepted = 500
    /// How many members beyond that are accepted by themselves in an hour: whoever has the key can make up identities.
    package static let membersAcceptedInHour = 20
}
