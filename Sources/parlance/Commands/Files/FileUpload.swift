import ParlanceControl
import ParlanceFiles
import ParlanceTexts
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Gives files of the user to the node, which then sends them: each is copied, so that the original can change.
struct FileUpload {
    let session: Session
    let arguments: FileArguments

    /// Copies all of them; nothing is sent if one cannot be.
    func files() async throws -> [FileToSend]? {
        guard !arguments.files.isEmpty else { return nil }
        // Nothing is copied if the last one is not there.
        for path in arguments.files where path != "-" {
            do throws(SourceError) { _ = try Outgoing.isFolder(path) } catch { throw ControlFailure(error) }
        }
        var files: [FileToSend] = []
        for path in arguments.files { files.append(try await file(path)) }
        return files
    }

    private func file(_ path: UserPath) async throws -> FileToSend {
        let place = try await session.client.call(FilePrepareOperation())
        let name = path == "-" ? arguments.name ?? "" : Self.name(of: path)
        let unfinished = UnfinishedFile(Outgoing.places(of: place.path).map { UserPath($0) })
        defer { unfinished.finish() }
        let facts: OutgoingFacts
        do throws(SourceError) {
            facts = try copy(path, name, to: place)
        } catch { throw ControlFailure(error, limit: place.limit) }
        if path != "-", !Self.lastPart(of: path).isText, !session.json {
            let note = say("The name of the file is not UTF-8; it is sent as \(name).")
            Terminal.standardError.write([VisibleText.line(note)])
        }
        let notes = facts.notes(name, showsPaths: arguments.files.count > 1 || facts.isFolder)
        if !session.json { Terminal.standardError.write(notes.map { VisibleText.line(say($0)) }) }
        let added: FileAddReply
        do {
            added = try await session.client.call(FileAddOperation(name: place.name))
        } catch {
            // The node has not taken it.
            unlink(place.path)
            throw error
        }
        return FileToSend(
            file: added.file,
            name: name,
            folder: facts.isFolder ? true : nil,
            width: facts.pixels?.width,
            height: facts.pixels?.height
        )
    }

    private func copy(
        _ path: UserPath,
        _ name: String,
        to place: FilePrepareReply
    ) throws(SourceError) -> OutgoingFacts {
        var line = ProgressLine(isWanted: !session.json)
        var pace = TransferPace()
        defer { line.clear() }
        func show(_ done: UInt64, _ size: UInt64?) {
            pace.saw(done, at: Moment.milliseconds)
            let amount = size.map { FileText.progress(done, of: $0, rate: pace.rate) } ?? FileText.size(done)
            line.show(VisibleText.line(say("Reading \(name): \(amount)")))
        }
        guard path == "-" else {
            return try Outgoing.copy(
                path,
                to: place.path,
                limit: place.limit,
                keepMetadata: arguments.keepMetadata
            ) { show($0, $1) }
        }
        return try Outgoing.copy(
            descriptor: STDIN_FILENO,
            name: name,
            to: place.path,
            limit: place.limit,
            keepMetadata: arguments.keepMetadata
        ) { show($0, nil) }
    }

    /// How the file is called: the last part of its path, also if that is `.`.
    static func name(of path: UserPath) -> String {
        let name = lastPart(of: path).shown
        return name.isEmpty ? "files" : name
    }

    private static func lastPart(of path: UserPath) -> UserPath {
        let name = path.withoutSlashes.parts.name
        guard ["", ".", ".."].contains(name), let whole = realpath(path.system, nil) else { return name }
        defer { free(whole) }
        return UserPath(bytes: UnsafeRawBufferPointer(start: whole, count: strlen(whole))).parts.name
    }
}
