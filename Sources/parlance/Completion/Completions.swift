import ArgumentParser
import ParlanceControl
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What Tab offers in a shell for the arguments of commands. The daemon is asked each time; without one nothing is offered.
enum Completions {
    /// A person.
    static let person = kind { client, _ in
        names(of: try await client.call(PeersOperation()).peers.map { ($0.displayName, $0.id) })
    }

    /// A person or a group.
    static let conversation = kind { client, _ in
        let people = try await client.call(PeersOperation()).peers.filter { $0.trust != .blocked }
        let groups = try await client.call(ConversationsOperation()).conversations.filter { $0.peer == nil }
        return names(of: people.map { ($0.displayName, $0.id) } + groups.map { ($0.title, $0.id) })
    }

    /// A group.
    static let group = kind { client, _ in
        let groups = try await client.call(ConversationsOperation()).conversations.filter { $0.peer == nil }
        return names(of: groups.map { ($0.title, $0.id) })
    }

    /// A message: one of the newest of the conversation in which something was written last.
    static let message = kind { client, _ in try await newest(client) { _ in true } }

    /// A message of the conversation that the command names.
    static let messageOfConversation = kind { client, words in
        // It takes no `last`.
        let who = conversation(in: words, of: HistoryCommand.self)
        return try await newest(client, in: who) { _ in true }.filter { $0 != "last" }
    }

    /// The same of this user's own messages.
    static let ownMessage = kind { client, _ in try await newest(client, \.mine) }

    /// An action that is not done.
    static let action = kind { client, _ in
        try await client.call(ActionsOperation()).actions.filter { !$0.done }.map { String($0.id.prefix(idCharacters)) }
    }

    /// A message that waits.
    static let waiting = kind { client, _ in
        ["last"] + (try await client.call(OutboxOperation()).items.map { String($0.id.prefix(idCharacters)) })
    }

    /// A file.
    static let file = kind { client, _ in
        let files = try await client.call(FilesOperation(limit: FilesOperation.defaultLimit)).files
        return ["last"] + files.map(\.file.shortReference)
    }

    /// A policy of the workspace that this version knows.
    static let policy = CompletionKind.list(KnownPolicy.allCases.map(\.rawValue))

    /// A word that the policy takes whose name stands before it.
    static let policyValue = CompletionKind.custom { words, _, _ in policyValues(words) }

    /// - Parameter words: those of the line, as far as they are typed.
    static func policyValues(_ words: [String]) -> [String] {
        let name = words.drop { $0 != "policy" }.dropFirst().first { !$0.hasPrefix("-") }
        return KnownPolicy(rawValue: name ?? "")?.words ?? []
    }

    /// A setting.
    static let setting = kind { client, _ in try await client.call(ConfigListOperation()).settings.map(\.key) }

    /// Messages that are offered.
    private static let messages = 20
    /// Characters of an ID that are offered.
    private static let idCharacters = 12
    /// Seconds after which a daemon that does not answer holds the shell up no longer.
    private static let patience: UInt32 = 1

    /// - Parameter who: whose messages, as the user names the conversation; nil for the one in which something was written
    ///   last.
    private static func newest(
        _ client: ControlClient,
        in who: String? = nil,
        _ isOffered: (MessageInfo) -> Bool
    ) async throws -> [String] {
        var who = who
        if who == nil {
            who = try await client.call(ConversationsOperation()).conversations.first.map { $0.peer ?? $0.id }
        }
        guard let who else { return [] }
        let page = try await client.call(HistoryOperation(who: who, limit: messages))
        let found = page.messages.filter { $0.note == nil && $0.deleted == nil && isOffered($0) }
        return ["last"] + found.reversed().map { String($0.id.prefix(idCharacters)) }
    }

    private static func kind(
        _ find: @escaping @Sendable (ControlClient, _ words: [String]) async throws -> [String]
    ) -> CompletionKind {
        .custom { words, _, _ async -> [String] in
            let words = plain(words)
            signal(SIGALRM) { _ in _exit(0) }
            alarm(patience)
            defer { alarm(0) }
            guard let client = await connect(words), let found = try? await find(client, words) else { return [] }
            await client.close()
            return found.map { quoted($0, for: CompletionShell.requesting?.rawValue) }
        }
    }

    /// The words of a line as the command would get them: a shell passes them as they stand there, in quotes, and bash
    /// passes the equals sign of `--option=value` as a word.
    static func plain(_ words: [String]) -> [String] {
        var plain: [String] = []
        for (place, word) in words.enumerated() {
            let isSign = word == "=" && plain.last?.hasPrefix("--") == true
            let isValue = place > 1 && words[place - 1] == "=" && words[place - 2].hasPrefix("--")
            if isSign || isValue, let option = plain.popLast() {
                plain.append(option + ShellWord.read(word))
            } else {
                plain.append(ShellWord.read(word))
            }
        }
        return plain
    }

    /// The first argument of a command that is no option, nor the value of one; nil if there is none yet.
    static func conversation(in words: [String], of command: any ParsableCommand.Type) -> String? {
        var rest = words.drop { $0 != command.configuration.commandName }.dropFirst()
        while let word = rest.popFirst() {
            guard word.hasPrefix("-"), word != "-" else { return word.isEmpty ? nil : word }
            if word == "--" { return rest.first }
            if case .valued = OptionKind(word, of: command) { rest = rest.dropFirst() }
        }
        return nil
    }

    /// A connection to the daemon that the typed options mean.
    private static func connect(_ words: [String]) async -> ControlClient? {
        func value(_ option: String) -> String? {
            if let place = words.firstIndex(of: option), words.indices.contains(place + 1) { return words[place + 1] }
            let start = option + "="
            return words.first { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
        }
        let paths = try? ControlPaths(
            profile: value("--profile"),
            dataDirectory: value("--data-dir"),
            socket: value("--socket"),
            environment: Terminal.environment
        )
        guard let paths else { return nil }
        return try? await ControlClient.connect(to: paths.socketToUse())
    }

    /// The names as they are typed; the ID instead of those that several have, or that a shell must not see.
    ///
    /// - Parameter shell: the one that asks.
    static func names(
        of all: [(name: String, id: String)],
        for shell: String? = CompletionShell.requesting?.rawValue
    ) -> [String] {
        let shown = all.map { (NameText.plain($0.name), $0.id) }
        let alike = Dictionary(grouping: shown) { $0.0.lowercased() }
        return shown.map { name, id in
            let isOffered = alike[name.lowercased()]?.count == 1 && (shell != "bash" || isHarmlessInBash(name))
            return isOffered ? name : String(id.prefix(idCharacters))
        }
    }

    /// Whether bash takes a candidate as it is. The script has it treat candidates as names of files, and bash expands
    /// what looks like a variable in those to see whether they are there: `${x[a[$(command)]]}` runs the command as soon as
    /// Tab is pressed. Others choose their names.
    private static func isHarmlessInBash(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy {
            !$0.isASCII || $0.properties.isAlphabetic || "0123456789 .,-_'@+:()&".unicodeScalars.contains($0)
        }
    }

    /// A candidate as the script of a shell takes it. Others choose their names, so nothing in them may be a command.
    ///
    /// - bash expands each line (`compgen -W`): it stands between single quotation marks, in which nothing is special.
    /// - zsh takes what follows a colon for a description (`_describe`).
    /// - fish takes the line as it is.
    static func quoted(_ candidate: String, for shell: String?) -> String {
        switch shell {
        case "bash":
            "'" + candidate.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
        case "zsh":
            candidate.reduce(into: "") { text, character in
                text += (character == ":" || character == "\\" ? "\\" : "") + String(character)
            }
        default: candidate
        }
    }
}
