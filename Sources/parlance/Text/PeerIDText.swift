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
}
