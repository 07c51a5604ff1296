import ParlanceControl

/// A page of the open conversation's history that was asked for.
package struct PageRequest: Equatable, Sendable {
    /// Tells requests apart: a reply to an earlier one changes nothing.
    let number: Int
    let who: String
    /// The message before which the page ends; nil for the newest page.
    let before: String?
    let limit: Int

    var operation: HistoryOperation { HistoryOperation(who: who, before: before, limit: limit) }
}
