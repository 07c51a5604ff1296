import Testing

/// Each rule detects an invented violation, and accepts correct code.
@Suite struct RuleTests {
    private func file(_ target: String, _ text: String, tree: String = "Sources") -> SourceFile {
        SourceFile(path: "\(tree)/\(target)/Made.swift", text: text)
    }

    @Test(arguments: [
        ("ParlanceCore", "import NIOCore"), ("ParlanceCore", "package import GRDB"), ("ParlanceWire", "import Logging"),
        ("ParlanceNoise", "import Foundation"), ("ParlanceCore", "import Foundation"),
        ("parlance", "import Foundation"),
        ("ParlanceSodium", "@preconcurrency import Glibc"),
        ("ParlanceCore", "import Dispatch"), ("ParlanceCore", "import struct NIOCore.ByteBuffer"),
        ("ParlanceStore", "import ParlanceNetwork"), ("ParlanceNetwork", "import ParlanceControl"),
        ("ParlanceControl", "internal import ParlanceStore"), ("ParlanceControl", "import ParlanceWire"),
        ("ParlanceNetwork", "import ParlanceDaemon"), ("ParlanceTestKit", "import ParlanceStore"),
        ("ParlanceAudit", "import ParlanceCore"), ("ParlanceAudit", "package import ParlanceHistory"),
        ("ParlanceRecords", "import ParlanceCore"), ("ParlanceErrorCode", "import ParlanceWords"),
        ("ParlanceNode", "import ParlanceDaemon"), ("ParlanceStore", "import ParlanceProfile"),
        ("ParlanceTestKit", "import ParlanceNode"), ("ParlanceControl", "import ParlanceTexts"),
        ("ParlanceTexts", "import Glibc"), ("ParlanceTexts", "import ParlanceNode"),
        ("ParlanceStore", "import ParlanceTexts"),
    ])
    func anImportAcrossTheLayersIsCaught(target: String, text: String) {
        #expect(ImportRule.violations(in: file(target, text)).count == 1)
    }

    @Test(arguments: [
        ("ParlanceCore", "package import ParlanceWire"), ("ParlanceNetwork", "import NIOCore"),
        ("ParlanceDaemon", "import ParlanceStore"), ("ParlanceCore", "// import NIOCore"),
        ("ParlanceNode", "import ParlanceStore"),
        ("ParlanceCore", "let important = 1"), ("ParlanceAudit", "package import ParlanceRecords"),
        ("ParlanceTexts", "package import ParlanceControl"), ("ParlanceWeb", "import ParlanceTexts"),
    ])
    func anImportDownwardsPasses(target: String, text: String) {
        #expect(ImportRule.violations(in: file(target, text)).isEmpty)
    }

    @Test func onlyTheApplicationAndTheAssemblyImportSeveralShells() {
        let text = "import ParlanceStore\nimport ParlanceControl\n"
        #expect(ImportRule.severalShells(in: [file("ParlanceDaemon", text)]).isEmpty)
        #expect(ImportRule.severalShells(in: [file("ParlanceNode", text)]).isEmpty)
        #expect(ImportRule.severalShells(in: [file("ParlanceDaemonTests", text, tree: "Tests")]).isEmpty)
        #expect(ImportRule.severalShells(in: [file("parlance", "import ParlanceControl")]).isEmpty)
        #expect(ImportRule.severalShells(in: [file("parlance-bench", text)]).map(\.line) == [2])
        // The command copies files of the user, and still knows no third shell.
        let files = "import ParlanceFiles\nimport ParlanceControl\n"
        #expect(ImportRule.severalShells(in: [file("parlance", files)]).isEmpty)
        #expect(ImportRule.severalShells(in: [file("parlance-bench", files)]).map(\.line) == [2])
        #expect(ImportRule.severalShells(in: [file("parlance", text)]).map(\.line) == [2])
    }

    @Test(arguments: [
        "let now = Date()", "let now = Date.now", "let clock = ContinuousClock()", "clock_gettime(CLOCK, &time)",
        "var generator = SystemRandomNumberGenerator()", "let die = Int.random(in: 1...6)", "peers.shuffle()",
        "print(text)", "func run() async {}", "actor Node {}", "let id = UUID()", "getenv(name)",
        "open(path, O_RDONLY)",
        "RandomBytes.bytes(32)", "SigningKey.generate()", "SecretBytes(randomCount: 32)", "time(nil)",
    ])
    func whatIsNotPureIsCaughtInTheCore(text: String) {
        #expect(!BannedCallRule.violations(in: file("ParlanceCore", text)).isEmpty)
        #expect(BannedCallRule.violations(in: file("ParlanceDaemon", text)).isEmpty)
    }

    @Test(arguments: [
        #"let a = "Nobody was added.""#, #"turn.fail("There is \(count) of \(what)")"#,
        #"let a = "See parlance peers""#,
        "let a = \"\"\"\n    A text of several lines.\n    \"\"\"", #"let a = f("b", "Only an admin.")"#,
    ])
    func aSentenceIsCaughtInTheCore(text: String) {
        #expect(SentenceRule.violations(in: file("ParlanceCore", text)).count == 1)
        #expect(SentenceRule.violations(in: file("ParlanceDaemon", text)).isEmpty)
    }

    @Test(arguments: [
        "// Nobody was added.", #"throw .malformed("event header")"#, #"let a = "\(one) \(two) \(three)""#,
        #"precondition(count == 32, "A key has 32 bytes")"#, "/// \"See parlance peers\" for who is known.",
    ])
    func whatIsNoSentencePasses(text: String) {
        #expect(SentenceRule.violations(in: file("ParlanceCore", text)).isEmpty)
    }

    @Test(arguments: [
        "public struct A {}", "let a = try! b()", "let a = b as! C", "let a = b!", "let a = b[0]!.c", "fatalError()",
        "Task { await a() }", "Task(priority: .high) { a() }", "Task<Void, Never> {", "Task.detached { a() }",
        "try await Task.sleep(for: .seconds(1))", "usleep(10)", "Thread.sleep(forTimeInterval: 1)",
    ])
    func whatCrashesOrLeaksIsCaughtInEveryTarget(text: String) {
        for target in ["ParlanceCore", "ParlanceNetwork", "parlance"] {
            #expect(!BannedCallRule.violations(in: file(target, text)).isEmpty, "\(target)")
        }
    }

    @Test(arguments: [
        "/// Calls Date() and try! never.", "let text = \"fatalError( \\(name) try!\"", "/* Task { */ let a = 1",
        "if a != b, !c, a!=b {}", "let update = candidate(now)", "link.sprint(1)", "func makeTask() {}",
        "let text = #\"a \" print(\"#", "let text = \"\"\"\n  print( \"a\" )\n  \"\"\"",
        "let text = \"\\(name(\"Date()\"))\" + Self.end",
    ])
    func harmlessCodePasses(text: String) {
        #expect(BannedCallRule.violations(in: file("ParlanceCore", text)).isEmpty)
    }

    @Test func generatedCodeAndTestsAreLeftAlone() {
        let generated = SourceFile(path: "Sources/ParlanceWire/Generated/A.swift", text: "public let a = b!")
        #expect(BannedCallRule.violations(in: generated).isEmpty)
        #expect(BannedCallRule.violations(in: file("ParlanceCoreTests", "let a = b!", tree: "Tests")).isEmpty)
    }

    @Test func aShortTimeLimitIsCaught() {
        func found(_ minutes: String) -> Int {
            let text = "@Suite(.timeLimit" + "(.minutes(\(minutes)))) struct A {}"
            return TimeLimitRule.violations(in: file("ParlanceCoreTests", text, tree: "Tests")).count
        }
        #expect(found("1") == 1)
        #expect(found("29") == 1)
        #expect(found("30") == 0)
    }
}
