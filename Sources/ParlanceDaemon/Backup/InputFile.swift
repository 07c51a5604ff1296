import CParlanceSystem
import Foundation
import ParlanceControl
import ParlanceErrorCode
import ParlanceWords
import SystemPackage

/// A file that is read from its beginning to its end.
final class InputFile: Sendable {
    let path: String
    /// Its size when it was opened.
    let byteCount: Int
    private let descriptor: Int32

    convenience init(_ path: String) throws(ControlFailure) {
        try self.init(UserPath(path))
    }

    init(_ file: UserPath) throws(ControlFailure) {
        path = file.shown
        descriptor = open(file.system, O_RDONLY | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0 else { throw .cannotRead(path, errno) }
        guard fstat(descriptor, &status) == 0 else {
            let reason = errno
            close(descriptor)
            throw .cannotRead(path, reason)
        }
        byteCount = Int(status.st_size)
    }

    deinit { close(descriptor) }

    /// The next bytes; fewer than `count` at the end.
    func next(_ count: Int) throws(BackupFault) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var used = 0
        while used < count {
            let read = bytes.withUnsafeMutableBytes { buffer in
                Foundation.read(descriptor, buffer.baseAddress?.advanced(by: used), count - used)
            }
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else { throw .unreadable(reason: errno) }
            if read == 0 { break }
            used += read
        }
        return Array(bytes[..<used])
    }

    /// A small file as a whole; nil if there is none.
    ///
    /// - Parameter most: the most bytes that it may have.
    static func contents(of path: String, most: UInt64) throws(ControlFailure) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let file = try InputFile(path)
        let bytes: [UInt8]
        do throws(BackupFault) {
            bytes = try file.next(Int(most) + 1)
        } catch { throw error.failure(path) }
        guard bytes.count <= most else {
            throw ControlFailure(
                code: ControlFailure.fileFailed,
                message: "The file \(path) is too long for a backup.",
                advice: "It should have at most \(most) bytes."
            )
        }
        return bytes
    }
}

extension ControlFailure {
    fileprivate static func cannotRead(_ path: String, _ reason: Int32) -> ControlFailure {
        ControlFailure(
            code: fileCode(Errno(rawValue: reason)),
            message: "The file \(path) cannot be read: \(String(cString: strerror(reason))).",
            advice: "Check its path, and whether you may read it."
        )
    }
}

extension BackupFault {
    /// The same for people.
    func failure(_ path: String) -> ControlFailure {
        switch self {
        case .unreadable(let reason): return .cannotRead(path, reason)
        case .noMemory(let bytes):
            return ControlFailure(
                code: ControlFailure.fileFailed,
                message: """
                    Checking the passphrase takes \(bytes / 1_048_576) MiB of memory, which this machine does not give now.
                    """,
                advice: "Close something and try again; nothing was changed."
            )
        default:
            return ControlFailure(code: ErrorCode.invalidValue.rawValue, message: words(path), advice: advice)
        }
    }

    private func words(_ path: String) -> Phrase {
        switch self {
        case .notABackup: Phrase("\(path) is not a backup of Parlance.")
        case .newer: Phrase("A newer Parlance made the backup \(path).")
        case .truncated: Phrase("The backup \(path) is not complete: its end is missing.")
        case .wrongPassphrase: Phrase("That is not the passphrase of the backup \(path), or its beginning is damaged.")
        case .costly:
            Phrase("Checking the passphrase of \(path) would take more time and memory than for any backup of ours.")
        case .continued: Phrase("The backup \(path) is damaged: something follows its end.")
        case .damaged, .parts, .noMemory, .unreadable: Phrase("The backup \(path) is damaged.")
        }
    }

    private var advice: Phrase {
        switch self {
        case .newer: Phrase("Update Parlance, then try again; nothing was changed.")
        case .wrongPassphrase: Phrase("Try again; nothing was changed. Without its passphrase nobody can open it.")
        default: Phrase("Nothing was changed. Use another copy of the file, or an older backup.")
        }
    }
}
