/// Every constant of `Limits.swift` and its extensions is in the table of `protocol/limits.md` with the same value, and the
/// reverse.
enum LimitsRule {
    static let codePath = "Sources/ParlanceWire/Limits.swift"
    static let pagePath = "protocol/limits.md"

    /// Whether a file holds limits: `Limits.swift` or an extension beside it, such as `Limits+Transfers.swift`.
    static func holdsLimits(_ path: String) -> Bool {
        path == codePath || path.hasPrefix("Sources/ParlanceWire/Limits+")
    }

    static func violations(code: [SourceFile], page: String) -> [Violation] {
        let constants = constants(in: code)
        let rows = rows(in: page)
        var found: [Violation] = []
        for (name, constant) in constants.sorted(by: isBefore) {
            guard let value = constant.value else {
                found.append(violation(constant.path, constant.line, "\(name) is not a product of whole numbers"))
                continue
            }
            switch rows[name] {
            case nil: found.append(violation(constant.path, constant.line, "\(name) does not stand in \(pagePath)"))
            case (let line, let stated)? where stated != value:
                let told = stated.map(String.init) ?? "no number"
                found.append(violation(pagePath, line, "\(name) is \(value) in the code and \(told) here"))
            default: break
            }
        }
        for (name, row) in rows.sorted(by: { $0.value.line < $1.value.line }) where constants[name] == nil {
            found.append(violation(pagePath, row.line, "\(name) is no constant of \(codePath)"))
        }
        return found
    }

    /// Every constant must be named by a test, so that the tests are right for any value of it.
    static func untested(code: [SourceFile], tests: [SourceFile]) -> [Violation] {
        let lines = tests.filter { $0.target.hasSuffix("Tests") && $0.target != "TidyTests" }.flatMap(\.code)
        let named = Set(lines.flatMap { $0.matches(of: /Limits\.(\w+)/).map { String($0.1) } })
        return constants(in: code).sorted(by: isBefore).compactMap { name, constant in
            if named.contains(name) { return nil }
            return violation(constant.path, constant.line, "no test names \(name)")
        }
    }

    private static func violation(_ path: String, _ line: Int, _ message: String) -> Violation {
        Violation(path: path, line: line, message: message)
    }

    private typealias Stated = (line: Int, value: Int?)
    private typealias Constant = (path: String, line: Int, value: Int?)

    private static func isBefore(_ a: (key: String, value: Constant), _ b: (key: String, value: Constant)) -> Bool {
        (a.value.path, a.value.line) < (b.value.path, b.value.line)
    }

    private static func constants(in files: [SourceFile]) -> [String: Constant] {
        var found: [String: Constant] = [:]
        for file in files {
            for (index, line) in file.code.enumerated() {
                guard let match = line.firstMatch(of: /static let (\w+)(?:: \w+)? = (.+)$/) else { continue }
                found[String(match.1)] = (file.path, index + 1, product(match.2))
            }
        }
        return found
    }

    /// The value of `64 * 1024` or `30_000`; `nil` for any other text.
    private static func product(_ text: Substring) -> Int? {
        text.split(separator: "*").reduce(1 as Int?) { value, factor in
            guard let value, let number = Int(factor.filter { $0 != "_" && $0 != " " }) else { return nil }
            let (result, overflow) = value.multipliedReportingOverflow(by: number)
            return overflow ? nil : result
        }
    }

    /// The rows `| constant | value | unit | reason |` of a page.
    private static func rows(in page: String) -> [String: Stated] {
        var found: [String: Stated] = [:]
        for (index, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let row = /^\|\s*`(\w+)`\s*\|\s*([^|]*?)\s*\|[^|]+\|[^|]+\|\s*$/
            guard let match = line.firstMatch(of: row) else { continue }
            found[String(match.1)] = (index + 1, Int(match.2.filter { $0 != "," }))
        }
        return found
    }
}
