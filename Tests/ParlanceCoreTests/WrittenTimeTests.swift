import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceTestKit

/// The times that people read after a clock was wrong (events.md, "Time").
@Suite struct WrittenTimeTests {
    private static let hour: Int64 = 3_600_000

    /// Nodes 0 and 1, who have greeted each other.
    private static func world() throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: ["Ada", "Bob"], seed: 3)
        for node in 0..<2 { world.start(node) }
        world.run(for: 5_000)
        for (node, who) in [(0, "Bob"), (1, "Ada")] {
            world.give(.send(who: who, text: "good morning"), to: node)
            world.run(for: 5_000)
        }
        return world
    }

    /// What is written after a clock was set right has the time of writing for everybody, and stands after what was written
    /// before.
    @Test(arguments: [hour / 3_600, 3 * hour, 20 * hour, 400 * 24 * hour])
    func whatIsWrittenAfterAClockWasSetRightSaysWhen(ahead: Int64) throws {
        let world = try Self.world()
        func say(_ text: String, _ node: Int) -> Int64 {
            world.give(.send(who: node == 0 ? "Bob" : "Ada", text: text), to: node)
            let wall = world.instant(of: node).wall
            world.run(for: 5_000)
            return wall
        }
        var walls = [say("before", 0)]
        world.skew[0] = ahead
        walls.append(say("ahead", 0))
        world.skew[0] = 0
        walls += [say("right", 0), say("an answer", 1), say("also right", 0)]
        let conversation = ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity)
        for node in 0..<2 {
            let shown = world.nodes[node].disk.history(of: conversation).filter { $0.note == nil }.dropFirst(2)
            #expect(shown.map(\.text) == ["before", "ahead", "right", "an answer", "also right"])
            let now = world.instant(of: node).wall
            for (message, wall) in zip(shown, walls) {
                let time = message.time.shown(at: now)
                // Whoever reads what is more than a day ahead sees when it came.
                let isFar = node == 1 && wall > now + 24 * Self.hour
                #expect(isFar ? abs(time - now) < 60_000 : time == wall, "\(node): \(message.text)")
            }
        }
    }

    /// The header of what is written in time is as it always was.
    @Test func whatIsWrittenInTimeSaysNoMore() throws {
        let world = try Self.world()
        for number in 0..<3 { world.give(.send(who: "Bob", text: "\(number)"), to: 0) }
        world.run(for: 5_000)
        let events = world.nodes[1].disk.logs.values.flatMap(\.events)
        #expect(events.count >= 3 && events.allSatisfy { $0.header.behind == 0 })
    }
}
