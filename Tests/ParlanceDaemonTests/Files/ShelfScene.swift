import Foundation
import Logging
import ParlanceCore
import ParlanceFiles
import ParlanceStore
import ParlanceWaiting
import ParlanceWire
import Synchronization

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// A shelf in a folder of its own, and what its service has told the node.
final class ShelfScene: Sendable {
    let folder: String
    let service: ShelfService
    private let told = Mutex<[ShelfNews]>([])
    private let inbox = Inbox()

    /// - Parameter folder: an existing one, which somebody else removes.
    init(
        in folder: String,
        allowed: ShelfService.Allowance = .init(),
        named: @escaping @Sendable () throws(StoreError) -> NamedFiles = { () throws(StoreError) in NamedFiles() }
    ) throws {
        self.folder = folder
        service = ShelfService(
            try FileShelf(at: folder + "/files"),
            inbox: inbox,
            logger: Logger(label: "shelf") { _ in SwiftLogNoOpLogHandler() },
            allowed: allowed,
            named: named
        )
        inbox.onWake { [weak self, inbox] in
            for case .input(.shelf(let news)) in inbox.take(at: 0) { self?.told.withLock { $0.append(news) } }
        }
    }

    /// Runs a test with a new folder.
    static func withFolder(_ body: (String) async throws -> Void) async throws {
        let path = NSTemporaryDirectory() + "/parlance-files-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    /// Waits for so many news, and takes them.
    func news(_ count: Int) async throws -> [ShelfNews] {
        try await eventually("\(count) news of the shelf", last: "\(told.withLock { $0 })") {
            told.withLock { $0.count } >= count
        }
        return told.withLock { told in
            defer { told = [] }
            return told
        }
    }

    /// Puts a file on the shelf as a program does.
    func put(_ file: SampleFile) throws -> FileManifest {
        let name = UUID().uuidString
        try Data(file.bytes).write(to: URL(fileURLWithPath: service.shelf.incoming(name)))
        return try service.shelf.take(name)
    }

    /// Makes a file count as last used at that time, in seconds since 1970.
    func setUsed(_ file: FileID, _ time: Int64) throws {
        guard let path = service.shelf.path(of: file) else { throw ShelfError.missing }
        try Self.setTime(path, time)
    }

    static func setTime(_ path: String, _ time: Int64) throws {
        let date = Date(timeIntervalSince1970: TimeInterval(time))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }
}

/// A file with bytes that follow from a number.
struct SampleFile {
    let bytes: [UInt8]
    let manifest: FileManifest

    init(_ count: Int, number: UInt64 = 1) throws {
        var random = number
        bytes = (0..<count).map { _ in
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: random >> 33)
        }
        var hasher = FileHasher(try FileShape(size: UInt64(count)))
        try hasher.update(bytes)
        manifest = try hasher.finish()
    }

    var id: FileID { manifest.id }

    /// A chunk in pieces of 32 KiB.
    func pieces(_ chunk: Int) -> [Data] {
        guard let range = manifest.shape.range(of: chunk) else { return [] }
        let bytes = self.bytes[Int(range.lowerBound)..<Int(range.upperBound)]
        return stride(from: bytes.startIndex, to: bytes.endIndex, by: 32_768).map {
            Data(bytes[$0..<min($0 + 32_768, bytes.endIndex)])
        }
    }
}
