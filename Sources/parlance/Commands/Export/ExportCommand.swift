import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance export [WHO...]`
struct ExportCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write whole conversations as text, as a web page, or as JSON.",
        discussion: """
            Without WHO it writes all conversations. Edited messages have their present text, and deleted ones say who \
            deleted them, as in 'parlance history'. Nothing is marked as read.

            text is for reading and printing. html is one file for a browser, which loads nothing and runs nothing. json \
            is for programs: one value per line, {"type":..., "data":...}; protocol/control.md describes them under \
            "Exports".

            With --output the file appears when it is complete, only you can read it (where files have permissions), and an existing file stays unless \
            you add --force. An export is not encrypted. To keep a copy from which your node can be restored: parlance \
            backup

            Examples: parlance export Bob > bob.txt
                      parlance export "Night watch" --format html --output watch.html
                      parlance export --format json --output all.jsonl
            """
    )

    @Argument(
        help: "Names, aliases, titles of groups, or IDs; nobody: all conversations.",
        completion: Completions.conversation
    )
    var who: [String] = []

    @Option(help: "text, html or json (default: text, or json with --json).")
    var format: ExportFormat?

    @Option(help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"))
    var output: UserPath?

    @Flag(help: "With --output: replace the file if it exists.")
    var force = false

    @Flag(help: "Show messages of people you have blocked.")
    var blocked = false

    @OptionGroup var options: Options

    /// JSON alone asks for an export in JSON; with a file it is about the report.
    private var chosen: ExportFormat { format ?? (options.json && output == nil ? .json : .text) }

    func validate() throws {
        guard !force || output != nil else { throw ValidationError(say("--force goes with --output.")) }
        guard !options.json || output != nil || chosen == .json else {
            throw ValidationError(say("--json without --output writes the export as JSON: leave --format out."))
        }
    }

    var onlyShows: Bool { output == nil }

    func run(_ session: Session) async throws {
        let file = try output.map { path throws(ControlFailure) in try OutputFile(path, isForced: force) }
        if chosen == .json {
            // Programs read English.
            _ = try await session.client.call(LanguageOperation(language: Language.english.rawValue))
        }
        var export = Export(
            client: session.client,
            renderer: chosen.renderer(withBlocked: blocked),
            progress: ProgressLine(isWanted: file != nil && !options.json)
        ) { lines in
            guard let file else { return session.terminal.write(lines) }
            guard !lines.isEmpty else { return }
            try file.append(Array((lines.joined(separator: "\n") + "\n").utf8))
        }
        try await export.run(who, at: session.clock.now)
        guard let file else { return }
        try file.finish()
        session.terminal.write(try report(export.count, file))
    }

    private func report(_ count: ExportCount, _ file: OutputFile) throws -> [String] {
        if options.json {
            let report = ExportReport(
                file: file.path.shown,
                private: file.isPrivate,
                conversations: count.conversations,
                messages: count.messages
            )
            return [JSONWriter.text(try JSONValueEncoder.encode(report))]
        }
        let conversations =
            count.conversations == 1 ? Phrase("1 conversation") : Phrase("\(count.conversations) conversations")
        let messages = count.messages == 1 ? Phrase("1 message") : Phrase("\(count.messages) messages")
        return [
            say("Exported to \(VisibleText.line(file.path.shown)): \(conversations), \(messages)."),
            "\(say(file.readers)) \(say("It is not encrypted."))",
        ]
    }
}

/// What `parlance export --output FILE --json` prints.
private struct ExportReport: Codable {
    var file: String
    /// Whether nobody else can read it, by its permissions.
    var `private`: Bool
    var conversations: Int
    var messages: Int
}
