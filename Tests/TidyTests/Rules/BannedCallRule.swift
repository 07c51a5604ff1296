/// Words that must not occur in the code of some targets, each with the reason.
enum BannedCallRule {
    static func violations(in file: SourceFile) -> [Violation] {
        guard file.tree == "Sources", !file.isGenerated else { return [] }
        let table = tables[file.target] ?? BanTable(everywhere)
        return file.code.enumerated().flatMap { index, line -> [Violation] in
            let tokens = Token.tokens(of: line)
            let bans = table.bans(in: tokens).filter { exceptions[$0.name] != file.path }
            var found = bans.map { "\($0.name): \($0.reason)" }
            if unwrapsByForce(tokens) { found.append("!: a remote crash; use guard let and handle nil") }
            if isPublic(tokens) { found.append("public: we publish no library; use package or internal") }
            return found.map { Violation(path: file.path, line: index + 1, message: $0) }
        }
    }

    /// The one place of each: no package compiles what stops the program; and what a request asks for begins at once, in the
    /// order of its connection.
    private static let exceptions = [
        "fatalError": "Sources/ParlanceWire/Invariant.swift",
        "Task": "Sources/ParlanceControl/Operations/ControlMethods.swift",
    ]

    /// Whether a line unwraps an optional by force: an exclamation mark attached to an expression.
    private static func unwrapsByForce(_ tokens: [Token]) -> Bool {
        tokens.indices.dropFirst().contains { index in
            let before = tokens[index - 1]
            guard tokens[index].text == "!", tokens[index].isAttached, before.text != "try", before.text != "as" else {
                return false
            }
            let isComparison = index + 1 < tokens.count && tokens[index + 1].text == "=" && tokens[index + 1].isAttached
            return (before.isWord || [")", "]", "}"].contains(before.text)) && !isComparison
        }
    }

    /// Whether a line declares something public; `public` may also be a label or a name.
    private static func isPublic(_ tokens: [Token]) -> Bool {
        zip(tokens, tokens.dropFirst()).contains { word, next in
            ["public", "open"].contains(word.text) && declarations.contains(next.text)
        }
    }

    private static let declarations: Set<Substring> = [
        "func", "var", "let", "struct", "class", "enum", "protocol", "extension", "init", "typealias", "import",
        "static", "actor", "final", "mutating", "subscript", "indirect", "convenience", "override", "required",
        "nonisolated", "internal", "package", "private", "fileprivate", "weak", "lazy", "macro",
    ]

    /// Banned in all targets.
    private static let everywhere = [
        Ban("try!", ["try!"], "a remote crash; handle the error"),
        Ban("as!", ["as!"], "a remote crash; use as? and handle nil"),
        Ban("fatalError", ["fatalError("], "a remote crash; throw, or close the link"),
        Ban("Task", ["Task{", "Task(", "Task<", "Task.detached", "Task.immediate"], "structured concurrency only"),
        Ban("sleep", ["sleep(", "usleep(", "nanosleep("], "wait for the event or the next deadline instead"),
    ]

    private static let clock = "a pure target asks no clock; time is an argument"
    private static let output = "a pure target does no input or output"
    private static let tasks = "a pure target has no tasks, threads or waiting"
    private static let chance = "what is random comes in as data, so that a run can be replayed"

    /// Banned in pure targets, so that they can be replayed.
    private static let pure = [
        Ban("Date", ["Date(", "Date.now"], clock),
        Ban("clock", ["ContinuousClock", "SuspendingClock", "DispatchTime", "DispatchWallTime"], clock),
        Ban("clock", ["clock_gettime", "gettimeofday", "mach_absolute_time", "time(nil"], clock),
        Ban("print", ["print(", "debugPrint(", "dump("], output, notAfter: [".", "func"]),
        Ban(
            "files",
            ["FileManager", "FileHandle", "open(", "fopen(", "socket("],
            output,
            notAfter: [".", "func", "case"]
        ),
        Ban("environment", ["ProcessInfo", "CommandLine", "getenv("], output),
        Ban("concurrency", ["async", "await", "actor", "Thread", "DispatchQueue", "Timer"], tasks),
        Ban("random", ["SystemRandomNumberGenerator", "random(", "randomElement(", "shuffle(", "shuffled("], chance),
        Ban("random", ["arc4random", "arc4random_uniform", "getrandom(", "getentropy(", "UUID()"], chance),
    ]

    /// Only shells and the assembly make random bytes; `ParlanceSodium` provides them.
    private static let randomBytes = [
        Ban("random", ["RandomBytes", "randombytes_buf", "randombytes_random", "randomCount", "generate("], chance)
    ]

    /// Everything that is banned in the pure targets.
    private static let tables: [String: BanTable] = [
        "ParlancePictures": BanTable(everywhere + pure + randomBytes),
        "ParlanceTerminal": BanTable(everywhere + pure), "ParlanceChat": BanTable(everywhere + pure),
        "ParlanceTexts": BanTable(everywhere + pure + randomBytes),
        "ParlanceSodium": BanTable(everywhere + pure), "ParlanceNoise": BanTable(everywhere + pure + randomBytes),
        "ParlanceLetters": BanTable(everywhere + pure + randomBytes),
        "ParlanceErrorCode": BanTable(everywhere + pure + randomBytes),
        "ParlanceWire": BanTable(everywhere + pure + randomBytes),
        "ParlanceRecords": BanTable(everywhere + pure + randomBytes),
        "ParlanceAudit": BanTable(everywhere + pure + randomBytes),
        "ParlanceHistory": BanTable(everywhere + pure + randomBytes),
        "ParlanceCore": BanTable(everywhere + pure + randomBytes),
    ]
}
