/// The kept part of a clock that a peer told, and whether anything was left out.
struct AnnouncedClock: Equatable, Sendable {
    var kept = Clock()
    /// The peer named more logs of one author that are not held here than are kept.
    var isCut = false
    /// The peer named logs of authors that, as far as is known here, nobody has named as members.
    var hasUnnamed = false
}
