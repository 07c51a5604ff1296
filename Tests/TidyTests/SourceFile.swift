import Foundation

/// One Swift file of the project, as the tidy rules see it.
struct SourceFile {
    /// Its path from the checkout's folder: `Sources/ParlanceCore/Engine/Engine.swift`.
    let path: String
    /// The unchanged lines.
    let lines: [String]
    /// The lines with every character of a comment or a string literal replaced by a space.
    let code: [String]
    let literals: [SourceMask.Literal]

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let masked = SourceMask.read(text)
        code = masked.code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        literals = masked.literals
    }

    /// `Sources` or `Tests`.
    var tree: String { component(0) }
    /// The target: the folder below the tree.
    var target: String { component(1) }
    /// Generated code keeps its own style.
    var isGenerated: Bool { path.contains("/Generated/") }

    private func component(_ index: Int) -> String {
        let components = path.split(separator: "/")
        return index < components.count ? String(components[index]) : ""
    }
}

/// Something that breaks a rule of the house.
struct Violation: Equatable, CustomStringConvertible {
    let path: String
    /// From 1.
    let line: Int
    let message: String

    var description: String { "\(path):\(line): \(message)" }
}

/// The project's files on this disk.
enum SourceTree {
    /// The checkout's folder, three levels above this file.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every Swift file below `Sources` and `Tests`, in the order of their paths.
    static func files(in tree: String? = nil) throws -> [SourceFile] {
        try all.get().filter { tree == nil || $0.tree == tree }
    }

    /// The modules of the local page.
    static func pageModules() throws -> [(path: String, text: String)] {
        let folder = "Sources/CParlancePage/assets"
        return try FileManager.default.contentsOfDirectory(atPath: root.appending(path: folder).path)
            .filter { $0.hasSuffix(".js") }.sorted()
            .map { ("\(folder)/\($0)", try text("\(folder)/\($0)")) }
    }

    /// Read once for all tests.
    private static let all = Result { try readFiles() }

    private static func readFiles() throws -> [SourceFile] {
        var files: [SourceFile] = []
        for tree in ["Sources", "Tests"] {
            let folder = root.appendingPathComponent(tree).resolvingSymlinksInPath()
            for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            where path.hasSuffix(".swift") {
                files.append(SourceFile(path: "\(tree)/\(path)", text: try read(folder.appendingPathComponent(path))))
            }
        }
        return files
    }

    /// The text of a file, by its path from the checkout's folder.
    static func text(_ path: String) throws -> String { try read(root.appendingPathComponent(path)) }

    private static func read(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }
}
