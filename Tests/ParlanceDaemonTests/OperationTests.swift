import Foundation
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon

/// The node performs every method of protocol/control.md.
@Suite struct OperationTests {
    @Test func everyDocumentedMethodIsPerformed() throws {
        let page = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "protocol/control.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let methods = NodeOperations.definitions.map { $0.method }
        #expect(Set(methods).count == methods.count)
        #expect(try Set(documentedMethods(text)) == Set(methods + ["subscribe", "unsubscribe"]))
    }

    /// The first column of the table "Methods".
    private func documentedMethods(_ text: String) throws -> [String] {
        let table = try #require(text.components(separatedBy: "\n## Methods\n").last).components(
            separatedBy: "\nExamples:"
        )
        let rows = try #require(table.first).split(separator: "\n").filter { $0.hasPrefix("| `") }
        let names = rows.flatMap { $0.split(separator: "|")[0].split(separator: "`") }
        return names.map(String.init).filter { $0.contains(where: \.isLetter) }
    }
}
