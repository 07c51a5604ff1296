import Foundation
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// The node performs every method of protocol/control.api, and tells every event.
@Suite struct OperationTests {
    @Test func everyDocumentedMethodIsPerformed() throws {
        let text = try String(contentsOf: repository.appending(path: "protocol/control.api"), encoding: .utf8)
        let methods = NodeOperations.definitions.map { $0.method }
        #expect(Set(methods).count == methods.count)
        #expect(names(of: "method", in: text).sorted() == methods.sorted())
        #expect(names(of: "event", in: text).sorted() == ControlEvents.all.map { $0.kind.rawValue }.sorted())
    }

    private func names(of kind: String, in text: String) -> [String] {
        let declarations = text.split(separator: "\n").filter { $0.hasPrefix("\(kind) ") }
        return declarations.map { String($0.split(separator: " ")[1]) }
    }
}
