package import ParlanceRecords

/// How long messages stay for everybody, as this node knows it.
package struct LifetimeView: Equatable, Sendable {
    package var terms: LifetimeTerms
    /// The age in milliseconds at which messages disappear; `nil` if they stay.
    package var agreed: Int64?
    /// When this node learned that this counts, in milliseconds since 1970. Nothing is removed before it has counted for
    /// its whole time.
    package var since: Int64?

    package init(terms: LifetimeTerms, agreed: Int64? = nil, since: Int64? = nil) {
        self.terms = terms
        self.agreed = agreed
        self.since = since
    }
}
