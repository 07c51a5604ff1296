import ArgumentParser
import ParlanceControl
import ParlanceWire
import ParlanceWords
import SystemPackage

/// `parlance carry out FOLDER [WHO...]`
struct CarryOutCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "out",
        abstract: "Write what others may lack to a folder.",
        discussion: """
            Without WHO it writes for everybody whom you have accepted. Files that are up to date stay as they are, and files \
            of others are not touched.

            With --files it also writes the files that these messages name, sealed for the recipient: nobody else can read \
            them, their names or their exact sizes. With --file a file goes along whose message the other has already, such as \
            one that is too large for the network: ID is as for 'parlance fetch', with /2 for the second file of a message, \
            and last is your own newest message that WHO can read. Without both options the files of an earlier run are removed.

            Examples: parlance carry out /media/stick
                      parlance carry out /media/stick Bob --files
                      parlance carry out /media/stick Bob --file 3f9a11c2
                      parlance carry out /media/stick --files --files-limit "16 GiB"
            """
    )

    @Argument(help: "A folder, such as the one where a stick is mounted.", completion: .directory)
    var folder: UserPath

    @Argument(
        help: "Names, aliases or peer IDs of people you have accepted; nobody: all of them.",
        completion: Completions.person
    )
    var who: [String] = []

    @Flag(help: "Take the files along that the messages name.")
    var files = false

    @Option(
        help: ArgumentHelp(
            "Take this file along, too, for one WHO; may be repeated.",
            valueName: "id"
        ),
        completion: Completions.file
    )
    var file: [String] = []

    @Option(
        help: ArgumentHelp(
            "The most that the files for one person may take in the folder, such as 500 MiB; otherwise 4 GiB.",
            valueName: "size"
        )
    )
    var filesLimit: String?

    @OptionGroup var options: Options

    func validate() throws {
        guard filesLimit == nil || hasFiles else {
            throw ValidationError(say("--files-limit needs --files or --file."))
        }
        guard file.isEmpty || who.count == 1 else {
            throw ValidationError(say("--file is for one person: name one WHO."))
        }
        if let filesLimit, SizeText.bytes(of: filesLimit) == nil {
            throw ValidationError(say("\(filesLimit) is not a size. Examples: 500 MiB, 2 GiB."))
        }
    }

    private var hasFiles: Bool { files || !file.isEmpty }

    func run(_ session: Session) async throws {
        let stick = try StickFolder(folder)
        try stick.checkIsWritable()
        let limit = filesLimit.flatMap { SizeText.bytes(of: $0) }
        var failed = false
        for people in try await CarryCommand.people(who, session) {
            var report = CarryOutReport(peer: people.peer)
            var sealed: SealedFilesOut?
            if hasFiles {
                var out = SealedFilesOut(people, stick, session)
                try await out.run(limit: limit, also: file)
                (report.files, report.left) = (out.files.map { .init($0) }, out.left)
                sealed = out
            }
            try await write(people, sealed?.files, to: stick, &report, session)
            session.terminal.write(
                session.json
                    ? [JSONWriter.text(try JSONValueEncoder.encode(report))]
                    : report.lines.map { VisibleText.line($0) }
            )
            let failures =
                (sealed?.failures ?? [])
                + (report.left ?? []).compactMap {
                    $0.failure(NameText.plain(people.peer.displayName), limit: limit ?? Limits.sealedFileBytes)
                }
            for failure in failures { CarryCommand.report(failure, session) }
            if files, sealed?.hasKnown == true, report.sealed, report.files?.isEmpty == true, failures.isEmpty,
                !session.json
            {
                let name = NameText.plain(people.peer.displayName)
                let words = say(
                    """
                    No files were written, since \(name) has the messages that name your files; some of the files may still be \
                    missing there. To take one along: --file ID, with an ID that 'parlance files' shows.
                    """
                )
                Terminal.standardError.write([VisibleText.line(words)])
            }
            failed = failed || report.failed > 0 || !failures.isEmpty
        }
        if failed { throw ExitCode(1) }
    }

    private func write(
        _ files: CarryFilesReply,
        _ sealed: [SealedFileInfo]?,
        to stick: StickFolder,
        _ report: inout CarryOutReport,
        _ session: Session
    ) async throws {
        var after: String?
        var isShared = false
        for (slot, name) in files.outgoing.enumerated() {
            let existing: [UInt8]?
            switch stick.read(name, limit: files.bytes) {
            case .nothing: existing = nil
            case .file(let bytes): existing = bytes
            // It is replaced.
            case .tooLong, .notAFile, .failed: existing = []
            }
            if after == CarryPackReply.end && existing == nil { continue }
            let reply = try await session.client.call(
                CarryPackOperation(
                    who: files.peer.id,
                    slot: slot,
                    after: after,
                    existing: existing.map { Hex.text($0) },
                    files: sealed
                )
            )
            do throws(Errno) {
                switch reply.action {
                case .write:
                    try stick.replace(name, with: reply.file.flatMap { Hex.bytes($0) } ?? [])
                    report.written += 1
                case .keep: report.kept += 1
                case .remove: try stick.remove(name)
                case .leave: isShared = true
                case .none: break
                }
                report.messages += reply.messages
            } catch {
                // The next run writes it.
                report.failed += 1
                CarryCommand.report(.cannotWrite(name, to: stick.path, error), session)
            }
            report.sealed = reply.sealed
            after = reply.next
        }
        report.complete = after == CarryPackReply.end && report.failed == 0
        // The parcels tell of no files now. Those of an earlier copy of this node stay with its parcels.
        if sealed == nil, !isShared, report.failed == 0 { SealedFilesOut.removeAll(of: files, from: stick) }
    }
}

extension ControlFailure {
    static func cannotWrite(_ name: String, to folder: String, _ reason: Errno) -> ControlFailure {
        ControlFailure(
            code: fileCode(reason),
            message: Phrase("\(name) cannot be written to \(folder): \(reason.whyNotWritten)."),
            advice: Phrase("Check that the stick is there, writable and not full, then run it again.")
        )
    }
}
