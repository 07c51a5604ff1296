package import ParlanceRecords
import ParlanceWire

/// What the evaluation does differently for a group (groups.md) and for the charter of a workspace (charter.md).
package struct MembershipRules: Equatable, Sendable {
    /// `nil` in a group.
    let charter: CharterBounds?

    package static let group = MembershipRules(charter: nil)

    package static func charter(_ bounds: CharterBounds) -> MembershipRules { MembershipRules(charter: bounds) }

    var isCharter: Bool { charter != nil }

    /// How many hold membership at a time. A charter needs no such limit: the number of its events is limited.
    var members: Int { isCharter ? .max : Limits.members }

    /// How many identities may ever become admins.
    var admins: Int { charter?.admins ?? .max }

    /// How many events are held in all that do not count and that no counting one had seen.
    var void: Int { charter?.void ?? .max }

    /// So many events exceed no limit of what is held.
    var few: Int { charter.map { min($0.least, Limits.membershipVoid) } ?? Limits.membershipVoid }

    /// Parses an event; `nil` if it breaks a rule by itself.
    package func change(_ event: StoredEvent) -> MembershipChange? {
        isCharter ? MembershipChange.inCharter(event) : MembershipChange(event)
    }

    /// How many of one author's changes of a kind count.
    func share(_ kind: Membership.Share.Kind) -> Int {
        switch kind {
        case .creation: Limits.membershipCreations
        case .gain, .loss: charter?.changes ?? Limits.membershipChanges
        case .rotation: charter?.rotations ?? 0
        case .policy: charter?.policies ?? 0
        case .link: charter?.links ?? 0
        }
    }
}

/// How much of a charter counts and is held (charter.md, "Evaluation"). All nodes have to use the same bounds.
package struct CharterBounds: Equatable, Sendable {
    package var admins = Limits.charterAdmins
    package var events = Limits.charterEvents
    package var seen = Limits.charterSeen
    package var voidSeen = Limits.charterVoidSeen
    package var void = Limits.charterVoid
    package var changes = Limits.charterChanges
    package var rotations = Limits.charterRotations
    package var policies = Limits.charterPolicies
    package var links = Limits.charterLinks

    package init() {}

    fileprivate var least: Int { [void, changes, rotations, policies, links].min() ?? 0 }
}

extension Membership {
    /// The number of one admin's changes that count. Gains and losses are counted separately, so an admin who has used
    /// up all additions can still remove members. Departures are not counted.
    struct Share: Equatable, Sendable {
        enum Kind: Hashable, Sendable { case creation, gain, loss, rotation, policy, link }

        private var counts: [Kind: Int] = [:]

        package func hasRoom(for action: MembershipChange.Action, _ rules: MembershipRules) -> Bool {
            action.share.map { counts[$0, default: 0] < rules.share($0) } ?? true
        }

        mutating func count(_ action: MembershipChange.Action) {
            if let kind = action.share { counts[kind, default: 0] += 1 }
        }
    }
}

extension MembershipChange.Action {
    /// The share that it counts against; `nil` for a departure, which always has room.
    var share: Membership.Share.Kind? {
        switch self {
        case .create: .creation
        case .add, .appoint, .admit: .gain
        case .remove, .dismiss: .loss
        case .leave: nil
        case .note(.rotate): .rotation
        case .note(.policy): .policy
        case .note(.link): .link
        }
    }
}
