/// Names of some emoji, which can be typed instead of them.
enum EmojiNames {
    static let all: [(name: String, emoji: String)] = [
        ("+1", "👍"), ("-1", "👎"), ("clap", "👏"), ("coffee", "☕"), ("cry", "😢"), ("done", "✅"), ("eyes", "👀"),
        ("fire", "🔥"), ("grin", "😀"), ("heart", "❤️"), ("joy", "😂"), ("laugh", "😄"), ("ok", "👌"), ("party", "🎉"),
        ("pray", "🙏"), ("question", "❓"), ("rocket", "🚀"), ("sad", "🙁"), ("smile", "🙂"), ("sob", "😭"),
        ("star", "⭐"), ("sun", "☀️"), ("think", "🤔"), ("thumbsup", "👍"), ("wave", "👋"), ("wink", "😉"), ("wow", "😮"),
    ]

    /// The emoji of `heart` or `:heart:`.
    static func emoji(_ typed: String) -> String? {
        let name = typed.trimmingPrefix(":").lowercased()
        return all.first { $0.name == name || $0.name + ":" == name }?.emoji
    }
}
