// Words that the program uses itself (contacts.md, "Names").
extension String {
    /// What it calls the user, in all languages, and what is typed in the place of a name or an ID.
    private static let reservedWords = ["you", "du", "dich", "me", "all", "last", "-"]

    /// What is typed before a name: in the place of an ID, or to mention somebody.
    private static let reservedBeginnings = ["last:", "@"]

    private static let reservedLooks = looks(of: reservedWords)
    private static let looksOfBeginnings = looks(of: reservedBeginnings)

    private static func looks(of words: [String]) -> Set<String> { words.reduce(into: []) { $0.formUnion($1.looks) } }

    /// Whether it looks like a word that the program uses itself. Nobody takes such a name, and whoever announces one is
    /// never shown by it alone: what that person writes would look like the user's own words, and a command would mean
    /// something else.
    package var isReservedName: Bool {
        looks.contains { look in
            Self.reservedLooks.contains(look) || Self.looksOfBeginnings.contains { look.hasPrefix($0) }
        }
    }
}
