import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceFiles
import ParlanceRecords
import ParlanceTexts
import ParlanceWire
import ParlanceWords
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where `fetch` puts what has come, checked before anything is fetched. A link at the end of a path is never followed.
struct FetchPlace: Equatable {
    let folder: UserPath
    /// The name that the user wants; nil for the name of each file.
    let name: UserPath?

    /// - Parameter path: nil for the current folder.
    init(_ path: UserPath?) throws(ControlFailure) {
        guard let path else {
            (folder, name) = (".", nil)
            return
        }
        var status = stat()
        // With a slash behind it the system would follow a link.
        let bare = path.withoutSlashes
        if lstat(bare.system, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                let isLink = status.st_mode & S_IFMT == S_IFLNK
                throw ControlFailure(
                    code: ControlFailure.fileExists,
                    message: isLink
                        ? "\(path.shown) is a link, and links are not followed."
                        : "There is a file \(path.shown) already.",
                    advice: "It was not changed. Name another place, or a folder, with --to."
                )
            }
            (folder, name) = (bare, nil)
            return
        }
        let reason = Errno(rawValue: errno)
        let isNamed = !path.bytes.isEmpty && bare == path
        let (parent, last) = path.parts
        guard reason != .permissionDenied else { throw Self.denied(path) }
        // Only the last part of a path is not followed.
        guard isNamed, [.noSuchFileOrDirectory, .invalidArgument, .fileNameTooLong].contains(reason),
            let real = realpath(parent.system, nil)
        else { throw isNamed && Errno.current == .permissionDenied ? Self.denied(path) : Self.noFolder(path) }
        defer { free(real) }
        guard stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw Self.noFolder(path) }
        // The folder is there, so it is the name that its file system does not take.
        guard reason == .noSuchFileOrDirectory else { throw Self.badName(last, in: parent, reason) }
        let whole = UserPath(bytes: UnsafeRawBufferPointer(start: real, count: strlen(real)))
        (folder, name) = (parent == "." ? "." : whole, last)
    }

    private static func denied(_ path: UserPath) -> ControlFailure {
        ControlFailure(
            code: ControlFailure.fileDenied,
            message: "You are not permitted to open \(path.shown): \(Errno.permissionDenied.description).",
            advice: "Change the permissions of the folders above it, or name another place with --to."
        )
    }

    /// The folder that the path names, or that its file would be in, is missing or is something else.
    private static func noFolder(_ path: UserPath) -> ControlFailure {
        let bare = path.withoutSlashes
        let folder = bare == path && !path.bytes.isEmpty ? path.parts.folder : bare
        var status = stat()
        guard stat(folder.system, &status) != 0 else {
            return ControlFailure(
                code: ControlFailure.fileFailed,
                message: "\(folder.shown) is not a folder, so nothing can be saved there.",
                advice: "Nothing was fetched. Name a folder that exists with --to, or a new file in one."
            )
        }
        return ControlFailure(
            code: ControlFailure.fileFailed,
            message: "The folder \"\(folder.shown)\" does not exist, so nothing can be saved there.",
            advice: "Nothing was fetched. Make the folder first, or name one that exists with --to."
        )
    }

    private static func badName(_ name: UserPath, in folder: UserPath, _ reason: Errno) -> ControlFailure {
        ControlFailure(
            code: ErrorCode.invalidValue.rawValue,
            message: "\(name.shown) cannot be written to \(folder.shown): \(reason.whyNotWritten).",
            advice: "Name the file in another way with --to."
        )
    }

    /// Copies a file that is here, or unpacks a folder.
    ///
    /// - Returns: the path of what was made, and what in it could not keep its name.
    func save(
        _ file: FileInfo,
        from source: FilePathReply,
        _ session: Session
    ) throws(ControlFailure) -> (path: UserPath, renamings: [FolderListing.Renaming]) {
        let wanted: FileDelivery.Name = name.map { .exact($0) } ?? .free(SafeFileName(file.name))
        var line = ProgressLine(isWanted: !session.json)
        var pace = TransferPace()
        defer { line.clear() }
        func show(_ done: UInt64) {
            pace.saw(done, at: Moment.milliseconds)
            line.show(
                VisibleText.line(say("Saving \(file.name): \(FileText.progress(done, of: file.size, rate: pace.rate))"))
            )
        }
        var renamings: [FolderListing.Renaming] = []
        func list(_ listing: FolderListing) { renamings = listing.renamings }
        do throws(ShelfError) {
            guard let id = Base32.decode(file.file).flatMap({ FileID($0) }) else { throw .damaged }
            let made =
                file.folder == true
                ? try FolderUnpacking.unpack(source.path, id, to: folder, as: wanted, progress: show, listed: list)
                : try FileDelivery.copy(source.path, id, to: folder, as: wanted) { show($0) }
            return (folder == "." ? made : folder.appending(made), renamings)
        } catch {
            throw ControlFailure(saving: name?.shown ?? file.name, to: folder.shown, error)
        }
    }
}
