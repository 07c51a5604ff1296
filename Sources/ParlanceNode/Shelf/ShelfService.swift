import Dispatch
import Foundation
import Logging
import ParlanceCore
package import ParlanceFiles
import ParlanceStore
import ParlanceWire
import Synchronization

/// Does the work of the file shelf and reports the outcome to the node.
///
/// One queue writes, in the order of the work; another reads, so that reads never wait for a sync. A third reads the files
/// that programs give to the node, which can take minutes.
package final class ShelfService: Sendable {
    /// What the settings allow.
    package struct Allowance: Equatable, Sendable {
        /// Bytes of a file.
        var fileLimit: UInt64
        /// Bytes of all files that are whole; `nil` without an end.
        var quota: UInt64?

        package init(fileLimit: UInt64 = Limits.fileBytes, quota: UInt64? = nil) {
            (self.fileLimit, self.quota) = (fileLimit, quota)
        }
    }

    package let shelf: FileShelf
    let logger: Logger
    private let inbox: Inbox
    private let allowed: Mutex<Allowance>
    private let writer = DispatchQueue(label: "parlance.files.write")
    private let reader = DispatchQueue(label: "parlance.files.read")
    let taker = DispatchQueue(label: "parlance.files.take")
    /// Compares the shelf with the store.
    let keeper = DispatchQueue(label: "parlance.files.keep", qos: .utility)
    /// Bytes that may come before the shelf is compared with the quota again.
    let room = Mutex<UInt64>(0)
    /// Whether files are about to be removed to keep to the quota.
    let isShrinking = Atomic<Bool>(false)
    /// The files that messages name.
    let named: @Sendable () throws(StoreError) -> NamedFiles
    /// Files of which every chunk is written. Those that are told while others are made whole are made whole together.
    private let complete = Mutex<[FileID]>([])
    /// Bytes of chunks that wait to be written.
    private let waiting = Atomic<Int>(0)

    init(
        _ shelf: FileShelf,
        inbox: Inbox,
        logger: Logger,
        allowed: Allowance,
        named: @escaping @Sendable () throws(StoreError) -> NamedFiles
    ) {
        self.shelf = shelf
        self.inbox = inbox
        self.logger = logger
        self.allowed = Mutex(allowed)
        self.named = named
    }

    var allowance: Allowance { allowed.withLock { $0 } }

    package func use(_ allowance: Allowance) {
        allowed.withLock { $0 = allowance }
        keepToQuota()
    }

    /// Whether the disk is so far behind that no more chunks should come.
    var isBehind: Bool { waiting.load(ordering: .relaxed) >= Limits.waitingFileBytes }

    /// Returns at once.
    func perform(_ work: ShelfWork) {
        switch work {
        case .read(let id, let file, let range): reader.async { [self] in read(id, file, range) }
        case .keep(let file, let chunk, let pieces):
            let bytes = pieces.reduce(0) { $0 + $1.count }
            waiting.add(bytes, ordering: .relaxed)
            writer.async { [self] in
                let outcome = keep(pieces, as: chunk, of: file)
                waiting.subtract(bytes, ordering: .relaxed)
                tell(.kept(file, chunk: chunk, outcome))
            }
        case .look(let file): writer.async { [self] in tell(.looked(file, content(of: file))) }
        case .begin(let manifest): writer.async { [self] in tell(.begun(manifest.id, begin(manifest))) }
        case .finish(let file):
            complete.withLock { $0.append(file) }
            writer.async { [self] in finishAll() }
        case .rest(let file): writer.async { [self] in rest(file) }
        case .drop(let file): writer.async { [self] in shelf.drop(part: file) }
        }
    }

    /// Does something between two items of work, and tells the node which files have changed by it.
    func change(_ body: @escaping @Sendable (FileShelf) -> [FileID]) {
        writer.async { [self] in
            for file in body(shelf) { tell(.changed(file, content(of: file))) }
        }
    }

    /// Takes a file that a program of the user has written, under its name among the incoming.
    func add(_ name: String, limit: UInt64, then done: @escaping @Sendable (Result<FileManifest, ShelfError>) -> Void) {
        taker.async { [self] in
            do throws(ShelfError) {
                put(name, try shelf.look(at: name, limit: limit), then: done)
            } catch {
                shelf.removeIncoming(name)
                done(.failure(error))
            }
        }
    }

    /// Puts a file on the shelf that a program has written, and that was looked at, between two items of work.
    func put(
        _ name: String,
        _ manifest: FileManifest,
        then done: @escaping @Sendable (Result<FileManifest, ShelfError>) -> Void
    ) {
        writer.async { [self] in
            do throws(ShelfError) {
                try shelf.put(name, manifest)
                tell(.changed(manifest.id, .whole(manifest)))
                done(.success(manifest))
                keepToQuota(after: manifest.shape.size)
            } catch {
                shelf.removeIncoming(name)
                done(.failure(error))
            }
        }
    }

    /// Notes that files are about to be sent, and passes them on, between two items of work: nothing is removed between that
    /// and the message, since what was used within the last hour stays.
    ///
    /// - Parameter body: gets nil if one is not here as a whole; it must return soon.
    func claim(_ files: [FileID], _ body: @escaping @Sendable ([FileShelf.Entry]?) -> Void) {
        writer.async { [self] in
            for file in files { shelf.touch(file) }
            let entries = files.compactMap { shelf.entry(of: $0) }
            body(entries.count == files.count ? entries : nil)
        }
    }

    /// Reads a whole file. If its bytes have changed, it is removed, so that good ones can take its place.
    ///
    /// - Parameter done: gets whether the file is there and good.
    func verify(_ file: FileID, then done: @escaping @Sendable (Bool) -> Void) {
        taker.async { [self] in
            do throws(ShelfError) {
                try shelf.verify(file)
                done(true)
            } catch {
                logger.error("A file on the shelf could not be read", metadata: error.metadata)
                guard error == .damaged else { return done(false) }
                change { shelf in
                    shelf.remove(file)
                    done(false)
                    return [file]
                }
            }
        }
    }

    /// Finishes the work that was given, and notes what is there in part.
    package func stop() async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            writer.async { [self] in
                do throws(ShelfError) {
                    try shelf.restAll()
                } catch {
                    logger.error("What was fetched of a file could not be noted", metadata: error.metadata)
                }
                done.resume()
            }
        }
    }

    private func tell(_ news: ShelfNews) { inbox.offer(.shelf(news)) }

    // The work.

    private func content(of file: FileID) -> ShelfContent {
        do throws(ShelfError) {
            return try shelf.content(of: file)
        } catch {
            logger.error("A file on the shelf could not be read", metadata: error.metadata)
            return error == .damaged || error == .missing ? mended(file) : .nothing
        }
    }

    /// A file whose manifest is lost or damaged: its own bytes may be good, and nobody else may have them.
    private func mended(_ file: FileID) -> ShelfContent {
        do throws(ShelfError) {
            let manifest = try shelf.mend(file)
            logger.notice("The list of hashes of a file was written anew")
            return .whole(manifest)
        } catch {
            // Good bytes can take its place again.
            if error == .damaged { shelf.remove(file) }
            return .nothing
        }
    }

    private func begin(_ manifest: FileManifest) -> Result<ChunkSet, ShelfTrouble> {
        guard manifest.shape.size <= allowance.fileLimit else { return .failure(.failed(ShelfTrouble.tooLarge)) }
        do throws(ShelfError) {
            return .success(try shelf.begin(manifest))
        } catch {
            logger.error("A file cannot be fetched", metadata: error.metadata)
            return .failure(ShelfTrouble(error, on: shelf))
        }
    }

    private func keep(_ pieces: [Data], as chunk: Int, of file: FileID) -> ChunkOutcome {
        do throws(ShelfError) {
            return try shelf.write(pieces, as: chunk, of: file) ? .written : .wrong
        } catch {
            // Somebody has put it on the shelf meanwhile.
            if error == .missing, shelf.has(file) { return .written }
            logger.error("A part of a file could not be written", metadata: error.metadata)
            return .failed(ShelfTrouble(error, on: shelf))
        }
    }

    private func finishAll() {
        let files = complete.withLock { complete in
            defer { complete = [] }
            return complete
        }
        let faults = shelf.finish(files.filter { !shelf.has($0) })
        for file in files {
            if let fault = faults[file] {
                logger.error("A file that was fetched could not be kept", metadata: fault.metadata)
                tell(.finished(file, ShelfTrouble(fault, on: shelf)))
            } else {
                shelf.touch(file)
                keepToQuota(after: shelf.entry(of: file)?.size ?? 0)
                tell(.finished(file, nil))
            }
        }
    }

    private func rest(_ file: FileID) {
        do throws(ShelfError) {
            try shelf.rest(file)
        } catch {
            logger.error("What was fetched of a file could not be noted", metadata: error.metadata)
        }
    }

    private func read(_ id: ReadID, _ file: FileID, _ range: Range<UInt64>) {
        do throws(ShelfError) {
            tell(.read(id, try shelf.read(file, range)))
        } catch {
            // What was removed meanwhile is no failure.
            if error != .missing { logger.error("A file on the shelf could not be read", metadata: error.metadata) }
            tell(.read(id, nil))
        }
    }
}

extension ShelfError {
    fileprivate var metadata: Logger.Metadata { ["error": "\(self)"] }
}

extension ShelfTrouble {
    /// The `errno` of a file that is larger than allowed.
    static let tooLarge = EFBIG

    init(_ error: ShelfError, on shelf: FileShelf) {
        switch error {
        case .full(let needed, let free): self = .full(needed: needed, free: free)
        case .missing: self = .missing
        case .damaged, .changed, .malformed: self = .damaged
        case .tooLarge: self = .failed(Self.tooLarge)
        case .notAFile: self = .failed(EISDIR)
        case .failed(ENOSPC), .failed(EDQUOT):
            self = .full(needed: Limits.diskReserveBytes, free: (try? shelf.free()) ?? 0)
        case .failed(let code): self = .failed(code)
        }
    }
}
