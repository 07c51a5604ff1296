import Foundation
import Testing

@testable import ParlanceAssistant
@testable import ParlanceEmbedding

@Suite struct AssistantStoreTests {
    private func withStore(_ body: (AssistantStore) throws -> Void) throws {
        try ModelData.withFolder { folder in
            let store = try AssistantStore(at: folder.appending(path: "a.sqlite").path)
            defer { store.close() }
            try body(store)
        }
    }

    private func reading(
        _ id: String,
        _ actions: [FoundAction] = [],
        time: Int64 = 0,
        decision: String? = nil
    ) -> AssistantStore.Reading {
        AssistantStore.Reading(
            id: id,
            conversation: "c",
            time: time,
            digest: 7,
            excerpt: 7,
            actions: actions,
            decision: decision.map { FoundDecision(text: $0) }
        )
    }

    private func action(_ task: String, _ deadline: String? = nil, done: Bool = false) -> FoundAction {
        FoundAction(task: task, deadline: deadline.flatMap { Deadline(text: $0) }, isDone: done)
    }

    /// Whoever still reads when it is turned off gets an error.
    @Test func aClosedStoreGivesErrors() throws {
        try withStore { store in
            try store.put([reading("m1", [action("late")])])
            store.close()
            #expect(throws: (any Error).self) { try store.count() }
            #expect(throws: (any Error).self) { try store.actions(in: "c") }
            #expect(throws: (any Error).self) { try store.put([reading("m2")]) }
        }
    }

    @Test func openOnesComeFirstThenByDeadline() throws {
        try withStore { store in
            try store.put([
                reading("m1", [action("late", "2026-03-07")], time: 1), reading("m2", [action("some time")], time: 2),
                reading("m3", [action("that day", "2026-03-06"), action("at noon", "2026-03-06T12:00")], time: 3),
                reading("m4", [action("past", done: true)], time: 4), reading("m5", [action("newer")], time: 5),
            ])
            let tasks = try store.actions(in: "c").map(\.task)
            #expect(tasks == ["at noon", "that day", "late", "newer", "some time", "past"])
            #expect(try store.actions(in: "other").isEmpty)
        }
    }

    @Test func whatTheUserNotedStaysUntilTheMessageGoes() throws {
        try withStore { store in
            try store.put([reading("m1", [action("sweep")], decision: "so be it")])
            try store.mark(try #require(store.actions(in: nil).first), done: true)
            // The message was edited: the same task is done wherever it stands, and no other one.
            try store.put([reading("m1", [action("paint the mast"), action("sweep")])])
            #expect(
                try store.actions(in: nil).map { "\($0.task) \($0.done)" } == ["paint the mast false", "sweep true"]
            )
            #expect(try store.decisions(in: nil).isEmpty)
            #expect(try store.digests(of: "c") == ["m1": 7])
            try store.remove(["m1"])
            #expect(try store.actions(in: nil).isEmpty && store.count() == 0)
            try store.put([reading("m1", [action("sweep")])])
            #expect(try store.actions(in: nil).map(\.done) == [false])
        }
    }

    @Test func otherConversationsAreForgotten() throws {
        try withStore { store in
            try store.put([reading("m1")])
            #expect(try store.digest(of: "m1") == 7 && store.digest(of: "m2") == nil)
            try store.removeAll(besides: ["c"])
            #expect(try store.count() == 1)
            try store.removeAll(besides: ["d"])
            #expect(try store.count() == 0)
        }
    }

    @Test func onlyItsOwnerReadsTheFile() throws {
        try withStore { store in
            let mode = try FileManager.default.attributesOfItem(atPath: store.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    private static let vector = Int8Vector([1, 0, 0]).bytes

    private func vectors(_ store: AssistantStore, of model: String, _ dimensions: Int = 3) throws -> [String] {
        try store.vectors(in: nil, of: model, dimensions: dimensions).places.map(\.message).sorted()
    }

    @Test func whatLacksItsEmbeddingIsGivenTheNewestFirst() throws {
        try withStore { store in
            try store.put([("m1", 1), ("m2", 3), ("m3", 3), ("m4", 2)].map { reading($0.0, time: $0.1) })
            let first = try store.lacking(after: nil, limit: 3)
            #expect(first.map(\.message) == ["m3", "m2", "m4"])
            #expect(try store.lacking(after: first.last, limit: 3).map(\.message) == ["m1"])
            #expect(try store.keepVectors(of: "a"))
            // One that the model does not embed lacks none.
            try store.put([(first[0], Self.vector), (first[1], [])], of: "a")
            #expect(try store.lacking(after: nil, limit: 9).map(\.message) == ["m4", "m1"])
            #expect(try vectors(store, of: "a") == ["m3"])
            // Another text needs another embedding.
            try store.put([reading("m3", time: 3)])
            #expect(try store.lacking(after: nil, limit: 9).map(\.message) == ["m3", "m4", "m1"])
            try store.put([(first[0], Self.vector)], of: "a")
            try store.remove(["m3"])
            try store.put([(first[0], Self.vector)], of: "a")
            #expect(try vectors(store, of: "a").isEmpty)
        }
    }

    @Test func embeddingsOfOneModelAloneAreKept() throws {
        try withStore { store in
            try store.put([reading("m1")])
            let lacking = try store.lacking(after: nil, limit: 1)
            #expect(try !store.keepVectors(of: VectorMaker.builtInIdentity))
            #expect(try store.keepVectors(of: "a") && !store.keepVectors(of: "a"))
            try store.put([(lacking[0], Self.vector)], of: "b")
            #expect(try vectors(store, of: "a").isEmpty)
            try store.put([(lacking[0], Self.vector)], of: "a")
            // A server that is named or removed is no other setting of theirs.
            let embedding = AssistantStore.Embedding(name: "near", dimensions: 3)
            var server = AssistantStore.Server(address: "http://a:1", embedding: embedding, allowsPublic: true)
            try store.setServer(server)
            #expect(try store.server() == server)
            (server.model, server.embedding, server.allowsPublic) = ("talker", nil, false)
            try store.setServer(server)
            #expect(try store.server() == server)
            try store.setServer(nil)
            #expect(try store.server() == nil)
            #expect(try vectors(store, of: "a") == ["m1"] && vectors(store, of: "b").isEmpty)
            #expect(try store.keepVectors(of: "b"))
            #expect(try vectors(store, of: "b").isEmpty && store.lacking(after: nil, limit: 1) == lacking)
        }
    }
}
