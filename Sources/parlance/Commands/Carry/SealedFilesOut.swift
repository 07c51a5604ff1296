import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceFiles
import ParlanceTexts
import ParlanceWire
import ParlanceWords
import SystemPackage

/// Puts the files that messages for somebody name on a stick, sealed, before the parcels that tell of them
/// (protocol/carry.md, "Packing files"). What lies there already and is good stays as it is.
struct SealedFilesOut {
    let people: CarryFilesReply
    let stick: StickFolder
    let session: Session
    /// What is on the stick.
    private(set) var files: [SealedFileInfo] = []
    private(set) var left: [LeftFile] = []
    /// Why some of those are left, where the user can do something about it on this computer.
    private(set) var failures: [ControlFailure] = []
    /// Whether other files of the user are here whose messages the other has, and perhaps not the files.
    private(set) var hasKnown = false
    private var line: ProgressLine
    private var pace = TransferPace()
    private var neededByParcels: UInt64?

    init(_ people: CarryFilesReply, _ stick: StickFolder, _ session: Session) {
        (self.people, self.stick, self.session) = (people, stick, session)
        line = ProgressLine(isWanted: !session.json)
    }

    /// - Parameters:
    ///   - limit: the most bytes on the stick; `nil` for what the node allows.
    ///   - also: IDs of files, whether or not their messages are packed.
    mutating func run(limit: UInt64?, also: [String]) async throws {
        let choose = CarryChooseOperation(who: people.peer.id, limit: limit, also: also.isEmpty ? nil : also)
        let chosen = try await session.client.call(choose)
        (left, hasKnown) = (chosen.left, chosen.known == true)
        let isShared = try await hasParcelsOfAnotherCopy()
        var wanted = chosen.files.compactMap { info in CarriedFile(info).map { (info: info, carried: $0) } }
        var free: [Int] = []
        for (slot, name) in people.sealed.enumerated() {
            if case .nothing = stick.openFile(name) {
                free.append(slot)
            } else if let index = wanted.firstIndex(where: { [mark = mark(of: name)] in $0.carried.key.mark == mark }),
                isGood(name, wanted[index].carried)
            {
                keep(wanted.remove(at: index).info, slot)
            } else if !isShared, remove(name) {
                free.append(slot)
            }
        }
        for (info, carried) in wanted {
            guard let slot = free.first else {
                leave(info, .tooMany)
                continue
            }
            if try await write(info, carried, people.sealed[slot]) { keep(info, free.removeFirst()) }
            line.clear()
        }
        files.sort { ($0.slot ?? 0) < ($1.slot ?? 0) }
        if !isShared { for slot in free { stick.removeDraft(of: people.sealed[slot]) } }
    }

    /// Removes what an earlier run has written.
    static func removeAll(of people: CarryFilesReply, from stick: StickFolder) {
        for name in people.sealed {
            // What cannot be removed is of no use to anybody, and of no harm.
            try? stick.remove(name)
            stick.removeDraft(of: name)
        }
    }

    /// Whether the parcels of a restored backup's original are there: their files stay with them.
    private func hasParcelsOfAnotherCopy() async throws -> Bool {
        for (slot, name) in people.outgoing.enumerated() {
            guard case .file(let bytes) = stick.read(name, limit: people.bytes) else { continue }
            let probe = CarryPackOperation(
                who: people.peer.id,
                slot: slot,
                after: CarryPackReply.end,
                existing: Hex.text(bytes)
            )
            if try await session.client.call(probe).action == .leave { return true }
        }
        return false
    }

    private func mark(of name: String) -> [UInt8]? {
        guard case .file(let file) = stick.openFile(name) else { return nil }
        return SealedFiles.mark(of: file.descriptor)
    }

    /// Reads what is there: a stick that has changed a byte gets the file again.
    private func isGood(_ name: String, _ carried: CarriedFile) -> Bool {
        guard case .file(let file) = stick.openFile(name) else { return false }
        return (try? SealedFiles.open(file.descriptor, carried, to: nil)) != nil
    }

    private func remove(_ name: String) -> Bool { (try? stick.remove(name)) != nil }

    private mutating func keep(_ info: SealedFileInfo, _ slot: Int) {
        var info = info
        info.slot = slot
        files.append(info)
    }

    private mutating func leave(_ info: SealedFileInfo, _ why: LeftFile.Reason) {
        left.append(LeftFile(file: info.file, name: info.name ?? info.file, size: info.size, why: why))
    }

    /// - Returns: whether the file is on the stick.
    private mutating func write(
        _ info: SealedFileInfo,
        _ carried: CarriedFile,
        _ name: String
    ) async throws -> Bool {
        let size = try SealedFileShape(size: carried.size).byteCount
        if let free = stick.free, free < size + Limits.stickReserveBytes {
            let needed = try await parcelBytes()
            guard free >= size + needed else {
                leave(info, .noRoom)
                return false
            }
        }
        do {
            let path = try await session.client.call(FilePathOperation(file: info.file)).path
            try seal(path, carried, info.name ?? "", to: name)
            return true
        } catch let failure as ControlFailure where failure.code == ErrorCode.notYet.rawValue {
            leave(info, .notHere)
        } catch is ShelfError {
            // The node looks for itself: what is damaged has to leave the shelf before it can be fetched again.
            _ = try? await session.client.call(FilePathOperation(file: info.file, verify: true))
            leave(info, .notHere)
        } catch let reason as Errno {
            leave(info, [.noSpace, .diskQuotaExceeded].contains(reason) ? .noRoom : .failed)
            if left.last?.why == .failed {
                failures.append(.cannotWrite(info.name ?? info.file, to: stick.path, reason))
            }
        }
        return false
    }

    /// What the parcels behind the files need, in bytes: only asked where the stick is nearly full.
    private mutating func parcelBytes() async throws -> UInt64 {
        if let known = neededByParcels { return known }
        // One more than there are: a parcel is replaced by one that is written beside it.
        var needed = people.bytes
        var after: String?
        for slot in people.outgoing.indices where after != CarryPackReply.end {
            let reply = try await session.client.call(
                CarryPackOperation(who: people.peer.id, slot: slot, after: after)
            )
            needed += (reply.file?.utf8.count ?? 0) / 2
            after = reply.next
        }
        neededByParcels = UInt64(needed)
        return UInt64(needed)
    }

    private mutating func seal(_ path: String, _ carried: CarriedFile, _ shown: String, to name: String) throws {
        var source = try SealedSource(path, carried)
        let draft = try stick.draft(of: name)
        let unfinished = UnfinishedFile([draft.draft])
        defer { unfinished.finish() }
        while let bytes = try source.next() {
            try draft.append(bytes)
            pace.saw(source.done, at: Moment.milliseconds)
            let progress = FileText.progress(source.done, of: carried.size, rate: pace.rate)
            line.show(VisibleText.line(say("Writing \(shown): \(progress)")))
        }
        try draft.finish(mode: StickFolder.mode)
        try draft.replace()
    }
}

extension CarriedFile {
    /// - Returns: `nil` for what breaks a limit.
    init?(_ info: SealedFileInfo) {
        guard let file = Base32.decode(info.file).flatMap({ FileID($0) }),
            let key = Hex.bytes(info.key).flatMap({ SealedFileKey($0) })
        else { return nil }
        self.init(file: file, size: info.size, key: key, slot: info.slot ?? 0)
    }
}

extension LeftFile {
    /// Why it is not on the stick, and what to do.
    func failure(_ peer: String, limit: UInt64) -> ControlFailure? {
        switch why {
        case .notHere:
            ControlFailure(
                code: ControlFailure.fileFailed,
                message: "\(name) is not in the folder: not all of the file is on this computer.",
                advice: "Fetch it, then carry out again: parlance fetch \(String(file.prefix(FileInfo.idCharacters)))"
            )
        case .beyondLimit:
            ControlFailure(
                code: ControlFailure.fileTooLarge,
                message: """
                    \(name) (\(FileText.size(size))) is not in the folder: the files for \(peer) may take \(FileText.size(limit)) there.
                    """,
                advice: "To allow more: parlance carry out FOLDER --files --files-limit SIZE"
            )
        case .tooMany:
            ControlFailure(
                code: ControlFailure.fileFailed,
                message: "\(name) is not in the folder: \(Limits.sealedFileSlots) files for \(peer) are there already.",
                advice: "Take another stick, then carry out again: --file \(String(file.prefix(FileInfo.idCharacters)))"
            )
        case .noRoom:
            ControlFailure(
                code: ControlFailure.fileFailed,
                message: "\(name) (\(FileText.size(size))) is not in the folder: the stick has no room for it.",
                advice:
                    "Make room there or take another stick, then carry out again: --file \(String(file.prefix(FileInfo.idCharacters)))"
            )
        case .failed: nil
        }
    }
}
