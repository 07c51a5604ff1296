import CParlanceSystem
package import ParlanceWords
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file that a user named for what a command makes: it appears as a whole, for its owner only, and replaces nothing unless
/// the user asked for that. A signal that ends the command leaves nothing of it.
package final class OutputFile {
    package let path: UserPath
    private let file: AtomicFile
    private let isForced: Bool
    private let unfinished: UnfinishedFile
    /// Whether nobody but its owner can read the file, as it is in its place.
    package private(set) var isPrivate = false

    /// - Parameter isForced: whether to replace a file that exists.
    package init(_ path: UserPath, isForced: Bool) throws(ControlFailure) {
        self.path = path
        self.isForced = isForced
        var status = stat()
        if lstat(path.system, &status) == 0 {
            // Moving a file into the place of a device or of a link would remove that.
            guard status.st_mode & S_IFMT == S_IFREG else { throw Self.notAFile(path) }
            guard isForced else { throw Self.exists(path) }
        }
        unfinished = UnfinishedFile(nil)
        do throws(Errno) {
            file = try AtomicFile(path)
        } catch { throw Self.cannotWrite(path, error) }
        unfinished.begun([file.draft])
    }

    /// The bytes written so far.
    package var written: Int { file.written }

    package func append(_ bytes: [UInt8]) throws(ControlFailure) {
        do throws(Errno) {
            try file.append(bytes)
        } catch { throw Self.cannotWrite(path, error) }
    }

    /// Puts the file into its place, durably.
    package func finish() throws(ControlFailure) {
        let isMade: Bool
        do throws(Errno) {
            try file.finish()
            if isForced { try file.replace() }
            isMade = isForced ? true : try file.make()
        } catch { throw Self.cannotWrite(path, error) }
        unfinished.finish()
        isPrivate = hasOwnMode
        guard isMade else { throw Self.exists(path) }
    }

    /// Whether the file has the permissions that it was given: the file systems of most sticks have none.
    private var hasOwnMode: Bool {
        var status = stat()
        return lstat(path.system, &status) == 0 && status.st_mode & 0o077 == 0
    }

    /// Who can read the file once it is in its place.
    package var readers: Phrase { Self.readers(isPrivate: isPrivate) }

    package static func readers(isPrivate: Bool) -> Phrase {
        isPrivate
            ? Phrase("Only you can read the file.")
            : Phrase("Others can read the file: the file system there keeps no permissions.")
    }

    private static func exists(_ path: UserPath) -> ControlFailure {
        ControlFailure(
            code: ControlFailure.fileExists,
            message: "There is a file \(path.shown) already.",
            advice: "It was not changed. Name another one, or add --force to replace it."
        )
    }

    private static func notAFile(_ path: UserPath) -> ControlFailure {
        ControlFailure(
            code: ControlFailure.fileExists,
            message: "\(path.shown) is a folder, a link or a device, not an ordinary file.",
            advice: "Nothing was changed. Name another place."
        )
    }

    private static func cannotWrite(_ path: UserPath, _ reason: Errno) -> ControlFailure {
        ControlFailure(
            code: ControlFailure.fileCode(reason),
            message: "The file \(path.shown) cannot be written: \(reason.whyNotWritten).",
            advice: "Nothing was changed. Check that its folder exists and is yours, and that the disk has room."
        )
    }
}
