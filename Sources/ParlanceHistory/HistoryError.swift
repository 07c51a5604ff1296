/// Why a batch cannot be applied.
package enum HistoryError: Error, Equatable, Sendable {
    /// The batch does not continue what is held: memory and rows disagree.
    case contradiction(String)
    /// The rows contradict each other.
    case damaged(String)
}
