import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

@testable import ParlanceAssistant

/// What was found is not all while the assistant still reads.
@Suite struct ReadingProgressTests {
    @Test func theAnswerSaysThatMoreMayCome() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "reading-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let node = LittleNode(["I'll bake a cake."])
        let assistant = Assistant(folder: folder.path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await assistant.run(node) }
            defer { group.cancelAll() }
            node.holdNext()
            defer { node.release() }
            _ = try assistant.turn(true, node)
            try await eventually("it begins to read") { node.isHolding }
            let early = try await assistant.actions(ActionsOperation(), node)
            #expect(early.actions.isEmpty && early.reading == true)
            #expect(try await assistant.decisions(DecisionsOperation(), node).reading == true)
            node.release()
            try await eventually("all is read") { try assistant.turn(nil, node).reading == nil }
            let late = try await assistant.actions(ActionsOperation(), node)
            #expect(late.actions.map(\.task) == ["bake a cake"] && late.reading == nil)
            #expect(try await assistant.decisions(DecisionsOperation(), node).reading == nil)
        }
    }
}
