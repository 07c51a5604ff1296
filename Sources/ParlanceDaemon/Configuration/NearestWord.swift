/// Finds the word that somebody may have meant.
enum NearestWord {
    /// The known word that differs least from a typed one, if it differs by a third of its letters or less.
    static func of(_ typed: String, among known: [String]) -> String? {
        let wanted = Array(typed.lowercased())
        // A long text is no typing mistake, and comparing it takes quadratic time.
        guard wanted.count <= 64 else { return nil }
        let best = known.map { (word: $0, distance: distance(wanted, Array($0.lowercased()))) }
            .min { $0.distance < $1.distance }
        return best.flatMap { $0.distance <= max(1, $0.word.count / 3) ? $0.word : nil }
    }

    /// A sentence that names it, with a space before it; empty if no word is near.
    static func question(_ typed: String, among known: [String]) -> String {
        of(typed, among: known).map { " Did you mean \($0)?" } ?? ""
    }

    /// How many letters to insert, remove, replace or exchange with their neighbours (the optimal string alignment).
    static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
