/// A rule of the protocol that a peer broke. It ends that link and affects nothing else (sync.md, "The frames").
///
/// Each rule has a case of its own, so that the log and `doctor` name it. The raw value is a stable code for programs;
/// the shells hold the sentences for people.
package enum Breach: String, Error, CaseIterable, Sendable {
    // Records and frames (link.md).
    case recordTooShort
    case recordType
    case recordAuthenticity
    case firstRecord
    case secondCertificate
    case endWithinFrame
    case frameTooLarge
    case emptyFrame
    case malformedFrame

    // The session (sync.md, "The frames", "Hello", "Summary" and "Clock").
    case frameBeforeHello
    case secondHello
    case helloPurpose
    case summaryConversation
    case summaryHash
    case clockConversation
    case clockEntries

    // Runs of events (events.md, "Runs"; sync.md, "Events").
    case eventsConversation
    case eventsFirstHeader
    /// The run names the log or branch in which it is by a malformed identifier.
    case eventsPlace
    case eventsAuthor
    /// The headers name a branch instead of the log that was forked.
    case eventsBranchName
    /// The run forks from its log at an unknown position, or its hash chain is broken.
    case eventsChain
    /// The run forks at the start of a branch, so it belongs to another branch than the one named.
    case eventsBranchStart
    case eventHeader
    case eventLog
    case eventHeadDistance
    case eventBodyHash
    case eventBodyMissing
    case eventSignatureLength
    case eventSignature
    /// The last event of a run has no signature.
    case eventsUnsigned
    case membershipUnsigned

    // Other frames about conversations.
    case inviteConversation
    case inviteEvent
    case forkFields
    case forkHeader
    case forkLog
    case forkChain
    case forkSignature
    case forkBranches
    case wantFields
    case bodiesWantedFields
    case bodiesFields
    case bodySize
    case watermarksConversation
    case watermarkFields
    case watermarkSignature

    // Contacts (contacts.md).
    case contactRequestSize
    case contactRequestFields
    case contactAnswerFields
    case contactAnswerSignature

    // Pictures (contacts.md, "Pictures").
    case pictureWantedFields
    case pictureFields
    case pictureSignature

    // Couriers (couriers.md).
    case prekeysFields
    case prekeysSignature
    case depositFields
    case depositedFields
    case handOverFields
    case takenFields
    case takenSignature

    // Workspaces (workspaces.md).
    case addressesFields
    case addressesSignature
    case workspaceKeyFields
    case charterEventsFields
    case helloInvitation

    // Quotas (sync.md, "Full").
    case fullFields

    // Backlogs (sync.md, "Behind").
    case behindFields

    // Files (files.md, "Asking").
    case fileAskFields
    /// The peer asks for more files at once than a link serves.
    case fileAskCount
    case fileHeldFields
    case fileStopFields
    case fileWantFields
    /// The peer asks for more pieces at once than it may.
    case fileWantCount
    case filePieceFields
    /// The piece was not asked for, or has come already.
    case filePieceUnasked
}
