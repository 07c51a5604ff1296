/// The stable code of an error, which programs compare; the text is `error.data.code` of the control protocol.
///
/// It knows no other target, so that the core names the code of a refusal in the words in which the node's API tells it.
package enum ErrorCode: String, CaseIterable, Codable, Sendable {
    /// No peer or conversation is known by that name or ID.
    case unknownPeer
    /// Several peers or groups are meant; `candidates` lists them.
    case ambiguousPeer
    /// The peer is the user's own identity.
    case ownIdentity
    /// No message of that ID is known here, or an ID prefix fits several.
    case unknownMessage
    /// The message no longer waits in the outbox, or the peer does not ask to talk.
    case notWaiting
    /// The text is empty or blank.
    case emptyText
    /// The text is longer than 64 KiB.
    case textTooLong
    /// A name, alias or status text is too long, empty or holds control characters.
    case invalidName
    /// A value is out of its range, such as a limit of 0.
    case invalidValue
    /// The peer is blocked here.
    case blocked
    /// The user, or somebody named, is not a member of the group.
    case notMember
    /// The user may not do this: the text is somebody else's, or only an admin may.
    case notAllowed
    /// The node is in no workspace.
    case noWorkspace
    /// The node is in another workspace.
    case otherWorkspace
    /// The scanned code does not belong to the peer: it names other identities, or is not a code.
    case notTheSame
    /// The node must first meet a member of the workspace; try again later.
    case notYet
    /// Too much is waiting; try again later.
    case busy
    /// The store failed; nothing was done.
    case storeFailed
    /// The caller is another user of the machine.
    case notPermitted
    /// The browser was not let in (protocol/page.md).
    case notSignedIn
    /// The system does not let the node read or write a file of the user.
    case fileDenied
    /// The control socket could not be made.
    case socketFailed
    /// The node is stopping.
    case stopping
    /// A defect of the node.
    case internalError
}
