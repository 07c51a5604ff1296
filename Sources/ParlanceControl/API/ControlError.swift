package import ParlanceWords

/// Why a request was refused: what went wrong and why, and what to do about it.
package struct ControlError: Error, Codable, Equatable, Sendable {
    /// The stable code that programs compare.
    package var code: Code
    /// What went wrong, on what, and why: one sentence for people, without internal names.
    package var message: Phrase
    /// What to do about it: one sentence.
    package var advice: Phrase
    /// The peers and groups that may be meant, for an ambiguous WHO.
    package var candidates: [Candidate]?
    /// The reason by its name, with its values, if the engine refused.
    package var reason: ErrorReason?

    package init(
        _ code: Code,
        _ message: Phrase,
        advice: Phrase,
        candidates: [Candidate]? = nil,
        reason: ErrorReason? = nil
    ) {
        self.code = code
        self.message = message
        self.advice = advice
        self.candidates = candidates
        self.reason = reason
    }

    /// One of several peers or groups that a WHO may mean.
    package struct Candidate: Codable, Equatable, Sendable {
        /// The peer ID, or the group's ID.
        package var id: String
        package var displayName: String
        /// How far the peer is trusted; absent for a group.
        package var trust: Trust?
        /// Whether the user, or a list that the user has imported, gave the peer this name; absent if not.
        package var aliased: Bool?

        package init(id: String, displayName: String, trust: Trust?) {
            self.id = id
            self.displayName = displayName
            self.trust = trust
        }
    }

    /// The application's error codes; the text is `error.data.code`, the number is `error.code`.
    package enum Code: String, Codable, JSONWord, Sendable {
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
}

extension ControlError.Code {
    /// The number in `error.code`: JSON-RPC's own for a defect, else 1000 and up, outside its reserved range.
    package var number: Int {
        switch self {
        case .unknownPeer: 1001
        case .ambiguousPeer: 1002
        case .ownIdentity: 1003
        case .unknownMessage: 1004
        case .notWaiting: 1005
        case .emptyText: 1006
        case .textTooLong: 1007
        case .invalidName: 1008
        case .invalidValue: 1009
        case .blocked: 1010
        case .busy: 1011
        case .storeFailed: 1012
        case .stopping: 1013
        case .notPermitted: 1014
        case .socketFailed: 1015
        case .notMember: 1016
        case .notAllowed: 1017
        case .noWorkspace: 1018
        case .otherWorkspace: 1019
        case .notTheSame: 1020
        case .notYet: 1021
        case .notSignedIn: 1022
        case .fileDenied: 1023
        case .internalError: -32603
        }
    }
}
