import ParlanceControl

/// A page of the open conversation's history that was asked for.
package struct PageRequest: Equatable, Sendable {
    /// Which part of the history it is.
    enum Part: Equatable, Sendable {
        case newest
        case before(String)
        case after(String)
        case around(String)
    }

    /// Tells requests apart: a reply to an earlier one changes nothing.
    let number: Int
    let who: String
    let part: Part
    let limit: Int

    /// The message before which the page ends.
    var before: String? { if case .before(let id) = part { id } else { nil } }

    var operation: HistoryOperation {
        switch part {
        case .newest: HistoryOperation(who: who, limit: limit)
        case .before(let id): HistoryOperation(who: who, before: id, limit: limit)
        case .after(let id): HistoryOperation(who: who, after: id, limit: limit)
        case .around(let id): HistoryOperation(who: who, around: id, limit: limit)
        }
    }
}
