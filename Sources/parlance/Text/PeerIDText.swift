/// Formats peer IDs for people.
enum PeerIDText {
    /// In groups of 8 characters.
    static func grouped(_ id: String) -> String {
        var groups: [Substring] = []
        var rest = id[...]
        while !rest.isEmpty {
            groups.append(rest.prefix(8))
            rest = rest.dropFirst(8)
        }
        return groups.joined(separator: " ")
    }

    /// The first 8 characters, which are enough to name a peer among few.
    static func short(_ id: String) -> String {
        String(id.prefix(8))
    }

    /// How many characters of an ID stand in a command that is suggested: commands take 8 or more, and with these nobody is
    /// meant by chance.
    static let typedCharacters = 12

    /// An ID as a command needs it that does again what was typed: its beginning, unless only the whole ID names somebody
    /// whom this node has never met.
    static func typed(_ id: String, from words: [String]) -> String {
        let isWhole = words.contains { $0.lowercased().filter { $0 != " " && $0 != "-" } == id }
        return isWhole ? id : String(id.prefix(typedCharacters))
    }
}
