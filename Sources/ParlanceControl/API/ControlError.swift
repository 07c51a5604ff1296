package import ParlanceErrorCode
package import ParlanceWords

/// Why a request was refused: what went wrong and why, and what to do about it.
package struct ControlError: Error, Codable, Equatable, Sendable {
    /// The stable code that programs compare.
    package var code: ErrorCode
    /// What went wrong, on what, and why: one sentence for people, without internal names.
    package var message: Phrase
    /// What to do about it: one sentence.
    package var advice: Phrase
    /// The peers and groups that may be meant, for an ambiguous WHO.
    package var candidates: [Candidate]?
    /// The reason by its name, with its values, if the engine refused.
    package var reason: ErrorReason?

    package init(
        _ code: ErrorCode,
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
}

extension ErrorCode: JSONWord {}

extension ErrorCode {
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
