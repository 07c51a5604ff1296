/// What one peer costs a node besides its messages, over all rooms; or the most that it may cost (sync.md, "One peer's
/// flood"). Each room counts what it holds for whom. What is stored of an author in a day is bounded by `Quotas`.
package struct PeerCost: Equatable, Sendable {
    /// Its links.
    package var links = 0
    /// Entries of tables in memory: of clocks and windows, watermarks that wait, and what was told.
    package var entries = 0
    /// Bytes in memory that wait: for an acknowledgement, or for the rest of an invitation or of a charter.
    package var bytes = 0
    /// Reads of the store and of files that are under way or will be tried again.
    package var reads = 0
    /// Bytes of the envelopes that are kept for it on the disk, as they count.
    package var carried = 0

    package static let nothing = PeerCost()

    static func + (a: PeerCost, b: PeerCost) -> PeerCost {
        PeerCost(
            links: a.links + b.links,
            entries: a.entries + b.entries,
            bytes: a.bytes + b.bytes,
            reads: a.reads + b.reads,
            carried: a.carried + b.carried
        )
    }

    /// The figures that are larger than those of a budget.
    package func excess(over budget: PeerCost) -> [(what: String, count: Int, most: Int)] {
        [
            ("links", links, budget.links), ("entries", entries, budget.entries), ("bytes", bytes, budget.bytes),
            ("reads", reads, budget.reads), ("carried", carried, budget.carried),
        ].filter { $0.1 > $0.2 }
    }
}
