import ParlanceControl

/// The lists that are read again: which requests are under way, and which have to follow because something has happened
/// since. In a flood of events they follow each other with a pause.
struct Refreshes: Equatable, Sendable {
    private var underWay: Set<ListKind> = []
    private var again: Set<ListKind> = []
    private var last: [ListKind: ControlTime] = [:]

    /// Milliseconds between two requests for the same list: as often as a person can read it.
    private static let pause: Int64 = 250

    /// Milliseconds after which a list is read again of which no event tells all.
    private static let lookAgain: Int64 = 30_000

    /// When the list is to be read again; nil while it is being read.
    func next(_ kind: ListKind) -> ControlTime? {
        underWay.contains(kind) ? nil : last[kind].map { $0 + Self.lookAgain }
    }

    /// Something has changed: whether the list is to be asked for now.
    mutating func changed(_ kind: ListKind, at now: ControlTime) -> Bool {
        if !underWay.contains(kind), last[kind].map({ now >= $0 + Self.pause }) ?? true { return begin(kind, now) }
        again.insert(kind)
        return false
    }

    private mutating func begin(_ kind: ListKind, _ now: ControlTime) -> Bool {
        again.remove(kind)
        underWay.insert(kind)
        last[kind] = now
        return true
    }

    /// The list has come, or was refused.
    mutating func ended(_ kind: ListKind) {
        underWay.remove(kind)
    }

    /// The lists whose pause is over.
    mutating func due(at now: ControlTime) -> [ListKind] {
        let due = ListKind.allCases.filter { waits($0) && now >= (last[$0] ?? now) + Self.pause }
        for kind in due { _ = begin(kind, now) }
        return due
    }

    private func waits(_ kind: ListKind) -> Bool { again.contains(kind) && !underWay.contains(kind) }

    var deadline: ControlTime? {
        ListKind.allCases.filter(waits).compactMap { last[$0].map { $0 + Self.pause } }.min()
    }
}
