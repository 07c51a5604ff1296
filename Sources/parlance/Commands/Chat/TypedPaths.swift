import Dispatch
import FoundationEssentials
import ParlanceChat
import ParlanceControl
import ParlanceWords

/// The paths that are typed in the chat, which no shell has seen. Folders are read beside the screen: one on a slow disk
/// does not hold up what is typed.
struct TypedPaths: Sendable {
    /// Names of one folder that are offered: more than anybody reads.
    private static let most = 200

    private let queue = DispatchQueue(label: "parlance.chat.paths")
    private let tell: @Sendable (ChatInput) -> Void

    /// - Parameter tell: takes what was found.
    init(_ tell: @escaping @Sendable (ChatInput) -> Void) {
        self.tell = tell
    }

    /// Finds what the beginning of a path may become.
    func list(_ typed: String) {
        queue.async { [tell] in tell(.pathsListed(typed: typed, Self.paths(from: typed))) }
    }

    /// The paths that begin so, folders with a slash behind them; hidden ones only if the dot is typed.
    static func paths(from typed: String) -> [String] {
        let name = typed.split(separator: "/", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        let start = String(typed.dropLast(name.count))
        let folder = start.isEmpty ? "." : expanded(start)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let found = names.filter { $0.hasPrefix(name) && (name.hasPrefix(".") || !$0.hasPrefix(".")) && isOneLine($0) }
        return found.sorted().prefix(most).map { found in
            var isFolder = false
            let isThere = FileManager.default.fileExists(atPath: folder + "/" + found, isDirectory: &isFolder)
            return start + found + (isThere && isFolder ? "/" : "")
        }
    }

    /// A name with control characters could steer the screen, and a line feed would end the line.
    private static func isOneLine(_ name: String) -> Bool { VisibleText.line(name) == name }

    /// The path with the home folder for `~`.
    static func expanded(_ path: String) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = ControlPaths.home(Terminal.environment) else {
            return path
        }
        return home + path.dropFirst()
    }
}
