import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceFiles
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import ParlanceWords

// The files that lie sealed on a stick (protocol/carry.md, "Packing files" and "Taking files").

extension CarryChooseOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> CarryChooseReply {
        let view = try await node.ask(.carriage(who: who), \.carriage)
        guard let secret = view.secret else { return CarryChooseReply(files: [], left: [], sealed: false) }
        var first: [FileMention] = []
        for typed in also ?? [] {
            let named = try await node.namedFiles(typed, for: view)
            for file in named where !first.contains(where: { $0.file == file.file }) { first.append(file) }
        }
        return try await node.read { [limit, first] in
            let found = try node.filesLacking(view)
            let lacking = found.lacking.filter { file in !first.contains { $0.file == file.file } }
            var reply = node.choose(first + lacking, secret, limit: limit ?? Limits.sealedFileBytes)
            let chosen = Set(first.map(\.file))
            if found.known.contains(where: { !chosen.contains($0) && node.files.shelf.has($0) }) { reply.known = true }
            return reply
        }
    }
}

extension LocalControl {
    /// The files that messages name which the peer may lack, each once, the newest first: not those that the peer has sent.
    /// Besides, the other files of this user in messages that the peer has.
    fileprivate func filesLacking(
        _ view: CarriageView
    ) throws(StoreError) -> (lacking: [FileMention], known: Set<FileID>) {
        var messages: [ShownMessage] = []
        var theirs: Set<FileID> = []
        var known: Set<FileID> = []
        for conversation in view.conversations.union(view.reached.keys.map(\.conversation)) {
            for message in try store.messagesWithFiles(in: conversation, limit: FilesOperation.maximumLimit) {
                if message.log.author == view.peer { theirs.formUnion(message.named.map(\.file)) }
                guard !message.isVoid else { continue }
                // Of a log of which nothing is packed the peer has all.
                let reached = view.reached[LogKey(conversation, message.log)]
                if let reached, message.sequence > reached {
                    messages.append(message)
                } else if message.log.author == hub.identity, view.conversations.contains(conversation) {
                    known.formUnion(message.named.map(\.file))
                }
            }
        }
        messages.sort { ($0.effective, $0.id) > ($1.effective, $1.id) }
        let lacking = messages.flatMap(\.named).filter { theirs.insert($0.file).inserted }
        return (lacking, known.subtracting(theirs))
    }

    /// The files that the user names by an ID of "parlance files" or of a message, if the peer can read a message that names
    /// them.
    fileprivate func namedFiles(_ typed: String, for view: CarriageView) async throws(ControlError) -> [FileMention] {
        let found: FoundFiles
        do throws(ControlError) {
            found = try await filesMeant(by: typed, of: .user, in: view.conversations)
        } catch {
            guard error.code == .unknownMessage else { throw error }
            if error == ControlError.unknownFile {
                throw await isKnown(typed) ? ControlError.notTheirFile(typed) : ControlError.noID(typed)
            }
            throw ControlError(.invalidValue, error.message, advice: error.advice)
        }
        let theirs = found.files.filter {
            view.conversations.contains($0.message.conversation) && !$0.message.isVoid
        }
        guard !theirs.isEmpty else { throw ControlError.notTheirFile(typed) }
        return theirs.map(\.file)
    }

    /// Whether a file or message somewhere has such an ID.
    private func isKnown(_ typed: String) async -> Bool {
        do throws(ControlError) {
            _ = try await filesMeant(by: typed, of: .user)
            return true
        } catch {
            return error != ControlError.unknownFile
        }
    }

    /// As many as may go, passing over those that are too large.
    fileprivate func choose(
        _ named: [FileMention],
        _ secret: SealedFileSecret,
        limit: UInt64
    ) -> CarryChooseReply {
        var reply = CarryChooseReply(files: [], left: [], sealed: true)
        var rest = limit
        for mention in named {
            let name = SafeFileName(mention.name).text
            func leave(_ why: LeftFile.Reason) {
                reply.left.append(LeftFile(file: mention.file.text, name: name, size: mention.size, why: why))
            }
            // Nothing removes it before it is on the stick: what was used within the last hour stays.
            files.shelf.touch(mention.file)
            guard let entry = files.shelf.entry(of: mention.file),
                let shape = try? SealedFileShape(size: entry.size),
                let key = secret.key(of: mention.file, size: entry.size)
            else {
                leave(.notHere)
                continue
            }
            guard reply.files.count < Limits.sealedFileSlots else {
                leave(.tooMany)
                continue
            }
            guard shape.byteCount <= rest else {
                leave(.beyondLimit)
                continue
            }
            rest -= shape.byteCount
            reply.files.append(
                SealedFileInfo(file: mention.file.text, size: entry.size, key: Hex.text(key.bytes), name: name)
            )
        }
        return reply
    }

    /// Those files of a stick that a message here names, that are not here, and that the user does want.
    func wanted(_ carried: [CarriedFile], from peer: PeerID) throws(StoreError) -> [SealedFileInfo] {
        var wanted: [SealedFileInfo] = []
        for file in carried where !files.shelf.has(file.file) {
            guard hub.directory[file.file]?.record.state != .cancelled else { continue }
            let messages = try store.messagesWithFiles(idPrefix: file.file.text, limit: 1)
            guard let mention = messages.first?.named.first(where: { $0.file == file.file }) else { continue }
            wanted.append(
                SealedFileInfo(
                    file: file.file.text,
                    size: file.size,
                    key: Hex.text(file.key.bytes),
                    name: SafeFileName(mention.name).text,
                    slot: file.slot,
                    place: CarriedFile.name(from: peer, to: hub.identity, slot: file.slot)
                )
            )
        }
        return wanted
    }
}

extension ControlError {
    fileprivate static func noID(_ typed: String) -> ControlError {
        ControlError(
            .invalidValue,
            Phrase("No file and no message here has the ID \"\(typed.withoutControlCharacters)\"."),
            advice: Phrase(
                """
                Give an ID, not the name of a file: at least its first \(PeerID.shortestPrefix) characters, as "parlance files" \
                shows it.
                """
            )
        )
    }

    fileprivate static func notTheirFile(_ typed: String) -> ControlError {
        ControlError(
            .invalidValue,
            Phrase("No message between you and them names a file \"\(typed.withoutControlCharacters)\"."),
            advice: Phrase("Send it first, then carry out again. To see all files: parlance files")
        )
    }
}

extension ShownMessage {
    /// The files that it names, unless it is deleted.
    fileprivate var named: [FileMention] {
        guard let rich, rich.deletion == nil else { return [] }
        return rich.files
    }
}

extension CarriedFile {
    /// As a caller gave it; `nil` for what breaks a limit.
    init?(_ info: SealedFileInfo) {
        guard let file = Base32.decode(info.file).flatMap({ FileID($0) }), info.size <= Limits.fileBytes,
            let key = Hex.bytes(info.key).flatMap({ SealedFileKey($0) }), let slot = info.slot,
            (0..<Limits.sealedFileSlots).contains(slot)
        else { return nil }
        self.init(file: file, size: info.size, key: key, slot: slot)
    }
}
