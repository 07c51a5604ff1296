import ArgumentParser
import ParlanceControl
import ParlanceErrorCode
import ParlanceWire
import ParlanceWords

/// `parlance workspace import FILE`
struct WorkspaceImportCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Admit and name the people of a list at once.",
        discussion: """
            Each line of the file has a name and a peer ID, separated by a comma, a semicolon or a tab (CSV, as a \
            spreadsheet writes it, in UTF-8, UTF-16 or, without --json, Windows-1252); a first line "name,peer ID" may come before them. People see their peer ID with: \
            parlance id

            If you are an admin, all of them are admitted to the workspace. For everybody it gives them these names here, \
            where you have given none, and accepts them, so messages pass without a request. Who is excluded, blocked or \
            declined is left out. If a line is wrong, nothing is done.

            They still need the code to join: parlance workspace invite

            Example: parlance workspace import office.csv
            """
    )

    @Argument(help: "The file; - reads standard input.")
    var file: UserPath

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let text = try read()
        try await session.show(WorkspaceImportOperation(people: text)) { reply in
            Self.lines(reply).map { VisibleText.line($0) }
        }
    }

    private static func lines(_ reply: WorkspaceImportReply) -> [String] {
        var lines: [String] = []
        if reply.admitted > 0 { lines.append(say("Admitted to the workspace: \(reply.admitted)")) }
        lines += [
            say("Names given: \(reply.named); newly accepted: \(reply.accepted); already named: \(reply.known)")
        ]
        return lines
            + reply.leftOut.map { left in
                let name = NameText.plain(left.name)
                return switch left.reason {
                case .excluded: say("Left out: \(name) is excluded from the workspace.")
                case .blocked: say("Left out: you have blocked \(name).")
                case .declined: say("Left out: you have declined \(name).")
                case .nameTaken: say("Not named: somebody else here, or a group of yours, is called \(name).")
                }
            }
    }

    private func read() throws -> String {
        if file == "-" {
            switch Terminal.standardInput(limit: Limits.importedBytes) {
            case .text(let text): return text
            case .tooLong: throw tooLong
            case .notText(let bytes): return try decoded(bytes)
            }
        }
        let limit = Limits.importedBytes
        guard let bytes = try InputFile.bytes(of: file, limit: limit, advice: Phrase("Nothing was changed.")) else {
            throw tooLong
        }
        return try String(validating: bytes, as: UTF8.self) ?? decoded(bytes)
    }

    /// The text of a list that is not UTF-8.
    private func decoded(_ bytes: [UInt8]) throws -> String {
        if let text = SpreadsheetText.utf16(bytes) { return text }
        if let line = SpreadsheetText.lineThatIsNot(utf8: bytes) { throw Self.mixed(line) }
        guard let text = SpreadsheetText.windows1252(bytes) else { throw notText }
        // It is a guess, and no program looks at the names.
        guard !options.json else { throw guessed }
        Terminal.standardError.write([
            say("The list is not UTF-8 and was read as Windows-1252, as Excel writes it: look at the names.")
        ])
        return text
    }

    private static func mixed(_ line: Int) -> ControlFailure {
        ControlFailure(
            code: ErrorCode.invalidValue.rawValue,
            message: "Some of the list is UTF-8, and line \(line) is not.",
            advice: "Nothing was changed. Correct that line, and save the list as UTF-8."
        )
    }

    private var guessed: ControlFailure {
        ControlFailure(
            code: ErrorCode.invalidValue.rawValue,
            message: "The list is not valid UTF-8.",
            advice: "Nothing was changed. Convert it, such as from Windows-1252: iconv -f WINDOWS-1252 -t UTF-8 FILE"
        )
    }

    private var tooLong: ControlFailure {
        ControlFailure(
            code: ErrorCode.invalidValue.rawValue,
            message: "The list has more than \(Limits.importedBytes) bytes.",
            advice: "Nothing was changed. Import it in parts."
        )
    }

    private var notText: ControlFailure {
        ControlFailure(
            code: ErrorCode.invalidValue.rawValue,
            message: "The list is not valid UTF-8, and not Windows-1252 either.",
            advice: "Nothing was changed. Convert it, such as from Windows-1250: iconv -f WINDOWS-1250 -t UTF-8 FILE"
        )
    }
}
