import Foundation
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon

/// The node performs every method of protocol/control.md.
@Suite struct OperationTests {
    @Test func everyDocumentedMethodIsPerformed() throws {
        let text = try String(contentsOf: repository.appending(path: "protocol/control.md"), encoding: .utf8)
        let methods = NodeOperations.definitions.map { $0.method }
        #expect(Set(methods).count == methods.count)
        let documented = try names(inTableAfter: "\n## Methods\n", until: "\nExamples:", of: text)
        #expect(Set(documented) == Set(methods))
        let events = try names(inTableAfter: "\n## Events\n", until: "\nWith a `conversation`", of: text)
        #expect(events == ControlEvents.all.map { $0.kind.rawValue })
    }

    /// The first column of a table.
    private func names(inTableAfter start: String, until end: String, of text: String) throws -> [String] {
        let table = try #require(text.components(separatedBy: start).last).components(separatedBy: end)
        let rows = try #require(table.first).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let names = rows.flatMap { $0.split(separator: "|")[0].split(separator: "`") }
        return names.map(String.init).filter { $0.contains(where: \.isLetter) }
    }
}
