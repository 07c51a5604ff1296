/// Finds the word that somebody may have meant by a misspelt one.
package enum NearestWord {
    /// The nearest of some words, compared without regard to case; `nil` if none is near or several are equally near.
    ///
    /// A word of up to 3 characters may differ in 1 edit, a longer one in 2. An edit inserts, removes or replaces a
    /// character, or swaps two neighbours.
    ///
    /// - Parameter most: the most edits, if they are fewer.
    package static func of(_ typed: String, among words: [String], within most: Int = 2) -> String? {
        let wanted = Array(typed.lowercased())
        let farthest = min(most, wanted.count <= 3 ? 1 : 2)
        guard (1...longest).contains(wanted.count) else { return nil }
        var best: (words: [String], distance: Int) = ([], farthest)
        for word in words {
            let other = Array(word.lowercased())
            guard abs(other.count - wanted.count) <= best.distance, other.count > farthest else { continue }
            let distance = distance(wanted, other)
            if distance < best.distance || best.words.isEmpty && distance == best.distance {
                best = ([word], distance)
            } else if distance == best.distance {
                best.words.append(word)
            }
        }
        return best.words.count == 1 ? best.words[0] : nil
    }

    /// The nearest of some names; if none is near, the only one that begins with what was typed: people give others the
    /// first of several names. `nil` if there is none, or several.
    package static func ofNames(_ typed: String, among names: [String]) -> String? {
        of(typed, among: names) ?? begun(by: typed, among: names)
    }

    /// The only word that begins with what was typed, compared without regard to case; `nil` if there is none, or several.
    package static func begun(by typed: String, among words: [String]) -> String? {
        let begun = words.filter { !typed.isEmpty && $0.lowercased().hasPrefix(typed.lowercased()) }
        return begun.count == 1 ? begun[0] : nil
    }

    /// A question that names it; `nil` if there is none.
    package static func question(_ typed: String, among words: [String]) -> Phrase? {
        of(typed, among: words).map { Phrase("Did you mean \($0)?") }
    }

    /// The longest word for which a neighbour is looked for, in characters: the work grows with its square.
    private static let longest = 64

    /// The number of edits between two words (optimal string alignment).
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for (row, character) in first.enumerated() {
            var next = [row + 1]
            for (column, other) in second.enumerated() {
                let replaced = last[column] + (character == other ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, next[column] + 1)
                if row > 0, column > 0, character == second[column - 1], first[row - 1] == other {
                    least = min(least, beforeLast[column - 1] + 1)
                }
                next.append(least)
            }
            (beforeLast, last) = (last, next)
        }
        return last.last ?? 0
    }
}
