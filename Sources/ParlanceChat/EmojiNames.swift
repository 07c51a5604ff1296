/// Names of emoji, which can be typed instead of them.
package enum EmojiNames {
    /// Those that people use most, under the names that they try first.
    static let common: [(name: String, emoji: String)] = [
        ("+1", "👍"), ("-1", "👎"), ("clap", "👏"), ("coffee", "☕"), ("cry", "😢"), ("done", "✅"), ("eyes", "👀"),
        ("fire", "🔥"), ("grin", "😀"), ("heart", "❤️"), ("joy", "😂"), ("laugh", "😄"), ("ok", "👌"), ("party", "🎉"),
        ("pray", "🙏"), ("question", "❓"), ("rocket", "🚀"), ("sad", "🙁"), ("smile", "🙂"), ("sob", "😭"),
        ("star", "⭐"), ("sun", "☀️"), ("think", "🤔"), ("thumbsup", "👍"), ("wave", "👋"), ("wink", "😉"), ("wow", "😮"),
    ]

    /// All names, in order, with those of `common` in place of others.
    private static let all: [(name: String, emoji: String)] = {
        var emoji: [String: String] = [:]
        for line in EmojiTable.lines.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
            if parts.count == 2 { emoji[parts[0]] = parts[1] }
        }
        for (name, sign) in common { emoji[name] = sign }
        return emoji.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }()

    /// The emoji of `heart`, `:heart` or `:heart:`.
    package static func emoji(_ typed: String) -> String? {
        let name = typed.trimmingPrefix(":").lowercased()
        return all.first { $0.name == name || $0.name + ":" == name }?.emoji
    }

    /// Characters after which the one name among `common` that begins so is meant.
    private static let telling = 3

    /// The names that begin so, in order; of nothing those that people use most.
    static func names(from typed: String) -> [(name: String, emoji: String)] {
        let beginning = typed.lowercased()
        guard !beginning.isEmpty else { return common }
        let usual = common.filter { $0.name.hasPrefix(beginning) }
        if usual.count == 1, beginning.count >= telling { return usual }
        return all.filter { $0.name.hasPrefix(beginning) }
    }
}
