/// Lists of people in a sentence.
package enum PeopleText {
    /// Names shown at most; a longer list ends with the number of the others.
    private static let shown = 5

    /// `Ada, Bob and you`.
    ///
    /// - Parameter count: how many people there are in total, if `names` has only the first of them.
    package static func list(_ names: [String], count: Int? = nil) -> String {
        let all = max(count ?? 0, names.count)
        var parts = Array(names.prefix(shown))
        if all > parts.count { parts.append("\(all - parts.count) more") }
        guard let last = parts.last, parts.count > 1 else { return parts.last ?? "nobody" }
        return parts.dropLast().joined(separator: ", ") + " and " + last
    }
}
