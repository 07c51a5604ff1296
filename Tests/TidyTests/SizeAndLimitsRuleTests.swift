import Testing

@Suite struct SizeRuleTests {
    private func violations(_ lines: [String], path: String = "Sources/ParlanceCore/Made.swift") -> [Violation] {
        SizeRule.violations(in: SourceFile(path: path, text: lines.joined(separator: "\n") + "\n"))
    }

    private func body(_ head: String, lines: Int) -> [String] {
        [head] + Array(repeating: "    work { step() }", count: lines - 2) + ["}"]
    }

    @Test(arguments: [
        "func run(_ a: [Int] = [1], then: () -> Void = {}) throws(E) -> Int where A: B {", "init?(a: Int) {",
        "deinit {",
        "var size: Int {", "subscript(index: Int) -> Int {", "static func == (left: A, right: A) -> Bool {",
    ])
    func aLongFunctionIsCaught(head: String) {
        #expect(violations(body(head, lines: SizeRule.functionLines)).isEmpty)
        let found = violations(["struct A {"] + body(head, lines: SizeRule.functionLines + 1) + ["}"])
        #expect(found.map(\.line) == [2])
    }

    @Test func declarationsWithoutABodyTakeNoneFromOthers() {
        let requirement = ["protocol A {", "    func run()", "    var size: Int { get }", "    init()", "}"]
        let stored = ["    var a = 1", "    var b: [Int] = []", "    let c = self.init()"]
        let code = requirement + ["struct B {"] + stored + Array(repeating: "    let x = 1", count: 90) + ["}"]
        #expect(violations(code).isEmpty)
        #expect(FunctionFinder.bodies(in: requirement) == [FunctionFinder.Body(first: 3, lines: 1)])
    }

    @Test func aLongFileIsCaught() {
        #expect(violations(Array(repeating: "let a = 1", count: SizeRule.fileLines)).isEmpty)
        let long = Array(repeating: "let a = 1", count: SizeRule.fileLines + 1)
        #expect(violations(long).count == 1)
        #expect(violations(long, path: "Tests/ParlanceCoreTests/Made.swift").count == 1)
        #expect(violations(long, path: "Sources/ParlanceWire/Generated/Made.swift").isEmpty)
    }
}

@Suite struct LimitsRuleTests {
    private let page = """
        | constant | value | unit | reason |
        |---|---|---|---|
        | `textBytes` | 65,536 | bytes | longer than anybody types |
        | `waitMilliseconds` | 30000 | ms | patience |
        """

    private func violations(_ code: String, page: String) -> [String] {
        LimitsRule.violations(code: [SourceFile(path: LimitsRule.codePath, text: code)], page: page).map(\.message)
    }

    @Test func equalTablesPass() {
        let code = "package static let textBytes = 64 * 1024\npackage static let waitMilliseconds: Int64 = 30_000"
        #expect(violations(code, page: page) == [])
    }

    @Test func aDifferentValueIsCaught() {
        let code = "package static let textBytes = 64 * 1025\npackage static let waitMilliseconds: Int64 = 30_000"
        #expect(violations(code, page: page) == ["textBytes is 65600 in the code and 65536 here"])
    }

    @Test func aLimitMissingOnEitherSideIsCaught() {
        let code = "package static let textBytes = 64 * 1024\npackage static let names = 8"
        #expect(
            violations(code, page: page) == [
                "names does not stand in protocol/limits.md",
                "waitMilliseconds is no constant of Sources/ParlanceWire/Limits.swift",
            ]
        )
    }

    @Test func theExtensionsOfLimitsAreRead() {
        let parts = [
            ("Sources/ParlanceWire/Limits.swift", "static let textBytes = 64 * 1024"),
            ("Sources/ParlanceWire/Limits+Waits.swift", "static let waitMilliseconds = 30_001"),
            ("Sources/ParlanceWire/Frame.swift", "static let other = 1"),
        ].map { SourceFile(path: $0.0, text: $0.1) }
        let found = LimitsRule.violations(code: parts.filter { LimitsRule.holdsLimits($0.path) }, page: page)
        #expect(found.map(\.message) == ["waitMilliseconds is 30001 in the code and 30000 here"])
    }

    @Test func aLimitThatNoTestNamesIsCaught() {
        let code = SourceFile(path: LimitsRule.codePath, text: "static let textBytes = 64\nstatic let names = 8")
        func found(_ path: String, _ text: String) -> [String] {
            LimitsRule.untested(code: [code], tests: [SourceFile(path: path, text: text)]).map(\.message)
        }
        let all = "use(Limits.textBytes, Limits.names)"
        #expect(found("Tests/ParlanceCoreTests/Made.swift", all) == [])
        #expect(
            found("Tests/ParlanceCoreTests/Made.swift", "use(Limits.textBytes) // Limits.names") == [
                "no test names names"
            ]
        )
        #expect(found("Tests/ParlanceFuzz/Made.swift", all).count == 2, "that is no test")
    }

    @Test func whatIsNoNumberIsCaught() {
        let code = "static let textBytes = size()\nstatic let waitMilliseconds = 30_000"
        #expect(violations(code, page: page) == ["textBytes is not a product of whole numbers"])
        let words = page.replacing("65,536", with: "many")
        let right = "static let textBytes = 65_536\nstatic let waitMilliseconds = 30_000"
        #expect(violations(right, page: words) == ["textBytes is 65536 in the code and no number here"])
    }
}
