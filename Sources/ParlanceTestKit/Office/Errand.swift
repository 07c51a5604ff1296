import ParlanceCore

/// Somebody carries something out, or in: one command after the other, as `parlance carry` gives them.
struct Errand {
    enum Kind { case out, take }

    let kind: Kind
    let node: Int
    /// The life of the node's process: the errand ends with it.
    let life: Int
    let stick: Int
    /// For whom, or from whom; what is left of this round.
    let people: [Int]
    var left: [Int]
    var slot = 0
    /// How the next slot begins, when carrying out.
    var start = ParcelRequest.Start.first
    /// The stick is pulled out after so many more writes.
    var writesLeft: Int
    /// How many rounds were made, when carrying in, and whether this one brought anything.
    var rounds = 0
    var isNew = false

    init(_ kind: Kind, _ node: Int, life: Int, stick: Int, people: [Int], writesLeft: Int = .max) {
        (self.kind, self.node, self.life, self.stick) = (kind, node, life, stick)
        (self.people, left, self.writesLeft) = (people, people, writesLeft)
    }

    mutating func goOn() {
        slot += 1
    }

    /// The next person.
    mutating func next() {
        left.removeFirst()
        (slot, start) = (0, .first)
    }

    /// Everybody once more, as long as something was new.
    ///
    /// - Returns: whether there is another round.
    mutating func again() -> Bool {
        rounds += 1
        guard kind == .take, isNew, rounds < Self.mostRounds else { return false }
        (left, isNew) = (people, false)
        return true
    }

    /// As in `CarryInCommand`.
    private static let mostRounds = 8
}
