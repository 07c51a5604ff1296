import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance files [WHO]` and `parlance files pause|resume|cancel|retry ID`
struct FilesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "files",
        abstract: "Show the files of messages, and steer how they are fetched.",
        discussion: """
            Without WHO the files of all conversations are shown, newest first. To send a file: parlance send WHO --file \
            PATH. To fetch one: parlance fetch ID.

            Examples: parlance files
                      parlance files Bob
                      parlance files pause 3f9a11c2
            """,
        subcommands: [
            FilesListCommand.self, FilesPauseCommand.self, FilesResumeCommand.self, FilesCancelCommand.self,
            FilesRetryCommand.self,
        ],
        defaultSubcommand: FilesListCommand.self
    )
}

/// `parlance files [WHO]`
struct FilesListCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show the files of messages, newest first (also without 'list')."
    )

    @Argument(
        help: "A name, an alias, a group's title, or an ID; nobody: all conversations.",
        completion: Completions.conversation
    )
    var who: String?

    @Option(help: "How many files at most, 1 to \(FilesOperation.maximumLimit).")
    var limit = FilesOperation.defaultLimit

    @OptionGroup var options: Options

    func validate() throws {
        guard (1...FilesOperation.maximumLimit).contains(limit) else {
            throw ValidationError(say("--limit must be 1 to \(FilesOperation.maximumLimit)."))
        }
    }

    func run(_ session: Session) async throws {
        try await session.show(FilesOperation(who: who, limit: limit)) { reply in
            guard !reply.files.isEmpty else {
                return [say("No files yet. To send one: parlance send WHO --file PATH")]
            }
            var table = TextTable(["ID", "NAME", "SIZE", "FROM", "IN", "WHEN", "STATE"], wrapsLast: true)
            for entry in reply.files { table.add(row(entry, session)) }
            return session.lines(table)
        }
    }

    private func row(_ entry: FileEntry, _ session: Session) -> [TextTable.Cell] {
        let file = entry.file
        let isMine = entry.sender.me == true
        return [
            TextTable.Cell(file.shortReference, .faint),
            TextTable.Cell(
                file.folder == true ? say("\(NameText.plain(file.name)) (folder)") : NameText.plain(file.name),
                .name
            ),
            TextTable.Cell(FileText.size(file.size)),
            TextTable.Cell(isMine ? say("You") : entry.sender.shownName),
            TextTable.Cell(NameText.plain(entry.title), .faint),
            TextTable.Cell(session.clock.short(entry.time), .faint),
            TextTable.Cell(isMine && file.state == .here ? say("sent by you") : state(entry), role(file.state)),
        ]
    }

    private func state(_ entry: FileEntry) -> String {
        if entry.file.state == .failed { return FileText.state(entry.file) }
        let waiting = FileText.whom(entry.file).map { say("waiting for \($0)") } ?? say("waiting", hint: "a file")
        let words = entry.file.waits == true ? waiting : say(entry.file.state.words)
        guard entry.file.state != .here, let bytes = entry.file.bytes, bytes > 0 else { return words }
        let progress = "\(words), \(FileText.percent(bytes, of: entry.file.size)) %"
        return entry.rate.map { "\(progress), \(FileText.size($0))/s" } ?? progress
    }

    private func role(_ state: FileState) -> TextStyle.Role {
        switch state {
        case .here: .good
        case .failed: .bad
        case .fetching, .paused: .warning
        case .offered, .cancelled: .faint
        }
    }
}
