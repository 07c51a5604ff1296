/// A problem for the log of the node.
package enum Report: Equatable, Sendable {
    /// The peer broke a rule. `times` counts the breaches since the last report, including this one.
    case breach(Breach, times: Int)
    /// A log of this author has two branches: a restored backup, a copied folder, or a forgery.
    case forkedLog
    /// The store of this node was rolled back, so the node continues as a new replica.
    case rolledBack
    /// The peer has written as much into a conversation as is taken in a day.
    case quotaUsed
    /// The peer sends more than is handled at once.
    case behind
}
