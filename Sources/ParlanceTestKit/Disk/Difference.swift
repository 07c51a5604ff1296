package import ParlanceCore
package import ParlanceRecords
import ParlanceWire

// Where two stores differ. The order counts only where it has a meaning.

extension PersistReceipt {
    /// - Returns: how this differs from the receipt of another store; `nil` if it does not.
    package func difference(from other: PersistReceipt) -> String? {
        differs("shown", shown.sorted { $0.id < $1.id }, other.shown.sorted { $0.id < $1.id })
            ?? differs("changed", changed.sorted { $0.id < $1.id }, other.changed.sorted { $0.id < $1.id })
            ?? differs("withdrawn", withdrawn.sorted(), other.withdrawn.sorted())
            ?? differs("voided", voided, other.voided)
            ?? differs("applied", applied.begun, other.applied.begun)
            ?? differs("applied changes", appliedChanges.sorted(), other.appliedChanges.sorted())
            ?? differs("missing", missing.inOrder, other.missing.inOrder)
            ?? differs("labels", labels.inOrder, other.labels.inOrder)
            ?? differs("lifetimes", lifetimes.inOrder, other.lifetimes.inOrder)
            ?? differs("floors", floors.inOrder, other.floors.inOrder)
    }
}

extension [LogFloor] {
    fileprivate var inOrder: [LogFloor] {
        map { floor in
            var floor = floor
            floor.removed.sort()
            return floor
        }.sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
    }
}

extension [LifetimeTerms] {
    fileprivate var inOrder: [LifetimeTerms] { sorted { $0.conversation < $1.conversation } }
}

extension EngineSnapshot {
    /// - Returns: how this differs from the snapshot of another store; `nil` if it does not.
    package func difference(from other: EngineSnapshot) -> String? {
        let inOrder = { (a: LogRecord, b: LogRecord) in (a.conversation, a.log) < (b.conversation, b.log) }
        let branchesInOrder = { (a: BranchRecord, b: BranchRecord) in (a.conversation, a.log) < (b.conversation, b.log)
        }
        if workspace != other.workspace { return "workspace" }
        if prekeys != other.prekeys { return "prekeys" }
        if envelopes != other.envelopes { return "envelopes" }
        if preferences != other.preferences { return "preferences" }
        if ownPicture != other.ownPicture { return "the own picture" }
        if pictures != other.pictures { return "pictures" }
        if transfers != other.transfers { return "transfers" }
        if offers != other.offers { return "offers" }
        if lifetimes.inOrder != other.lifetimes.inOrder { return "lifetimes" }
        return differs("logs", logs.sorted(by: inOrder), other.logs.sorted(by: inOrder))
            ?? differs("branches", branches.sorted(by: branchesInOrder), other.branches.sorted(by: branchesInOrder))
            ?? differs("conversations", conversations.inOrder, other.conversations.inOrder)
            ?? differs("membership", membershipInOrder, other.membershipInOrder)
            ?? differs("applied changes", appliedChanges, other.appliedChanges)
            ?? differs("labels", labels.inOrder, other.labels.inOrder)
            ?? differs("recipients", recipients.inOrder, other.recipients.inOrder)
            ?? differs("peers", peers.sorted { $0.id < $1.id }, other.peers.sorted { $0.id < $1.id })
            ?? differs("watermarks", watermarks.inOrder, other.watermarks.inOrder)
            ?? differs("profile", [profile], [other.profile])
    }

    /// The events of each group: which are held does not depend on the order in which they came.
    private var membershipInOrder: [StoredEvent] {
        membership.sorted { ($0.header.conversation, $0.id) < ($1.header.conversation, $1.id) }
    }
}

/// The position at which two lists begin to differ.
private func differs<Element: Equatable>(_ what: String, _ found: [Element], _ wanted: [Element]) -> String? {
    guard found != wanted else { return nil }
    let same = zip(found, wanted).prefix { $0 == $1 }.count
    let lists = [found, wanted].map { $0.dropFirst(same).first.map(parts) ?? [] }
    let texts = lists.enumerated().map { place, parts in
        parts.filter { !lists[1 - place].contains($0) }.joined(separator: ", ")
    }
    return "\(what) of \(lists[0].first ?? lists[1].first ?? "none"): \(texts[0]), not \(texts[1])"
}

/// The properties of a value with their names.
private func parts<Value>(_ value: Value) -> [String] {
    Mirror(reflecting: value).children.map { "\($0.label ?? "") \($0.value)" }
}

extension [AppliedLog] {
    /// A log of which nothing is applied may be listed or not: it need not have a row.
    fileprivate var begun: [AppliedLog] {
        filter { $0.position.sequence > 0 }.sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
    }
}

extension [MissingBodies] {
    fileprivate var inOrder: [MissingBodies] { sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) } }
}

extension [GroupLabel] {
    fileprivate var inOrder: [GroupLabel] { sorted { $0.conversation < $1.conversation } }
}

extension [ConversationRecord] {
    fileprivate var inOrder: [ConversationRecord] { sorted { $0.id < $1.id } }
}

extension [RecipientRecord] {
    fileprivate var inOrder: [RecipientRecord] { sorted { ($0.conversation, $0.peer) < ($1.conversation, $1.peer) } }
}

extension [WatermarkRecord] {
    fileprivate var inOrder: [WatermarkRecord] { sorted { $0.key < $1.key } }
}
