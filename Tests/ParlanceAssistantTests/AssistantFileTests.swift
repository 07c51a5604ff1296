import Foundation
import GRDB
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceAssistant

/// A file that cannot be used is reported, to the user and to the log.
@Suite(.timeLimit(.minutes(30))) struct AssistantFileTests {
    private final class Reports: Sendable {
        private let kept = Mutex<[AssistantFailure]>([])

        func add(_ failure: AssistantFailure) { kept.withLock { $0.append(failure) } }

        var all: [AssistantFailure] { kept.withLock { $0 } }
    }

    /// - Parameter contents: of the assistant's file before it runs; nil: there is no file.
    private func running(
        _ contents: Data? = nil,
        pause: Duration = AssistantLimits.readingPause,
        _ body: @Sendable (Assistant, LittleNode, Reports) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "file-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let reports = Reports()
        let assistant = Assistant(folder: folder.path, pause: pause) { failure, _ in reports.add(failure) }
        if let contents { try contents.write(to: URL(fileURLWithPath: assistant.path)) }
        let node = LittleNode(["I'll bake a cake."])
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await assistant.run(node) }
            defer { group.cancelAll() }
            try await body(assistant, node, reports)
        }
    }

    @Test func afterAStartWithADamagedFileEverybodyWhoAsksIsTold() async throws {
        try await running(Data(repeating: 7, count: 8_192)) { assistant, node, reports in
            let expected = ControlError.assistantFile(assistant.path)
            // What is performed comes after the start.
            await #expect(throws: expected) {
                try await assistant.perform { assistant, node throws(ControlError) in try assistant.turn(nil, node) }
            }
            #expect(reports.all == [.file])
            await #expect(throws: expected) { try await assistant.actions(ActionsOperation(), node) }
            #expect(throws: expected) { try assistant.turn(true, node) }
            // As its advice says.
            let off = try assistant.turn(false, node)
            let on = try assistant.turn(true, node)
            #expect(off == AssistantInfo(on: false) && on.on)
        }
    }

    @Test func aReadingThatFailsIsReported() async throws {
        try await running { assistant, node, reports in
            _ = try assistant.turn(true, node)
            try await eventually("all is read") { try assistant.turn(nil, node).reading == nil }
            #expect(try assistant.turn(nil, node).trouble == nil && reports.all.isEmpty)
            try assistant.opened().queue.write { db in try db.execute(sql: "ALTER TABLE action RENAME TO away") }
            node.write("m2", "Bob, please paint the mast by Friday.")
            try await eventually("it fails") { try assistant.turn(nil, node).trouble != nil }
            let info = try assistant.turn(nil, node)
            #expect(info.trouble?.english == ControlError.assistantFile(assistant.path).message.english)
            #expect(info.reading == nil && reports.all == [.file])
            // The next message has everything looked at again.
            try assistant.opened().queue.write { db in try db.execute(sql: "ALTER TABLE away RENAME TO action") }
            node.write("m3", "Fine.")
            try await eventually("all is read") { try assistant.turn(nil, node).trouble == nil }
            #expect(try await assistant.actions(ActionsOperation(), node).actions.count == 2)
        }
    }

    /// A conversation that cannot be read keeps nobody from what is new, and is not read again with each message.
    @Test func whatIsNewIsReadWhileEverythingCannotBe() async throws {
        try await running(pause: .seconds(3_600)) { assistant, node, reports in
            node.becomeUnreadable()
            _ = try assistant.turn(true, node)
            try await eventually("it fails") { try assistant.turn(nil, node).trouble != nil }
            for number in 2...4 { node.write("m\(number)", "Bob, please paint mast \(number) by Friday.") }
            try await eventually("all that is new is found") {
                let found = try await assistant.actions(ActionsOperation(), node).actions.map(\.source.id)
                return Set(found).isSuperset(of: ["m2", "m3", "m4"])
            }
            #expect(try assistant.turn(nil, node).trouble?.english == "The conversation is damaged.")
            #expect(reports.all == [.conversation])
        }
    }

    /// Nothing else comes afterwards that would have it read.
    @Test func whatComesDuringTheFirstReadingThatFailsIsRead() async throws {
        try await running(pause: .seconds(3_600)) { assistant, node, _ in
            node.becomeUnreadable()
            node.holdNext()
            _ = try assistant.turn(true, node)
            try await eventually("it reads") { node.isHolding }
            node.write("m2", "Bob, please paint the mast by Friday.")
            node.release()
            try await eventually("it is found") {
                try await assistant.actions(ActionsOperation(), node).actions.contains { $0.source.id == "m2" }
            }
        }
    }

    @Test func aFileThatStaysWhenItIsTurnedOffIsNamed() async throws {
        try await running { assistant, node, _ in
            _ = try assistant.turn(true, node)
            try await eventually("all is read") { try assistant.turn(nil, node).reading == nil }
            let left = assistant.path + "-wal"
            try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
            #expect(throws: ControlError.assistantFileStays(left, isMain: false, EISDIR)) {
                try assistant.turn(false, node)
            }
            #expect(throws: ControlError.assistantOff) { try assistant.opened() }
        }
    }
}
