/// What is kept of a clock that a peer told, and what is left out.
struct ToldClock: Equatable, Sendable {
    var kept = Clock()
    /// The peer named more logs of one author that are not held here than are kept.
    var isCut = false
    /// The peer named logs of people whom, as far as is known here, nobody has named as members.
    var hasUnnamed = false
}
