/// The options that say which daemon is meant, as the running command got them: the commands that its texts name need them
/// too, or they would reach another daemon.
///
/// They stand behind the word `parlance` where a phrase itself names a command. A value of a phrase stays as it is: somebody
/// may have written it, or it is a command for another computer.
package enum CommandOptions {
    /// With a space before each, such as ` --profile work`. A program sets it once, at its start.
    @TaskLocal package static var current = ""

    /// The names of the commands: any other word behind `parlance` is a word of the sentence.
    package static let commands: Set<String> = [
        "accept", "actions", "alias", "allow", "ask", "assistant", "backup", "block", "carry", "chat", "config",
        "conversation", "conversations", "courier", "deadlines", "decisions", "decline", "delete", "disappear", "disk",
        "doctor", "edit", "export", "fetch", "files", "forget", "group", "history", "id", "info", "mute", "name",
        "open",
        "outbox", "passphrase", "peers", "picture", "pin", "presence", "priority", "react", "read", "reply", "requests",
        "restore", "retain", "search", "seen", "send", "service", "stats", "status", "summary", "talk", "typing",
        "unblock", "unmute", "unpin", "verify", "wait", "watch", "workspace",
    ]

    private static let program = "parlance "
    /// What restarts the service of the node without a profile; that of another one has the profile in its name.
    private static let restart = "systemctl --user restart parlanced"

    /// Words of ours with the options in each command that they name.
    static func added(to words: Substring) -> String {
        let options = current
        guard !options.isEmpty else { return String(words) }
        var (result, rest) = ("", words)
        while let place = rest.firstRange(of: program) {
            let isBegun = rest[..<place.lowerBound].last.map { $0.isLetter || $0.isNumber || "-_/.".contains($0) }
            result += rest[..<place.upperBound].dropLast()
            rest = rest[place.upperBound...]
            result += (isBegun != true && namesCommand(rest) ? options : "") + " "
        }
        return withUnit(result + rest)
    }

    private static func withUnit(_ text: String) -> String {
        let option = " --profile "
        guard current.hasPrefix(option), let place = text.firstRange(of: restart) else { return text }
        let profile = current.dropFirst(option.count).prefix { $0 != " " }
        return "\(text[..<place.upperBound])-\(profile)\(text[place.upperBound...])"
    }

    /// The command with the options after the program's name. The arguments may quote other people, so they stay unchanged.
    package static func added(toCommand command: String) -> String {
        guard command.hasPrefix(program), namesCommand(command.dropFirst(program.count)) else { return command }
        return "\(program.dropLast())\(current) \(command.dropFirst(program.count))"
    }

    private static func namesCommand(_ words: Substring) -> Bool {
        commands.contains(String(words.prefix { $0.isLetter || $0 == "-" }))
    }
}
