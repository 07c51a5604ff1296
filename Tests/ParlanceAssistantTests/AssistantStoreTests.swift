import Foundation
import Testing

@testable import ParlanceAssistant

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
            decision: decision.map { FoundDecision(text: $0) },
            vector: Int8Vector([Float](repeating: 1, count: MiniLM.dimensions)).bytes
        )
    }

    private func action(_ task: String, _ deadline: String? = nil, done: Bool = false) -> FoundAction {
        FoundAction(task: task, deadline: deadline.flatMap { Deadline(text: $0) }, isDone: done)
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
            #expect(try store.digests(of: "c", withVectors: true) == ["m1": 7])
            #expect(try store.vectors(in: "c").places.map(\.message) == ["m1"])
            try store.remove(["m1"])
            #expect(try store.actions(in: nil).isEmpty && store.count() == 0)
            #expect(try store.vectors(in: nil).places.isEmpty)
            try store.put([reading("m1", [action("sweep")])])
            #expect(try store.actions(in: nil).map(\.done) == [false])
        }
    }

    @Test func otherConversationsAreForgotten() throws {
        try withStore { store in
            try store.put([reading("m1")])
            #expect(
                try store.digest(of: "m1", withVector: true) == 7 && store.digest(of: "m2", withVector: false) == nil
            )
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

    /// A message that was read before there was a model is read again.
    @Test func whatLacksItsEmbeddingHasNoDigest() throws {
        try withStore { store in
            var old = reading("m1")
            old.vector = nil
            try store.put([old])
            #expect(try store.digests(of: "c", withVectors: false) == ["m1": 7])
            #expect(try store.digests(of: "c", withVectors: true) == ["m1": nil])
        }
    }
}
