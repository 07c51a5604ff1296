/// A deadline and the tokens that name it.
struct LocatedDeadline: Equatable, Sendable {
    let deadline: Deadline
    /// The tokens, with the words before it such as "by".
    let range: Range<Int>
    /// Whether a word such as "by" or "bis" stands before it.
    let isBound: Bool
}
