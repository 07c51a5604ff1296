import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceFiles
import ParlanceRecords
import ParlanceStore
import ParlanceTexts
import ParlanceWire
import ParlanceWords

// Operations on the files that messages name.

extension NodeOperations {
    static let fileList: [any NodeOperation.Type] = [
        FilesOperation.self, FileFetchOperation.self, FilePauseOperation.self, FileResumeOperation.self,
        FileCancelOperation.self, FileRetryOperation.self,
    ]
}

extension FilesOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> FilesReply {
        let limit = limit ?? Self.defaultLimit
        guard (1...Self.maximumLimit).contains(limit) else { throw .fileLimit(limit) }
        let place = if let who { try await node.ask(.findConversation(who: who), \.place) } else { nil as Place? }
        let places = if let place { [place] } else { try await node.places() }
        return try await node.read {
            let messages = try node.store.messagesWithFiles(in: place?.conversation, limit: limit)
            return FilesReply(files: Array(node.entries(messages, places).prefix(limit)))
        }
    }
}

/// An operation that gives one command for each file. What is refused of one file does not hold up the others.
private protocol FileCommandOperation: FileOperation, NodeOperation {
    func command(about file: FileMention, in conversation: ConversationID) -> Command
    /// Why nothing can be done with these files together.
    func refusal(_ files: [NamedFile]) -> ControlError?
    /// Why nothing can be done with this file.
    func refusal(_ file: NamedFile, _ node: LocalControl) -> ControlError?
}

extension FileCommandOperation {
    func refusal(_ files: [NamedFile]) -> ControlError? { nil }
    func refusal(_ file: NamedFile, _ node: LocalControl) -> ControlError? { nil }

    func perform(on node: LocalControl) async throws(ControlError) -> FilesReply {
        let named = try await node.filesMeant(by: id)
        if let refusal = refusal(named.files) { throw refusal }
        var done: [NamedFile] = []
        var refused: [RefusedFile] = []
        for file in named.files {
            do throws(ControlError) {
                try await perform(on: node, with: file)
                done.append(file)
            } catch {
                refused.append(RefusedFile(file: node.info(file), error: error))
            }
        }
        if done.isEmpty, let first = refused.first { throw first.error }
        let places = try await node.places()
        var result = FilesReply(files: done.map { node.entry($0, places) }, refused: refused)
        if !named.otherNames.isEmpty { result.otherNames = named.otherNames }
        return result
    }

    private func perform(on node: LocalControl, with file: NamedFile) async throws(ControlError) {
        // What the user has sent is here, and only that can be asked for. After a restore others have it.
        if file.message.log.author == node.hub.identity, node.files.shelf.has(file.file.file) {
            guard self is FileFetchOperation else { throw .ownFile }
            return
        }
        if let refusal = refusal(file, node) { throw refusal }
        // What each command answers with differs, and the list below is read anew.
        _ = try await node.ask(command(about: file.file, in: file.message.conversation)) { $0 }
    }
}

extension FileFetchOperation: FileCommandOperation {
    func command(about file: FileMention, in conversation: ConversationID) -> Command { .fetch(conversation, file) }

    func refusal(_ files: [NamedFile]) -> ControlError? {
        single == true && files.count > 1 ? .severalAtOnce(files.count) : nil
    }

    func refusal(_ file: NamedFile, _ node: LocalControl) -> ControlError? {
        let limit = node.files.allowance.fileLimit
        guard file.file.size > limit, !node.files.shelf.has(file.file.file) else { return nil }
        return .aboveLimit(file.file, limit)
    }
}

extension FilePauseOperation: FileCommandOperation {
    func command(about file: FileMention, in conversation: ConversationID) -> Command { .pauseFile(file.file) }
}

extension FileResumeOperation: FileCommandOperation {
    func command(about file: FileMention, in conversation: ConversationID) -> Command { .resumeFile(file.file) }
}

extension FileCancelOperation: FileCommandOperation {
    func command(about file: FileMention, in conversation: ConversationID) -> Command { .cancelFile(file.file) }
}

extension FileRetryOperation: FileCommandOperation {
    func command(about file: FileMention, in conversation: ConversationID) -> Command { .retryFile(file.file) }
}

/// A file with the message that names it.
struct NamedFile: Sendable {
    var file: FileMention
    var message: ShownMessage
    /// Which of the files of the message it is, from 1; `nil` if it is the only one.
    var number: Int?
}

/// The files that an ID means.
struct FoundFiles: Sendable {
    var files: [NamedFile]
    /// How other messages call the file, if it was found by its own ID.
    var otherNames: [String] = []

    /// - Parameter number: which of the files of a message is meant; `nil`: all.
    static func of(_ message: ShownMessage, _ number: Int?) throws(ControlError) -> FoundFiles {
        let named = message.namedFiles
        guard !named.isEmpty else { throw .noFiles }
        guard let number else { return FoundFiles(files: named) }
        guard named.indices.contains(number - 1) else { throw .noFile(number, of: named.count) }
        return FoundFiles(files: [named[number - 1]])
    }
}

extension LocalControl {
    /// Finds on the shelf what a message is to name.
    func mentions(of files: [FileToSend]?) async throws(ControlError) -> [FileMention] {
        guard let files, !files.isEmpty else { return [] }
        // More are refused by the engine, and looked for by nobody.
        let looked = files.prefix(Limits.filesPerMessage + 1)
        let ids = looked.compactMap { Base32.decode($0.file).flatMap { FileID($0) } }
        guard ids.count == looked.count else { throw .notOnShelf }
        let entries = await withCheckedContinuation { continuation in
            self.files.claim(ids) { continuation.resume(returning: $0) }
        }
        guard let entries else { throw .notOnShelf }
        return zip(looked, entries).compactMap { $0.mention(size: $1.size) }
    }

    /// Finds the files that are meant: those of a message, with `/2` behind its ID the second of them, or one by its own
    /// ID.
    ///
    /// - Parameters:
    ///   - author: whose newest message `last` stands for.
    ///   - conversations: those of `last`, and where a message that counts has to name a file that is meant by its own ID;
    ///     `nil`: any.
    func filesMeant(
        by typed: String,
        of author: LastAuthor = .others,
        in conversations: Set<ConversationID>? = nil
    ) async throws(ControlError) -> FoundFiles {
        // The name of a conversation, as in "last:Bob/2", can end so, too.
        let slash = typed.contains(":") ? nil : typed.utf8.lastIndex(of: UInt8(ascii: "/"))
        let number = slash.flatMap { Int(typed[typed.utf8.index(after: $0)...]) }
        let id = number == nil ? typed : String(typed[..<(slash ?? typed.endIndex)])
        if let last = try await last(id, of: author, in: conversations) {
            return try FoundFiles.of(last.message, number)
        }
        return try await read { [self] in try find(id, number, conversations) }
    }

    private func find(_ typed: String, _ number: Int?, _ conversations: Set<ConversationID>?) throws -> FoundFiles {
        guard typed.utf8.count >= PeerID.shortestPrefix else { throw ControlError.unknownFile }
        let prefix = typed.lowercased()
        // Only a message has several.
        let named =
            try number != nil
            ? []
            : store.messagesWithFiles(idPrefix: typed).flatMap(\.namedFiles).filter { named in
                guard named.file.file.text.hasPrefix(prefix) else { return false }
                guard let conversations else { return true }
                return conversations.contains(named.message.conversation) && !named.message.isVoid
            }
        let messages = try store.findMessages(idPrefix: typed, limit: 2, includingNotes: false)
        let count = Set(named.map(\.file.file)).count + messages.count
        guard count > 0 else { throw ControlError.unknownFile }
        guard count == 1 else { throw ControlError.severalFiles }
        if let message = messages.first { return try FoundFiles.of(message, number) }
        // Of several messages that name it, the newest of somebody else: it can be fetched in that conversation.
        let best = named.first { $0.message.log.author != hub.identity } ?? named.first
        let shown = best.map { SafeFileName($0.file.name).text }
        let others = Set(named.map { SafeFileName($0.file.name).text }).filter { $0 != shown }
        return FoundFiles(
            files: best.map { [$0] } ?? [],
            otherNames: Array(others.sorted().prefix(ControlLimits.otherNames))
        )
    }

    fileprivate func entries(_ messages: [ShownMessage], _ places: [Place]) -> [FileEntry] {
        messages.flatMap(\.namedFiles).map { entry($0, places) }
    }

    fileprivate func info(_ named: NamedFile) -> FileInfo {
        hub.info(
            named.file,
            number: named.number,
            of: named.message.id,
            mine: named.message.log.author == hub.identity
        )
    }

    fileprivate func entry(_ named: NamedFile, _ places: [Place]) -> FileEntry {
        let message = named.message
        let author = message.log.author
        let place = places.first { $0.conversation == message.conversation }
        var entry = FileEntry(
            file: info(named),
            message: message.id.text,
            conversation: message.conversation.text,
            title: place?.title ?? "",
            sender: hub.person(author),
            time: ControlTime(shown: message.time)
        )
        if entry.file.waits == true { entry.file.waitsFor = hub.sources(of: author, place) }
        guard entry.file.state == .fetching, let view = hub.directory[named.file.file] else { return entry }
        if view.rate > 0 { entry.rate = view.rate }
        if !view.sources.isEmpty {
            entry.sources = view.sources.prefix(ControlLimits.peopleListed).map { hub.person($0) }
        }
        return entry
    }
}

extension ShownMessage {
    /// The files that it names, unless it is deleted.
    fileprivate var namedFiles: [NamedFile] {
        guard let rich, rich.deletion == nil else { return [] }
        return rich.files.enumerated().map { index, file in
            NamedFile(file: file, message: self, number: rich.files.count > 1 ? index + 1 : nil)
        }
    }
}

extension FileToSend {
    /// The file as a message names it; its size is that of the file on the shelf.
    func mention(size: UInt64) -> FileMention? {
        guard let file = Base32.decode(file).flatMap({ FileID($0) }) else { return nil }
        return FileMention(
            file: file,
            name: name,
            size: size,
            isFolder: folder == true,
            width: UInt32(clamping: width ?? 0),
            height: UInt32(clamping: height ?? 0)
        )
    }
}

extension ControlError {
    fileprivate static func fileLimit(_ limit: Int) -> ControlError {
        ControlError(
            .invalidValue,
            "A list of \(limit) files is not possible.",
            advice: "Ask for 1 to \(FilesOperation.maximumLimit) files."
        )
    }
    fileprivate static let notOnShelf = ControlError(
        .invalidValue,
        "The file is not here any more.",
        advice: "Nothing was sent. Send it again."
    )
    static let unknownFile = ControlError(
        .unknownMessage,
        "No file and no message here has that ID.",
        advice: "Give at least its first \(PeerID.shortestPrefix) characters, as \"parlance files\" shows them."
    )
    fileprivate static let severalFiles = ControlError(
        .unknownMessage,
        "Several files or messages have an ID that begins so.",
        advice: "Give more characters of the ID."
    )
    fileprivate static let noFiles = ControlError(
        .unknownMessage,
        "That message has no files.",
        advice: "To see all files: parlance files"
    )
    fileprivate static func noFile(_ number: Int, of count: Int) -> ControlError {
        ControlError(
            .unknownMessage,
            count == 1
                ? "That message has 1 file, and no file \(number)."
                : "That message has \(count) files, and no file \(number).",
            advice: "To see all files: parlance files"
        )
    }
    fileprivate static func severalAtOnce(_ count: Int) -> ControlError {
        ControlError(
            .invalidValue,
            "The message has \(count) files, and one name was given for them.",
            advice: "Name a folder that exists with --to, or give the ID of one file."
        )
    }
    fileprivate static func aboveLimit(_ file: FileMention, _ limit: UInt64) -> ControlError {
        let name = SafeFileName(file.name).text
        return ControlError(
            .invalidValue,
            "\(name) has \(FileText.phrase(file.size)), which is larger than file-limit: \(FileText.phrase(limit)).",
            advice: "Allow larger files with the setting file-limit."
        )
    }
    fileprivate static let ownFile = ControlError(
        .notAllowed,
        "You have sent that file, so it is not fetched.",
        advice: "To save a copy of it: parlance fetch ID"
    )
}
