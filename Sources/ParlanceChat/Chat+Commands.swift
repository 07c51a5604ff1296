import ParlanceControl
import ParlanceLetters
import ParlanceTerminal
import ParlanceWords

// What is typed after a slash, and what Tab completes.
extension Chat {
    mutating func run(_ text: String) -> [ChatEffect] {
        let parts = text.dropFirst().split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts.first ?? "")
        let argument = parts.count > 1 ? String(parts[1]).trimmingSpaces() : ""
        guard let command = SlashCommand(rawValue: name.lowercased()) else {
            let near = NearestWord.question("/" + name, among: SlashCommand.allCases.map { "/" + $0.rawValue })
            let unknown = Phrase("There is no command \("/" + name). To send it as a text, begin it with //.")
            tell(near.map { Phrase("\(unknown) \($0)") } ?? unknown, .warning)
            return []
        }
        if let wanted = command.argument, argument.isEmpty, !command.isComplete {
            tell(Phrase("Usage: \("/" + command.rawValue) \(wanted)"), .warning)
            return []
        }
        if command.isAlone, !argument.isEmpty {
            tell(Phrase("\("/" + command.rawValue) takes no argument. The text stays here."), .warning)
            return []
        }
        if !isConnected, command.needsDaemon {
            tell(Phrase("The daemon does not answer. The text stays here."), .warning)
            return []
        }
        keepTarget()
        let (who, target) = (open?.who, draft.target)
        guard let effects = perform(command, argument) else { return [] }
        return effects.map { effect in
            switch effect {
            case .call(let operation, let purpose) where purpose.isOfALine:
                .call(operation, .command(who: who, line: text, about: target, purpose))
            case .sendFile(let path, let who, let purpose):
                .sendFile(path: path, who: who, .command(who: who, line: text, about: target, purpose))
            default: effect
            }
        }
    }

    /// A line that was refused comes back to its conversation. One that was written while none was open names whom it
    /// is about, so it comes back wherever the user is.
    mutating func comeBack(_ line: String, about target: String?, to who: String?) {
        if let who = who.map({ typedNames[$0] ?? $0 }), who != open?.who {
            drafts[who, default: Draft()].comeBack(refused: line, about: target)
        } else {
            draft.comeBack(refused: line, about: target)
        }
    }

    /// Does what was typed and empties the line; nil if it cannot be done, and then the text stays.
    private mutating func perform(_ command: SlashCommand, _ argument: String) -> [ChatEffect]? {
        switch command {
        case .help: sheet = Sheet(.help)
        case .quit:
            draft.finish()
            return [.leave]
        case .open:
            draft.finish()
            show(argument)
            return []
        case .search:
            search = SearchPane(argument)
            draft.finish()
            return askSearch()
        case .ask: return openAssistant(argument)
        case .who: tell(whoIsHere)
        case .reply, .react:
            guard let id = draft.target else {
                tell(Phrase("No message from anybody else is here."), .warning)
                return nil
            }
            draft.finish()
            guard command == .reply else { return [react(argument, to: id)] }
            let purpose = ChatPurpose.text(who: open?.who ?? "", argument, .answer(to: id))
            return [.call(ReplyOperation(id: id, text: argument), purpose)]
        case .file: return sendFile(argument)
        case .fetch: return fetchFiles()
        case .retain: return retain(argument)
        case .disappear: return disappear(argument)
        case .clear, .delete: return clear(argument, deletes: command == .delete)
        case .accept, .decline, .pin, .unpin, .mute, .unmute, .hide, .show, .read:
            guard let who = argument.isEmpty ? open?.who : argument else {
                tell(Phrase("No conversation is open. The text stays here."), .warning)
                return nil
            }
            draft.finish()
            return change(command, who)
        }
        draft.finish()
        return []
    }

    private mutating func change(_ command: SlashCommand, _ who: String) -> [ChatEffect] {
        switch command {
        case .accept: return [.call(AcceptOperation(who: who), .accepted)]
        case .decline: return [.call(DeclineOperation(who: who), .told(Phrase("Their request is declined.")))]
        case .pin: return [.call(PinOperation(who: who), .told(Phrase("Pinned: it stays at the top.")))]
        case .unpin: return [.call(UnpinOperation(who: who), .told(Phrase("Not pinned any more.")))]
        case .mute: return [.call(MuteOperation(who: who), .told(Phrase("Notifications off.")))]
        case .unmute: return [.call(UnmuteOperation(who: who), .told(Phrase("Notifications on.")))]
        case .hide:
            return [.call(ConversationHideOperation(who: who), .told(Phrase("Hidden until something new is written.")))]
        case .show: return [.call(ConversationShowOperation(who: who), .told(Phrase("It is in the list again.")))]
        case .read:
            let last = open?.readAll()
            guard last != nil || open?.isBehind == true else { return [] }
            open?.firstNew = nil
            rowsAreOld = true
            return [.call(ReadOperation(who: who, through: last), .change)]
        case .help, .open, .search, .ask, .who, .file, .fetch, .reply, .react, .clear, .delete, .retain, .disappear,
            .quit:
            return []
        }
    }

    /// The message that `/reply` and `/react` are about: the selected one, or the newest of somebody else.
    var messageOfOthers: String? {
        let isPossible = { (message: MessageInfo) in
            message.note == nil && message.deleted == nil && message.waits != true
        }
        let selected = open?.message(selected).flatMap { isPossible($0) ? $0 : nil }
        return (selected ?? open?.messages.last { !$0.mine && isPossible($0) })?.id
    }

    /// The members of the group with their presence, or the person.
    private var whoIsHere: Phrase {
        if let members = open?.group?.members {
            let others = members.filter { $0.me != true }
            let words = others.map { Phrase("\($0.person.shownName): \($0.presence.words)") }
            return words.isEmpty ? Phrase("Nobody else is in this group.") : Phrase.joined(words, by: ", ")
        }
        let here = list.people.filter { $0.presence != nil && $0.presence != .offline }
        let words = here.map { Phrase("\($0.shownName): \(($0.presence ?? .offline).words)") }
        return words.isEmpty ? Phrase("Nobody else is here.") : Phrase.joined(words, by: ", ")
    }

    // MARK: - Completion

    /// The path that is being typed behind `/file`.
    private var typedPath: String? {
        let start = "/\(SlashCommand.file.rawValue) "
        let before = draft.editor.beforeCursor
        return draft.aim == .message && before.hasPrefix(start) ? String(before.dropFirst(start.count)) : nil
    }

    /// What the path may become, which the screen does not know itself.
    mutating func completePath(_ typed: String, among paths: [String]) {
        if typedPath == typed { complete(typed, among: paths) }
    }

    /// Completes the word before the cursor: a command, `@NAME`, `:emoji`, a path, or whom a command is about.
    mutating func complete() -> [ChatEffect] {
        if let typedPath { return [.listPaths(typed: typedPath)] }
        completeWord()
        return []
    }

    private mutating func completeWord() {
        let before = draft.editor.beforeCursor
        if draft.aim == .message, before.hasPrefix("/") {
            let parts = before.dropFirst().split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count < 2 {
                return complete(before, among: SlashCommand.allCases.map { "/\($0.rawValue) " })
            }
            let command = SlashCommand(rawValue: String(parts[0]))
            if [.open, .accept, .decline].contains(command) { return complete(String(parts[1]), among: list.names) }
            if command == .disappear { return complete(String(parts[1]), among: ["12h", "7d", "30d", "off"]) }
            if command == .retain { return complete(String(parts[1]), among: retainLengths(before: String(parts[1]))) }
        }
        let word = String(before.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "\n" }.last ?? "")
        if word.hasPrefix("@") {
            complete(word, among: names.map { "@\($0) " })
        } else if case .reaction = draft.aim, !word.isEmpty {
            completeEmoji(word, typed: word)
        } else if word.hasPrefix(":") {
            completeEmoji(word, typed: String(word.dropFirst()))
        }
    }

    /// Who can be mentioned here.
    private var names: [String] {
        guard let open else { return [] }
        let members = open.group?.members.filter { $0.me != true }.map { NameText.plain($0.displayName) }
        return members.map { $0 + ["all"] } ?? [NameText.plain(open.info?.title ?? "")]
    }

    /// Names of emoji that are listed at once: more than fit on two lines.
    private static let emojiListed = 30

    private mutating func completeEmoji(_ word: String, typed: String) {
        let found = EmojiNames.names(from: typed)
        let whole = found.first { $0.name == typed.lowercased() }
        if Set(found.map(\.emoji)).count == 1, let only = whole ?? found.first {
            draft.editor.replaceBeforeCursor(word.count, with: only.emoji)
        } else if !found.isEmpty {
            let names = found.map(\.name)
            let common = names.dropFirst().reduce(names[0]) { $0.commonBeginning(with: $1) }
            if !typed.isEmpty, common.count > typed.count {
                draft.editor.replaceBeforeCursor(typed.count, with: common)
            }
            var listed = found.prefix(Self.emojiListed).map { "\($0.emoji) \($0.name)" }
            if found.count > listed.count { listed.append("…") }
            tell(Phrase(verbatim: listed.joined(separator: "  ")), .faint)
        }
    }

    /// Completes a word, typed with or without accents, as far as all candidates agree, and lists them if there are several.
    private mutating func complete(_ word: String, among candidates: [String]) {
        let found = candidates.filter { $0.folded.hasPrefix(word.folded) }
        guard var common = found.first else { return }
        for other in found.dropFirst() { common = common.commonBeginning(with: other) }
        if common.count > word.count || found.count == 1 { draft.editor.replaceBeforeCursor(word.count, with: common) }
        if found.count > 1 { tell(Phrase(verbatim: found.map { $0.trimmingSpaces() }.joined(separator: "  ")), .faint) }
    }
}

extension String {
    fileprivate func trimmingSpaces() -> String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// What two texts begin with, in upper or lower case and with or without accents.
    fileprivate func commonBeginning(with other: String) -> String {
        String(zip(self, other).prefix { String($0).folded == String($1).folded }.map(\.0))
    }
}
