import CParlanceSystem
import Foundation
import Glibc
import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceWords

/// A file in the folder of hooks that is, or is meant to be, a hook.
struct HookFile: Equatable, Sendable {
    /// Why a file is not run. Nobody but the user and root may say what runs as the user.
    enum Fault: Equatable, Sendable {
        case unknownEvent
        case tooMany
        case cannotBeRead(Int32)
        /// Its name is not UTF-8.
        case nameIsNoText
        case noFile
        case notExecutable
        /// Somebody else owns it or a folder above it.
        case otherOwner(String)
        /// Others can write to it, or to a folder above it, and put another file in its place.
        case writable(String)
    }

    let name: String
    /// Its full path in the folder of hooks.
    let path: String
    /// Nil if its name says no event.
    let kind: HookKind?
    let fault: Fault?

    init(name: String, in folder: String, isOneTooMany: Bool = false) {
        self.name = name
        path = folder + "/" + name
        guard case .hook(let kind) = HookKind.FileName(name) else {
            (self.kind, fault) = (nil, .unknownEvent)
            return
        }
        self.kind = kind
        fault = isOneTooMany ? .tooMany : Self.fault(of: path)
    }

    /// What keeps a file from being run now; it is checked before each run.
    static func fault(of path: String) -> Fault? {
        guard let buffer = realpath(path, nil) else {
            // What is not UTF-8 was read as U+FFFD, and no file has that name.
            return errno == ENOENT && path.contains("\u{FFFD}") ? .nameIsNoText : .cannotBeRead(errno)
        }
        let real = String(cString: buffer)
        free(buffer)
        var status = stat()
        guard stat(real, &status) == 0 else { return .cannotBeRead(errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { return .noFile }
        if let fault = fault(of: status, at: real) { return fault }
        guard access(real, X_OK) == 0 else { return .notExecutable }
        // Whoever may write to a folder above it may put another file in its place.
        var folder = real
        while let end = folder.lastIndex(of: "/") {
            folder = String(folder[..<end])
            let above = folder.isEmpty ? "/" : folder
            guard stat(above, &status) == 0 else { return .cannotBeRead(errno) }
            if let fault = fault(of: status, at: above) { return fault }
        }
        return nil
    }

    private static func fault(of status: stat, at path: String) -> Fault? {
        let isFolder = status.st_mode & S_IFMT == S_IFDIR
        let isTrusted = [geteuid(), 0].contains(status.st_uid) || isFolder && status.st_uid == ownerOfSystemFolders
        guard isTrusted else { return .otherOwner(path) }
        let isFolderOfAll = isFolder && status.st_mode & S_ISVTX != 0
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 || isFolderOfAll else { return .writable(path) }
        return nil
    }

    /// The user who seems to own the folders of the system: root, or `nobody` in the user namespace of a service that an
    /// ordinary user's systemd runs (`PrivateUsers`), which does not show root.
    private static let ownerOfSystemFolders: uid_t = {
        let map = try? String(contentsOfFile: "/proc/self/uid_map", encoding: .utf8)
        return map.map(hidesRoot) == true ? 65_534 : 0
    }()

    /// Whether a map of user IDs leaves 0 out (user_namespaces(7)): lines of the first ID inside, outside, and their number.
    static func hidesRoot(_ map: String) -> Bool {
        !map.split(separator: "\n").contains { $0.split(separator: " ").first == "0" }
    }
}

extension HookFile {
    /// Why it is not run, and what to do; nil if it is run.
    var problem: NodeStatus.Problem? { fault.map { problem($0) } }

    func problem(_ fault: Fault) -> NodeStatus.Problem {
        let (name, path) = (name.withoutControlCharacters, path.withoutControlCharacters)
        let code = "hook"
        switch fault {
        case .unknownEvent:
            let kinds = HookKind.allCases.map { "on-\($0.rawValue)" }.joined(separator: ", ")
            return Problem(
                code: code,
                message: "The hook \(name) is not run: its name says no event.",
                advice: "Rename it. A hook is called one of \(kinds), or such a name followed by -NAME."
            )
        case .tooMany:
            return Problem(
                code: code,
                message: "The hook \(name) is not run: there are more than \(HookLimits.files) hooks.",
                advice: "Remove some, or let one hook do the work of several."
            )
        case .cannotBeRead(let number):
            let reason = String(cString: strerror(number))
            return Problem(
                code: code,
                message: "The hook \(name) is not run: \(reason).",
                advice: "Look at \(path)."
            )
        case .nameIsNoText:
            return Problem(
                code: code,
                message: "The hook \(name) is not run: its name is not UTF-8.",
                advice: "Rename it."
            )
        case .noFile:
            return Problem(
                code: code,
                message: "The hook \(name) is not run: it is not a file.",
                advice: "Look at \(path)."
            )
        case .notExecutable:
            return Problem(
                code: code,
                message: "The hook \(name) is not run: it is not executable.",
                advice: "Make it so: chmod u+x \(path)"
            )
        case .otherOwner(let place):
            let place = place.withoutControlCharacters
            return Problem(
                code: code,
                message: "The hook \(name) is not run: \(place) belongs to another user.",
                advice: "Put a copy of your own in its place."
            )
        case .writable(let place):
            let place = place.withoutControlCharacters
            return Problem(
                code: code,
                message: "The hook \(name) is not run: others can write to \(place).",
                advice: "Keep it to yourself: chmod go-w \(place)"
            )
        }
    }

    private typealias Problem = NodeStatus.Problem
}
