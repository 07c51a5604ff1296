extension CommandOptions {
    /// The options of every command that say which daemon is meant.
    private static let valued = ["--profile", "--data-dir", "--socket"]

    /// The options that say which daemon is meant, of the words of a command line.
    package static func given(in words: some Sequence<String>) -> String {
        var found: [String: String] = [:]
        var isOfAnyUser = false
        var rest = Array(words.prefix { $0 != "--" })[...]
        while let word = rest.popFirst() {
            if word == "--any-user" { isOfAnyUser = true }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = parts.first, valued.contains(name) else { continue }
            found[name] = parts.count > 1 ? parts[1] : rest.popFirst()
        }
        let options = valued.compactMap { name in found[name].map { ShellWord.option(name, $0) } }
        return (options + (isOfAnyUser ? ["--any-user"] : [])).map { " " + $0 }.joined()
    }
}
