/// Something that should not happen, for whoever reads the log.
package enum Report: Equatable, Sendable {
    /// The peer broke a rule: so many times since that was reported last, this time included.
    case breach(Breach, times: Int)
    /// A log of this author has two branches: a restored backup, a copied folder, or a forgery.
    case forkedLog
    /// The store of this node was rolled back, so it goes on as a new replica.
    case rolledBack
}
