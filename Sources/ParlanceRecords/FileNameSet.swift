/// The names in one folder, none of which another file system takes for another one.
package struct FileNameSet: Sendable {
    private var taken: Set<String> = []
    /// For each name that was numbered, with its stem cut as for a number, the next number to try: without it, many files of
    /// one name would take the square of their number.
    private var next: [String: Int] = [:]

    package init() {}

    package func contains(_ name: SafeFileName) -> Bool { taken.contains(name.folded) }

    /// Adds a name, with a number if it is taken: "name (2).ext".
    ///
    /// - Returns: the name that was added.
    @discardableResult
    package mutating func insert(_ name: SafeFileName) -> SafeFileName {
        if taken.insert(name.folded).inserted { return name }
        let first = name.numbered(2)
        let key = first.folded
        var number = next[key] ?? 2
        var candidate = number == 2 ? first : name.numbered(number)
        while !taken.insert(candidate.folded).inserted {
            number += 1
            candidate = name.numbered(number)
        }
        next[key] = number + 1
        return candidate
    }
}
