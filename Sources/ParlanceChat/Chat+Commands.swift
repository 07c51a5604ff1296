import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
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
        let (who, target) = (open?.who, composer.draft.target)
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

    /// Does what was typed and empties the line; nil if it cannot be done, and then the text stays.
    private mutating func perform(_ command: SlashCommand, _ argument: String) -> [ChatEffect]? {
        switch command {
        case .help: sheet = Sheet(.help)
        case .quit:
            composer.draft.finish()
            return [.leave]
        case .open:
            composer.draft.finish()
            show(argument)
            return []
        case .search:
            search = SearchPane(argument)
            composer.draft.finish()
            return askSearch()
        case .ask: return openAssistant(argument)
        case .who: tell(whoIsHere)
        case .reply, .react:
            guard let id = composer.draft.target else {
                tell(Phrase("No message from anybody else is here."), .warning)
                return nil
            }
            composer.draft.finish()
            guard command == .reply else { return [react(argument, to: id)] }
            let purpose = ChatPurpose.text(who: open?.who ?? "", argument, .answer(to: id))
            return [.call(ReplyOperation(id: id, text: argument), purpose)]
        case .file: return sendFile(argument)
        case .fetch: return fetchFiles()
        case .retain: return retain(argument)
        case .disappear: return disappear(argument)
        case .clear, .delete: return clear(argument, deletes: command == .delete)
        case .accept, .decline, .pin, .unpin, .mute, .unmute, .hide, .show, .read:
            let (named, period) = command == .mute ? Self.period(behind: argument) : (argument, nil)
            guard let who = named.isEmpty ? open?.who : named else {
                tell(Phrase("No conversation is open. To open one: /open WHO"), .warning)
                return nil
            }
            composer.draft.finish()
            if let period {
                let mute = MuteOperation(who: who, seconds: PeriodText.seconds(of: period))
                return [.call(mute, .told(Phrase("Notifications off for \(period).")))]
            }
            return change(command, who)
        }
        composer.draft.finish()
        return []
    }

    /// The length of time at the end of what was typed, and what stands before it.
    private static func period(behind typed: String) -> (before: String, period: String?) {
        let words = typed.split(separator: " ")
        guard let last = words.last, PeriodText.seconds(of: String(last)) != nil else { return (typed, nil) }
        return (words.dropLast().joined(separator: " "), String(last))
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
            history.changed()
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
        let selected = open?.message(history.selected).flatMap { isPossible($0) ? $0 : nil }
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

    /// What the path may become, which the screen does not know itself.
    mutating func pathsListed(_ typed: String, _ paths: [String]) {
        guard composer.typedPath == typed, let found = composer.complete(typed, among: paths) else { return }
        tell(found, .faint)
    }

    /// Completes the word before the cursor, and says what it may become.
    mutating func complete() -> [ChatEffect] {
        if let path = composer.typedPath { return [.listPaths(typed: path)] }
        if let found = composer.complete(people: list.names, members: names) { tell(found, .faint) }
        return []
    }

    /// Who can be mentioned here.
    private var names: [String] {
        guard let open else { return [] }
        let members = open.group?.members.filter { $0.me != true }.map { NameText.plain($0.displayName) }
        return members.map { $0 + ["all"] } ?? [NameText.plain(open.info?.title ?? "")]
    }
}
