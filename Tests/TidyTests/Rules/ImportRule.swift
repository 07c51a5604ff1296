/// Which target may import which: the three rules of the house (`contrib/CONTRIBUTING.md`).
enum ImportRule {
    /// The pure targets, with everything that each may import.
    static let pure: [String: Set<String>] = [
        "ParlanceWords": ["CParlanceCatalogue"],
        "ParlanceTerminal": [],
        "ParlanceLetters": [],
        "ParlanceErrorCode": [],
        "ParlancePictures": [],
        "ParlanceEmbedding": ["CParlanceKernel", "CUtf8proc", "FoundationEssentials"],
        // The values of the node's API in words. The API itself knows none of them.
        "ParlanceTexts": ["ParlanceControl", "ParlanceWords"],
        "ParlanceChat": ["ParlanceWords", "ParlanceTerminal", "ParlanceTexts", "ParlanceLetters", "ParlanceControl"],
        // Keys share pages, so a lock; it is neither a clock, randomness, input, output nor a task.
        "ParlanceSodium": ["CSodium", "Synchronization"],
        "ParlanceNoise": ["ParlanceSodium"],
        "ParlanceWire": ["SwiftProtobuf", "FoundationEssentials"],
        "ParlanceRecords": ["ParlanceWire", "ParlanceSodium", "FoundationEssentials"],
        // The auditor states the rules a second time: it may know nothing of those that ship.
        "ParlanceAudit": ["ParlanceRecords", "ParlanceWire"],
        "ParlanceHistory": ["ParlanceRecords", "ParlanceSodium", "ParlanceWire", "FoundationEssentials"],
        "ParlanceCore": [
            "ParlanceHistory", "ParlanceLetters", "ParlanceErrorCode", "ParlanceRecords", "ParlanceWire",
            "ParlanceSodium", "CUtf8proc",
            "Collections", "OrderedCollections", "DequeModule", "FoundationEssentials",
        ],
    ]
    /// The shells: they talk to the machine and to people, and never to each other.
    static let shells: Set<String> = [
        "ParlanceStore", "ParlanceFiles", "ParlanceNetwork", "ParlanceControl", "ParlanceWeb",
        "ParlanceAssistant",
    ]
    /// The application: it connects the core with the shells, and knows nothing of the daemon around it.
    static let application: Set<String> = ["ParlanceProfile", "ParlanceNode"]
    /// The only target that may import all others.
    static let assembly = "ParlanceDaemon"

    static func violations(in file: SourceFile) -> [Violation] {
        guard file.tree == "Sources", !file.isGenerated else { return [] }
        return imports(of: file).compactMap { line, module in
            complaint(about: module, in: file.target).map { Violation(path: file.path, line: line, message: $0) }
        }
    }

    /// The modules that a file imports, each with its line.
    static func imports(of file: SourceFile) -> [(line: Int, module: String)] {
        file.code.enumerated().compactMap { index, line in
            let words = Token.tokens(of: line).filter(\.isWord).map(\.text)
            guard let keyword = words.firstIndex(of: "import"), words[..<keyword].allSatisfy(modifiers.contains) else {
                return nil
            }
            return words[(keyword + 1)...].first { !kinds.contains($0) }.map { (index + 1, String($0)) }
        }
    }

    /// What may precede the word import.
    private static let modifiers: Set<Substring> = [
        "package", "internal", "private", "fileprivate", "public", "preconcurrency", "testable", "_exported",
        "_implementationOnly", "_spi",
    ]
    /// Keywords that may be between `import` and the module.
    private static let kinds: Set<Substring> = [
        "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]

    private static func complaint(about module: String, in target: String) -> String? {
        if let allowed = pure[target], !allowed.contains(module) {
            return "\(target) is pure and imports \(module); it may import \(allowed.sorted().joined(separator: ", "))"
        }
        if lean.contains(target), module == "Foundation" {
            return "\(target) is in the command, which would get 38 MiB of ICU's tables: import FoundationEssentials"
        }
        if clients.contains(target), api.contains(module) { return nil }
        let isAbove = module == assembly || application.contains(module)
        let isShell = shells.contains(module) || api.contains(module)
        if shells.contains(target), isAbove || isShell && module != target {
            return "\(target) is a shell and imports \(module); shells know neither each other nor what uses them"
        }
        if application.contains(target), module == assembly {
            return "\(target) is the application and imports \(module), which starts it"
        }
        if target == "ParlanceControl", !vocabulary.contains(module), pure.keys.contains(module) {
            return "ParlanceControl speaks text to people and programs and must not import \(module)"
        }
        if target == "ParlanceTestKit", shells.contains(module) || isAbove {
            return "ParlanceTestKit stands beside the core and must not import \(module)"
        }
        return nil
    }

    /// The node's API, and what people are told of its values.
    private static let api: Set<String> = ["ParlanceControl", "ParlanceTexts"]

    /// The pure targets of which the node's API is made.
    private static let vocabulary: Set<String> = ["ParlanceWords", "ParlanceErrorCode"]

    /// Besides the pure targets, what the command is made of.
    private static let lean: Set<String> = ["ParlanceControl", "ParlanceFiles", "parlance"]

    /// The server of the local page and the assistant, which are clients of the node's API.
    private static let clients: Set<String> = ["ParlanceWeb", "ParlanceAssistant"]

    /// The program that may know a second shell: it copies the user's files itself, in both directions.
    private static let command = (target: "parlance", shells: ["ParlanceControl", "ParlanceFiles"] as Set)

    /// Targets other than the application and the assembly that import several shells, in the order of their names.
    static func severalShells(in files: [SourceFile]) -> [Violation] {
        var known: [String: [(shell: String, at: Violation)]] = [:]
        for file in files
        where file.tree == "Sources" && file.target != assembly && !application.contains(file.target) {
            for (line, module) in imports(of: file) where shells.contains(module) {
                let message = "\(file.target) imports several shells; only the application and the assembly may"
                let violation = Violation(path: file.path, line: line, message: message)
                known[file.target, default: []].append((module, violation))
            }
        }
        return known.sorted { $0.key < $1.key }.compactMap { target, uses in
            let shells = Set(uses.map(\.shell))
            if target == command.target, shells.isSubset(of: command.shells) { return nil }
            return shells.count > 1 ? uses.last?.at : nil
        }
    }
}
