import ParlanceControl
import ParlanceCore
import ParlanceFiles
import ParlanceWire
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Where `fetch` puts what has come, checked before anything is fetched. A link at the end of a path is never followed.
struct FetchPlace: Equatable {
    let folder: String
    /// The name that the user wants; nil for the name of each file.
    let name: String?

    /// - Parameter path: nil for the current folder.
    init(_ path: String?) throws(ControlFailure) {
        guard let path else {
            (folder, name) = (".", nil)
            return
        }
        var status = stat()
        // With a slash behind it the system would follow a link.
        let bare = Self.withoutSlashes(path)
        if lstat(bare, &status) == 0 {
            guard status.st_mode & S_IFMT == S_IFDIR else {
                let isLink = status.st_mode & S_IFMT == S_IFLNK
                throw ControlFailure(
                    code: ControlFailure.fileExists,
                    message: isLink
                        ? "\(path) is a link, and links are not followed." : "There is a file \(path) already.",
                    advice: "It was not changed. Name another place, or a folder, with --to."
                )
            }
            (folder, name) = (bare, nil)
            return
        }
        let isNamed = errno == ENOENT && !path.isEmpty && bare == path
        let slash = path.lastIndex(of: "/")
        let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let last = slash.map { String(path[path.index(after: $0)...]) } ?? path
        // Only the last part of a path is not followed.
        guard isNamed, last.utf8.count <= 255, let real = realpath(parent, nil) else { throw Self.noFolder(path) }
        defer { free(real) }
        guard stat(real, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { throw Self.noFolder(path) }
        (folder, name) = (parent == "." ? "." : String(cString: real), last)
    }

    private static func withoutSlashes(_ path: String) -> String {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        return path
    }

    private static func noFolder(_ path: String) -> ControlFailure {
        ControlFailure(
            code: ControlFailure.fileFailed,
            message: "There is no folder for \(path).",
            advice: "Name a folder that exists, or a new file in one."
        )
    }

    /// Copies a file that is here, or unpacks a folder.
    ///
    /// - Returns: the path of what was made.
    func save(_ file: FileInfo, from source: FilePathReply, _ session: Session) throws(ControlFailure) -> String {
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
        do throws(ShelfError) {
            guard let id = Base32.decode(file.file).flatMap({ FileID($0) }) else { throw .damaged }
            let made =
                file.folder == true
                ? try FolderUnpacking.unpack(source.path, id, to: folder, as: wanted) { show($0) }
                : try FileDelivery.copy(source.path, id, to: folder, as: wanted) { show($0) }
            return folder == "." ? made : folder + (folder.hasSuffix("/") ? "" : "/") + made
        } catch {
            throw ControlFailure(saving: name ?? file.name, to: folder, error)
        }
    }
}
