import CParlanceSystem
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire

/// A group of real engines on the simulated network. Each member has the links that it would have in an office: with
/// every other member up to `Limits.membersAllLinked`, and with a few of them beyond that.
struct GroupWorld {
    static let title = "Bench"

    /// Why a measurement could not be made.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let world: SimulatedWorld
    let traffic: Traffic
    let group: ConversationID
    let count: Int

    init(members count: Int, seed: UInt64) throws {
        let world = try SimulatedWorld(names: (0..<count).map { "Node\($0)" }, seed: seed)
        self.world = world
        self.count = count
        traffic = Traffic()
        world.observer = traffic
        // Everybody knows where everybody takes links, but only the founder is welcome before the group exists. So all
        // have a link with the founder first, and then dial the members whom they need.
        world.acquaint()
        world.start(0, fixed: [])
        for index in 1..<count { world.start(index, fixed: [world.nodes[0].endpoint]) }
        world.run(for: 5_000)
        // An invitation is accepted only from an accepted peer.
        for index in 1..<count { world.give(.accept(who: world.nodes[0].identity.grouped), to: index) }
        world.run(for: 2_000)
        let others = (1..<count).map { world.nodes[$0].identity.grouped }
        let nonce = [UInt8](repeating: 7, count: 16)
        let id = world.give(.createGroup(title: Self.title, who: others, nonce: nonce), to: 0)
        world.run(for: 90_000)
        guard case .success(.group(let view)) = world.nodes[0].answers[id] else {
            throw GroupWorld.Failure(description: "the group was not made")
        }
        group = view.conversation
        world.keepsNews = false
    }

    /// Lets a member write a text of the given number of bytes.
    func write(_ number: Int, size: Int, by member: Int) {
        let start = "\(number) "
        let text = start + String(repeating: "x", count: max(0, size - start.utf8.count))
        world.give(.send(who: Self.title, text: text), to: member)
    }

    /// A member's log in the group.
    func log(of author: Int) -> LogKey {
        LogKey(group, LogID(author: world.nodes[author].identity, replica: world.nodes[author].replica))
    }

    /// Up to where a member holds an author's log durably.
    func held(of author: Int, by member: Int) -> UInt64 {
        world.nodes[member].disk.position(of: log(of: author)).sequence
    }

    /// Whether everybody holds everything.
    var isComplete: Bool {
        (0..<count).allSatisfy { author in
            let last = held(of: author, by: author)
            return (0..<count).allSatisfy { held(of: author, by: $0) == last }
        }
    }

    /// Runs until everybody holds everything, checked at the given interval in milliseconds; returns how long it took.
    func runUntilComplete(within milliseconds: Int64, looking step: Int64 = 50) throws -> Int64 {
        let began = world.now
        while !isComplete {
            guard world.now - began < milliseconds else {
                throw GroupWorld.Failure(description: "not everybody had everything after \(milliseconds) ms")
            }
            world.run(for: step)
        }
        return world.now - began
    }

    /// The bytes that each event of an author's log after a position takes in a frame.
    func sizes(of author: Int, after place: UInt64) -> [Int] {
        let key = log(of: author)
        let last = held(of: author, by: author)
        guard place < last else { return [] }
        let request = ReadRequest(
            conversation: key.conversation,
            log: key.log,
            from: place + 1,
            through: last,
            byteLimit: .max
        )
        return world.nodes[author].disk.read(request).map { event in
            let bytes = event.wire.encodedBytes().count
            // The field's tag, and its length as a varint.
            return bytes + (bytes < 128 ? 2 : 3)
        }
    }

    /// The total bytes of the events that members lack.
    var missingBytes: Int {
        var missing = 0
        for author in 0..<count {
            let least = (0..<count).map { held(of: author, by: $0) }.min() ?? 0
            let sizes = sizes(of: author, after: least)
            for member in 0..<count {
                missing += sizes.dropFirst(Int(held(of: author, by: member) - least)).reduce(0, +)
            }
        }
        return missing
    }

    /// The memory of one engine in megabytes, without its disk: the most of a few ordinary members. Nothing can be done
    /// with the world afterwards.
    func engineMegabytes() -> Double {
        traffic.forget()
        // The founder had a link with everybody at first.
        let measured = count > 2 ? 1..<min(count, 9) : 0..<count
        for index in measured { world.dropDisk(of: index) }
        let sizes = measured.map { index in
            let before = parlance_heap_bytes()
            world.dropEngine(of: index)
            return Double(before) - Double(parlance_heap_bytes())
        }
        return (sizes.max() ?? 0) / 1_000_000
    }
}
