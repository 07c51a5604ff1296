/// The walls of the core's rooms (`contrib/CONTRIBUTING.md`, "The house").
enum RoomRule {
    /// The folder in which the engine joins the rooms. No file outside it extends the engine.
    static let engine = "Sources/ParlanceCore/Engine/"
    /// The rooms; each is in the file with its name.
    static let rooms: Set<String> = [
        "AddressBook", "Contacts", "Conversations", "Couriers", "DialBacks", "Dialing", "Links", "OwnWorkspace",
        "Preferences", "Presence", "Transfers", "VisibleNames",
        // Parts of rooms, whose state is private too.
        "ConversationSession", "Group", "LogState", "Marks", "PendingReads", "SendWindow",
    ]

    static func violations(in file: SourceFile) -> [Violation] {
        guard file.target == "ParlanceCore", file.tree == "Sources" else { return [] }
        return extensions(in: file) + openState(in: file) + changes(in: file) + chains(in: file)
    }

    /// The rooms that are declared in a file with their name.
    static func rooms(in file: SourceFile) -> [String] {
        guard file.target == "ParlanceCore", file.tree == "Sources" else { return [] }
        return file.code.map(name).filter { rooms.contains($0) && file.path.hasSuffix("/\($0).swift") }
    }

    private static func extensions(in file: SourceFile) -> [Violation] {
        guard !file.path.hasPrefix(engine) else { return [] }
        return file.code.indices.filter { words(of: file.code[$0]).starts(with: ["extension", "Engine"]) }.map { line in
            Violation(path: file.path, line: line + 1, message: "only files in \(engine) extend Engine")
        }
    }

    /// Changes of a conversation from outside its room: `change(_:_:)` serves the files of the room only.
    private static func changes(in file: SourceFile) -> [Violation] {
        guard !file.path.hasPrefix("Sources/ParlanceCore/Conversations/") else { return [] }
        return file.code.indices.filter { file.code[$0].contains("conversations.change") }.map { line in
            Violation(path: file.path, line: line + 1, message: "only the room of conversations changes one")
        }
    }

    /// Two optional subscripts in one chain. A wrong key is then a silent nothing, and the line knows how two types are
    /// built: the outer one gets a method instead.
    private static func chains(in file: SourceFile) -> [Violation] {
        // The search for a fixed text first: it is much faster than the pattern.
        let candidates = file.code.indices.filter { file.code[$0].contains("]?.") }
        return candidates.filter { file.code[$0].contains(/\]\?(\.\w+)+\[[^\]]*\]\?/) }.map { line in
            Violation(path: file.path, line: line + 1, message: "no chain of two optional subscripts")
        }
    }

    /// The stored properties of a room that code outside it can change.
    private static func openState(in file: SourceFile) -> [Violation] {
        guard let first = file.code.firstIndex(where: { rooms.contains(name(of: $0)) }) else { return [] }
        let end = file.code[first...].firstIndex { $0.hasPrefix("}") } ?? file.code.endIndex
        return (first..<end).filter { isOpen(file.code[$0]) }.map { line in
            let message = "stored state of \(name(of: file.code[first])) is private or private(set)"
            return Violation(path: file.path, line: line + 1, message: message)
        }
    }

    /// The name of the type that is declared at the left margin of this line; empty if there is none.
    private static func name(of line: String) -> String {
        guard let first = line.first, !first.isWhitespace else { return "" }
        let words = words(of: line).drop { modifiers.contains($0) }
        guard let keyword = words.first, ["struct", "class", "enum"].contains(keyword) else { return "" }
        return words.dropFirst().first.map(String.init) ?? ""
    }

    private static let modifiers: Set<Substring> = [
        "package", "internal", "private", "fileprivate", "final", "indirect",
    ]

    /// Whether a line declares a stored property of a top-level type that is not private. A computed property has its
    /// brace on the line.
    private static func isOpen(_ line: String) -> Bool {
        guard line.hasPrefix("    "), !line.hasPrefix("     "), !line.contains("{") else { return false }
        return words(of: line).first { $0 != "package" && $0 != "internal" } == "var"
    }

    private static func words(of line: String) -> [Substring] {
        Token.tokens(of: line).filter(\.isWord).map(\.text)
    }
}
