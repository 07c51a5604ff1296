package import ParlanceCore
package import ParlanceHistory
package import ParlanceRecords
import ParlanceWire

/// The events of a charter in which people write anything, after having seen arbitrary events: no honest node writes
/// such events.
package struct CharterFuzzer {
    package private(set) var writer: CharterWriter
    private var random: SeededGenerator
    /// What people have seen: an event that breaks a rule, or that can never count, would make others wait for ever.
    private var seen: [StoredEvent]

    /// - Parameter people: at least four.
    package init(people: Int, changes: Int, seed: UInt64) throws {
        writer = try CharterWriter(people: people)
        random = SeededGenerator(seed: seed)
        let creation = writer.create()
        // The first few are admins.
        seen = [writer.change(.appoint, Array(1..<Self.admins), by: 0, after: [creation])]
        for _ in 0..<changes { writeChange() }
    }

    private static let admins = 4

    package var events: [StoredEvent] { writer.events }

    /// The charter after the events have arrived in a random order, in random portions.
    package mutating func arrived(_ bounds: CharterBounds = CharterBounds()) -> Charter {
        var rest = events.shuffled(using: &random)[...]
        var charter = Charter(id: writer.id, bounds: bounds)
        while !rest.isEmpty {
            let portion = rest.prefix(1 + below(4))
            charter.insert(Array(portion))
            rest = rest.dropFirst(portion.count)
        }
        return charter
    }

    private mutating func below(_ bound: Int) -> Int { Int(random.below(Int64(bound))) }

    private mutating func writeChange() {
        let people = writer.people.count
        // Mostly by people who have rights.
        let author = below(4) == 0 ? below(people) : below(Self.admins)
        let actions: [WireMemberAction] = [
            .appoint, .appoint, .appoint, .dismiss, .admit, .exclude, .exclude, .readmit, .rotate, .rotate, .policy,
            .link, .add,
        ]
        let action = actions[below(actions.count)]
        // The last event so far, or two at random.
        let places = below(2) == 0 ? [seen.count - 1] : [below(seen.count), below(seen.count)]
        let event = write(action, by: author, after: Set(places).sorted().map { seen[$0] })
        if author < Self.admins && MembershipChange.inCharter(event) != nil { seen.append(event) }
    }

    private mutating func write(_ action: WireMemberAction, by author: Int, after: [StoredEvent]) -> StoredEvent {
        switch action {
        case .rotate:
            return writer.rotate(to: UInt8(below(6)), number: UInt64(below(3)), by: author, after: after)
        case .policy:
            let names = ["admission", "retention", "Bad name"]
            let values = ["open", "approve", "7d", ""]
            return writer.policy(names[below(3)], values[below(4)], by: author, after: after)
        case .link: return writer.change(.link, by: author, after: after)
        default:
            let who = Set((0...below(2)).map { _ in below(writer.people.count) }).sorted()
            return writer.change(action, who, by: author, after: after)
        }
    }
}
