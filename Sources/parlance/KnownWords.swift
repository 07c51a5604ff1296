import ParlanceWords

/// Finds the command that somebody means by a word that is none of ours.
enum KnownWords {
    /// What other programs call our commands.
    static let others = [
        "contacts": "peers", "exit": "service", "get": "fetch", "inbox": "conversations", "list": "conversations",
        "log": "history", "login": "name", "logs": "service", "ls": "conversations", "me": "id", "msg": "send",
        "nick": "name", "quit": "service", "rm": "delete", "start": "service", "stop": "service", "users": "peers",
        "version": "--version", "who": "peers", "whoami": "id",
    ]

    /// - Parameters:
    ///   - path: the names of the commands before the word.
    ///   - names: those that could stand there.
    static func meant(by word: String, in path: [String], among names: [String]) -> String? {
        let word = word.lowercased()
        if path.isEmpty, let known = others[word] { return known }
        // One letter can begin anything.
        let begun = word.count > 1 ? names.filter { $0.hasPrefix(word) } : []
        return begun.count == 1 ? begun[0] : NearestWord.of(word, among: names)
    }
}
