import ParlanceWire

/// How much people have written into the conversations of this node in a day, so that nobody who was accepted fills the
/// disk (sync.md, "Full").
///
/// - It owns, for each author and conversation, the bytes that were taken and when the day began. Days are of running
///   time: no clock that is set ends one.
/// - It takes what arrives, and the user's limit.
/// - It returns whose day is over, and where. The engine then asks for what has waited.
struct Quotas: Equatable, Sendable {
    /// The most bytes in a day; `nil`: without an end.
    private var limit: UInt64?
    private var days: [Place: Day] = [:]
    /// Where the quota is used up, and when the day ends.
    private var full: [Place: Int64] = [:]

    struct Place: Hashable, Comparable, Sendable {
        var conversation: ConversationID
        var author: PeerID

        static func < (a: Place, b: Place) -> Bool { (a.conversation, a.author) < (b.conversation, b.author) }
    }

    private struct Day: Equatable, Sendable {
        var began: Int64
        var bytes: UInt64 = 0

        var end: Int64 { began + Limits.quotaMilliseconds }
    }

    init(limit: UInt64?) {
        self.limit = limit
    }

    /// Counts what was taken, in whatever way it came.
    ///
    /// - Returns: whether the quota is used up by it.
    mutating func count(_ bytes: Int, _ place: Place, at now: Int64) -> Bool {
        var day = days[place].flatMap { now < $0.end ? $0 : nil } ?? Day(began: now)
        day.bytes += UInt64(bytes)
        days[place] = day
        let wasFull = fullUntil(place, at: now) != nil
        full[place] = isFull(day) ? day.end : nil
        check(at: now)
        return !wasFull && full[place] != nil
    }

    /// When more is taken, in monotonic milliseconds; `nil`: now.
    func fullUntil(_ place: Place, at now: Int64) -> Int64? { full[place].flatMap { now < $0 ? $0 : nil } }

    /// The authors from whom a conversation takes no more now.
    func full(in conversation: ConversationID, at now: Int64) -> Set<PeerID> {
        Set(full.filter { $0.key.conversation == conversation && now < $0.value }.keys.map(\.author))
    }

    /// When an author can write everywhere again, in monotonic milliseconds; `nil`: now.
    func fullUntil(_ author: PeerID, at now: Int64) -> Int64? {
        full.filter { $0.key.author == author && now < $0.value }.values.max()
    }

    /// When the first of the days ends whose quota is used up.
    var nextEnd: Int64? { full.values.min() }

    /// Drops the days that are over.
    ///
    /// - Returns: those whose quota was used up, in order.
    mutating func dropOver(at now: Int64) -> [Place] {
        days = days.filter { now < $0.value.end }
        let over = full.filter { now >= $0.value }.keys.sorted()
        for place in over { full[place] = nil }
        return over
    }

    /// Begins the day of an author anew, in all conversations.
    ///
    /// - Returns: where the quota was used up, in order.
    mutating func allow(_ author: PeerID) -> [Place] {
        days = days.filter { $0.key.author != author }
        let freed = full.keys.filter { $0.author == author }.sorted()
        for place in freed { full[place] = nil }
        return freed
    }

    /// - Returns: where there is room now and was none before, and where there is none any more, in order.
    mutating func setLimit(_ limit: UInt64?) -> (freed: [Place], filled: [Place]) {
        self.limit = limit
        let before = full
        full = days.filter { isFull($0.value) }.mapValues(\.end)
        return (
            before.keys.filter { full[$0] == nil }.sorted(), full.keys.filter { before[$0] == nil }.sorted()
        )
    }

    private func check(at now: Int64) {
        invariants {
            for (place, end) in full {
                invariant(days[place]?.end == end, "a quota is used up in a day that is counted")
                invariant(days[place].map(isFull) == true, "a quota is used up by what was taken")
            }
            invariant(days.values.allSatisfy { $0.began <= now }, "no day begins later")
        }
    }

    private func isFull(_ day: Day) -> Bool { limit.map { day.bytes >= $0 } ?? false }
}
