import ParlanceWire

/// Why there is no link to a peer, or why links to it do not last. Kept until a link works again.
package struct LinkTrouble: Equatable, Sendable {
    package enum Cause: Hashable, Sendable {
        /// The peer broke a rule, so this node ended the link.
        case breach(Breach)
        /// The peer ended the link and says that this node broke a rule.
        case accused
        /// The peer is too slow to receive what is sent to it.
        case congested
        /// The peer knows a later start of this replica: this node's store was rolled back.
        case stale
        /// The peer shows an earlier start of its replica than this node knows.
        case behind
        /// The peer has blocked this node, or has left it out of the workspace.
        case blocked
        /// The peer has no room for another link, or does not know this node.
        case noRoom
        /// The peer's disk is full: it takes no messages until there is room.
        case diskFull
        /// The peer is in another workspace, or one of the two is in none.
        case otherWorkspace
        /// The peer announced that it stops.
        case stopped
        /// The connection was lost, or nothing was heard on it any more.
        case lost
        /// A link is up, and the other machine does not acknowledge what is sent on it.
        case unanswered
        /// The peer closed the link and gave no reason.
        case closed
        /// The attempt to open a link failed.
        case failed(DialFailure, Endpoint)

        /// Whether the trouble can persist while a link is up: links open but do not last.
        package var endsEachLink: Bool {
            switch self {
            case .breach, .accused, .congested, .stale, .behind, .diskFull: true
            case .blocked, .noRoom, .otherWorkspace, .stopped, .lost, .unanswered, .closed, .failed: false
            }
        }

        /// Whether this is the ordinary result of a peer being switched off.
        package var isAbsence: Bool {
            switch self {
            case .stopped, .lost, .closed: true
            case .failed(let failure, _):
                switch failure {
                case .refused, .timedOut, .noRoute, .networkUnreachable, .reset, .noInterface: true
                default: false
                }
            default: false
            }
        }
    }

    package var cause: Cause
    /// When it began, in milliseconds since 1970; `nil` if that is not known.
    package var since: Int64?
    /// The tag of the workspace's key with which the link that ended was opened; `nil`: without one, or there was none.
    var workspaceTag: UInt32?

    package init(_ cause: Cause, since: Int64? = nil) {
        self.cause = cause
        self.since = since
    }
}

extension LinkTrouble.Cause {
    init(_ end: LinkEnd) {
        self =
            switch end {
            case .closed: .closed
            case .cutOff: .lost
            case .broken(let rule): .breach(rule)
            case .congested: .congested
            }
    }

    /// The trouble that a `Bye` reports; `nil` if another link replaces this one.
    init?(_ reason: WireByeReason) {
        switch reason {
        case .stopping: self = .stopped
        case .protocol: self = .accused
        case .stale: self = .stale
        case .blocked: self = .blocked
        case .limit: self = .noRoom
        case .diskFull: self = .diskFull
        case .duplicate, .renewed: return nil
        case .unspecified, .UNRECOGNIZED: self = .closed
        }
    }
}
