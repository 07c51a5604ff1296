import Foundation
import GRDB
import ParlanceControl
import ParlanceWords
import Testing

@testable import ParlanceAssistant

@Suite struct TalkStoreTests {
    private static func turn(_ question: String, _ messages: [String] = [], about: String? = nil) -> AssistantStore.Turn
    {
        AssistantStore.Turn(
            conversation: about,
            time: 7,
            question: question,
            answer: "At nine [1].",
            problem: Phrase("No server answers at \("http://a:1")."),
            model: ModelInfo(name: "talker", address: "http://a:1"),
            sources: messages.map { AssistantStore.Basis(message: $0, conversation: "c", digest: 9, score: 0.5) },
            others: [AssistantStore.Basis(message: "m0", conversation: "c", digest: 3)]
        )
    }

    @Test func aTurnIsKeptOverARestart() throws {
        try ModelData.withFolder { folder in
            let path = folder.appending(path: "a.sqlite").path
            var store = try AssistantStore(at: path)
            var turn = Self.turn("When?", ["m1", "m2"])
            turn.id = try #require(try store.add(turn))
            store.close()
            store = try AssistantStore(at: path)
            defer { store.close() }
            #expect(try store.turns(about: nil) == [turn])
            let (others, last) = (try store.turns(about: "c"), try store.lastTurn())
            #expect(others.isEmpty && last == turn.id)
        }
    }

    /// The file of the program before this one has no turns; what the user noted there stays.
    @Test func aFileOfTheVersionBeforeGoesOn() throws {
        try ModelData.withFolder { folder in
            let path = folder.appending(path: "a.sqlite").path
            var store = try AssistantStore(at: path)
            let server = AssistantStore.Server(address: "http://a:1", model: "talker", allowsPublic: false)
            try store.setServer(server)
            store.close()
            let queue = try DatabaseQueue(path: path)
            try queue.write { try $0.execute(sql: "DROP TABLE turnBasis; DROP TABLE turnProblem; DROP TABLE turn") }
            try queue.close()
            store = try AssistantStore(at: path)
            defer { store.close() }
            #expect(try store.server() == server)
            #expect(try store.add(Self.turn("When?")) != nil)
        }
    }

    @Test func theOldestTurnsOfATalkGo() throws {
        try ModelData.withFolder { folder in
            let store = try AssistantStore(at: folder.appending(path: "a.sqlite").path)
            defer { store.close() }
            try store.add(Self.turn("of another talk", about: "c"))
            for number in 0...AssistantLimits.turns { try store.add(Self.turn("\(number)")) }
            let turns = try store.turns(about: nil)
            #expect(turns.count == AssistantLimits.turns && turns.first?.question == "1")
            #expect(try store.turns(about: "c").count == 1)
            #expect(try store.turns(about: nil, last: 2).map(\.question) == ["99", "100"])
            var long = Self.turn("long")
            long.answer = String(repeating: "x", count: AssistantLimits.turnBytes)
            #expect(try store.add(long) == nil)
            long.answer = String(repeating: "x", count: AssistantLimits.turnBytes - 4)
            for _ in 0..<50 { try store.add(long) }
            #expect(try store.turns(about: nil).count == AssistantLimits.talkBytes / AssistantLimits.turnBytes)
        }
    }

    @Test func aTurnGoesWithWhatItRestsOn() throws {
        try ModelData.withFolder { folder in
            let store = try AssistantStore(at: folder.appending(path: "a.sqlite").path)
            defer { store.close() }
            try store.add(Self.turn("a", ["m1"]))
            try store.remove(["m2"])
            #expect(try store.turns(about: nil).count == 1)
            try store.remove(["m0"])
            #expect(try store.turns(about: nil).isEmpty)
            // After a whole reading, what was not there is gone; later turns wait for the next one.
            let last = try #require(try store.add(Self.turn("b", ["m1"])))
            try store.add(Self.turn("c", ["m1"]))
            try store.removeTurns(ofUnreadUpTo: last)
            #expect(try store.turns(about: nil).map(\.question) == ["c"])
            try store.removeAll(besides: ["d"])
            #expect(try store.turns(about: nil).isEmpty)
        }
    }
}
