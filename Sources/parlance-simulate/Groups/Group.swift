import ArgumentParser
import ParlanceSodium
import ParlanceTestKit

/// Measures one group in one process: the cost of a message to everybody, and of healing a cut.
struct Group: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "group",
        abstract: "A group on the simulated network: frames and bytes of a message, and of healing after a cut."
    )

    /// Milliseconds after which everybody has been told everything, heartbeat by heartbeat.
    private static let quiet: Int64 = 30 * 60_000

    @Option(help: "Members of the group.")
    var members = 50

    @Option(help: "Messages written while one half does not reach the other.")
    var missed = 1000

    @Option(help: "Bytes of each text.")
    var size = 200

    @Option(help: "The world's seed.")
    var seed: UInt64 = 1

    @Flag(help: "Also tell the frames of each kind.")
    var kinds = false

    func validate() throws {
        guard (4...256).contains(members) else { throw ValidationError("--members must be 4 to 256.") }
        guard missed > 0 else { throw ValidationError("--missed must be at least 1.") }
    }

    func run() throws {
        try Sodium.start()
        let group = try GroupWorld(members: members, seed: seed)
        // The first message of a log differs from later ones, so everybody writes one first.
        for member in 0..<members { group.write(0, size: size, by: member) }
        _ = try group.runUntilComplete(within: 60_000)
        group.world.run(for: 90_000)
        var values = try oneMessage(group)
        values.merge(try heal(group)) { $1 }
        values["seed"] = Double(seed)
        print(Figures(values).json)
    }

    private func oneMessage(_ group: GroupWorld) throws -> [String: Double] {
        // The author has already named everything that the others wrote, so this message names nothing.
        for number in 1...2 {
            group.write(number, size: size, by: 1)
            group.world.run(for: 5_000)
        }
        group.world.run(for: Self.quiet)
        group.traffic.reset()
        let before = group.held(of: 1, by: 1)
        group.write(3, size: size, by: 1)
        let began = group.world.now
        group.world.run(until: { group.held(of: 1, by: 1) > before }, within: 1_000)
        _ = try group.runUntilComplete(within: 60_000, looking: 1)
        let reached = group.world.now - began
        let soon = group.traffic.total
        // The rest is sent with the heartbeats.
        group.world.run(for: Self.quiet)
        let total = group.traffic.total
        var values = kinds ? group.traffic.perKind("message") : [:]
        values["message_reached_ms"] = Double(reached)
        values["message_frames_per_member_at_once"] = Double(soon.frames) / Double(members)
        values["message_frames_per_member"] = Double(total.frames) / Double(members)
        values["message_bytes_per_member"] = Double(total.bytes) / Double(members)
        return values
    }

    private func heal(_ group: GroupWorld) throws -> [String: Double] {
        let world = group.world
        world.partition((0..<members).map { $0 < members / 2 ? 0 : 1 }, .cut, until: 0)
        for number in 0..<missed {
            // Everybody writes in turn, so each half misses what the other half writes.
            group.write(number, size: size, by: number % members)
            world.run(for: 100)
        }
        world.run(for: 90_000)
        let missing = group.missingBytes
        group.traffic.reset()
        world.network.heal()
        let healed = try group.runUntilComplete(within: 600_000)
        world.run(for: 70_000)
        let total = group.traffic.total
        var values = kinds ? group.traffic.perKind("heal") : [:]
        values["heal_seconds"] = Double(healed) / 1000
        values["heal_missing_bytes"] = Double(missing)
        values["heal_bytes"] = Double(total.bytes)
        values["heal_ratio"] = Double(total.bytes) / Double(max(1, missing))
        return values
    }
}
