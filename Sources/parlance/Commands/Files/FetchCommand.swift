import ArgumentParser
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceTexts
import ParlanceWords

/// `parlance fetch [OPTIONS] ID`
struct FetchCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetch a file that somebody sent, and save it.",
        discussion: """
            ID is a message's, as "parlance files" shows it, or a file's; of a message all files are fetched, and with /2 \
            after its ID only the second. The file is saved in the current folder \
            under its name, or with --to in another folder, which must exist, or under another name. Nothing is \
            overwritten: if the name is taken, the file gets a number. A folder is unpacked; a name in it that would be \
            hidden, such as .env, or that some system does not take is changed, and that is said. Every byte is verified \
            before it is saved.

            Ctrl-C ends the command and not the transfer, which the daemon goes on with; the same command saves the file later. \
            --no-wait returns at once. --show draws pictures (PNG, and in iTerm2, Konsole and WezTerm also JPEG, GIF and WebP) \
            in a terminal that can, instead of saving them. With --json each line is {"type":..., "data":...}: "file" tells of progress, and \
            "saved" has the path, "shown" the type and the pixels of a picture, and of several files "notSaved" the error. What is refused of one file does not hold up \
            the others.

            Examples: parlance fetch 3f9a11c2
                      parlance fetch last --to Downloads
                      parlance fetch 3f9a11c2/2 --to report.pdf
                      parlance fetch last --show
            """
    )

    @Argument(
        help: "The ID of a file or a message, its first 8 or more characters, or last.",
        completion: Completions.file
    )
    var id: String

    @Option(help: ArgumentHelp("Save it in this folder, or under this name.", valueName: "path"))
    var to: UserPath?

    @Flag(help: "Ask the daemon to fetch it, and do not wait.")
    var noWait = false

    @Flag(help: "Show pictures in the terminal, and save nothing.")
    var show = false

    @OptionGroup var options: Options

    func validate() throws {
        guard !show || to == nil && !noWait else {
            throw ValidationError(say("--show cannot be given together with --to or --no-wait."))
        }
        guard to == nil || !noWait else {
            throw ValidationError(say("--to and --no-wait cannot be given together."))
        }
    }

    func check() throws(ControlFailure) {
        if !noWait { _ = try FetchPlace(to) }
    }

    func run(_ session: Session) async throws {
        if noWait { return try await ask(session) }
        let place = try FetchPlace(to)
        // Subscribe first, so that nothing is missed.
        let events = try await session.client.events(SubscriptionFilter(events: [FileEvent.kind]))
        var operation = FileFetchOperation(id: id)
        if place.name != nil { operation.single = true }
        let reply = try await session.client.call(operation)
        tellOtherNames(reply, session)
        var fetch = Fetch(reply, session)
        try await save(&fetch, place, session)
        if !fetch.isOver {
            for await event in events {
                guard let event = event as? FileEvent, fetch.happened(event) else { continue }
                try await save(&fetch, place, session)
                if fetch.isOver { break }
            }
        }
        guard fetch.isOver else { throw session.client.failure ?? .connectionLost }
        try fetch.finish(id)
    }

    /// Asks the daemon to fetch it, and says of each file whether it does.
    private func ask(_ session: Session) async throws {
        let reply = try await session.show(FileFetchOperation(id: id)) { reply in
            reply.files.map { VisibleText.line(FileText.line($0.file, mine: false)) }
        }
        tellOtherNames(reply, session)
        let refused = reply.refused ?? []
        if !session.json {
            Terminal.standardError.write(refused.map { Fetch.line(ControlFailure($0.error)) })
        }
        guard let first = refused.first else { return }
        throw ControlFailure(
            code: first.error.code.rawValue,
            message: "\(refused.count) of \(reply.files.count + refused.count) files are not fetched.",
            advice: "To try it again: parlance fetch \(id)"
        )
    }

    /// Files of the same content have one ID: the name may be another one than was meant.
    private func tellOtherNames(_ reply: FilesReply, _ session: Session) {
        guard !session.json, let names = reply.otherNames, let file = reply.files.first?.file else { return }
        let others = say(PeopleText.list(names.map { NameText.plain($0) }))
        let words = say(
            """
            This is \(file.name). Other messages call the same file \(others). To save it under such a name, give the ID that \
            "parlance files" shows beside it.
            """
        )
        Terminal.standardError.write([VisibleText.line(words)])
    }

    /// Saves what is here. What cannot be saved does not hold up the rest.
    private func save(_ fetch: inout Fetch, _ place: FetchPlace, _ session: Session) async throws {
        for file in fetch.ready() {
            do {
                try await save(file, place, session)
            } catch let failure as ControlFailure where !failure.isConnectionLost {
                fetch.failed(file, failure)
            }
        }
    }

    private func save(_ file: FileInfo, _ place: FetchPlace, _ session: Session) async throws {
        let source = try await session.client.call(FilePathOperation(file: file.file))
        let path: UserPath
        let renamings: [FolderListing.Renaming]
        do throws(ControlFailure) {
            if show { return try PictureShow(session).show(file, from: source) }
            (path, renamings) = try place.save(file, from: source, session)
        } catch {
            // The node looks for itself: what is damaged has to leave the shelf before it can be fetched again.
            if error.code == ControlFailure.fileDamaged {
                _ = try await session.client.call(FilePathOperation(file: file.file, verify: true))
            }
            throw error
        }
        // Who names it knows that it is called otherwise.
        let sentName = place.name == nil ? file.sentName : nil
        guard session.json else {
            session.terminal.write([VisibleText.line(say("Saved: \(path.shown) (\(FileText.size(file.size)))"))])
            let own = sentName.map { old in
                Phrase("Its sender calls it \(old): not every system shows and takes that name.")
            }
            let notes = [own, Self.note(on: place.name, of: file)].compactMap { $0 } + Self.note(renamings, in: path)
            return Terminal.standardError.write(notes.map { VisibleText.line(say($0)) })
        }
        var members: [JSON.Member] = [.init("file", .string(file.file)), .init("path", .string(path.shown))]
        let renamed = (sentName.map { [($0, file.name)] } ?? []) + renamings.map { ($0.path, $0.name.text) }
        let names = renamed.map { JSON.object([.init("path", .string($0)), .init("name", .string($1))]) }
        if !names.isEmpty { members.append(.init("renamed", .array(names))) }
        let data: JSON = .object(members)
        session.terminal.write([JSONWriter.text(.object([.init("type", .string("saved")), .init("data", data)]))])
    }

    /// Says that what may have been meant as a folder became the name of the file.
    private static func note(on name: UserPath?, of file: FileInfo) -> Phrase? {
        guard let name, file.folder != true, file.name.contains("."), !name.shown.contains(".") else { return nil }
        return Phrase("There was no folder \(name.shown), so the file has that name now.")
    }

    /// Says which names in a folder were changed.
    private static func note(_ renamings: [FolderListing.Renaming], in path: UserPath) -> [Phrase] {
        guard let first = renamings.first else { return [] }
        let (old, new) = (first.path, first.name.text)
        return [
            renamings.count == 1
                ? Phrase("1 name in \(path.shown) was changed: \(old) to \(new).")
                : Phrase("\(renamings.count) names in \(path.shown) were changed, such as \(old) to \(new).")
        ]
    }
}
