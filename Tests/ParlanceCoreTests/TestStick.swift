import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

/// A stick between the nodes of a world: files by their names. It does what `parlance carry` does.
struct TestStick {
    var files: [String: [UInt8]] = [:]
    /// The stick is pulled out after so many more writes.
    var writesLeft = Int.max
    /// The files that lie sealed on it, as the next parcels tell.
    var sealed: [CarriedFile] = []

    private func answer(_ command: Command, of node: Int, _ world: SimulatedWorld) throws -> Answer {
        let id = world.give(command, to: node)
        #expect(world.run(until: { world.nodes[node].answers[id] != nil }, within: 60_000))
        return try #require(world.nodes[node].answers[id], "\(world.nodes[node].name) does not answer").get()
    }

    static func name(_ world: SimulatedWorld, from: Int, to: Int, slot: Int) -> String {
        WireParcel.name(from: world.nodes[from].identity, to: world.nodes[to].identity, slot: slot)
    }

    /// Returns what was done with each slot.
    @discardableResult
    mutating func out(_ world: SimulatedWorld, from: Int, to: Int) throws -> [PackedParcel] {
        var start = ParcelRequest.Start.first
        var done: [PackedParcel] = []
        for slot in 0..<Limits.parcelSlots {
            let name = Self.name(world, from: from, to: to, slot: slot)
            if start == .end && files[name] == nil { continue }
            let request = ParcelRequest(
                who: world.nodes[to].identity.text,
                slot: slot,
                start: start,
                existing: files[name],
                files: sealed
            )
            guard case .packed(let packed) = try answer(.pack(request), of: from, world) else {
                throw EngineBench.Unexpected(what: "no parcel")
            }
            done.append(packed)
            start = packed.next
            guard writesLeft > 0 else { break }
            switch packed.action {
            case .write(let bytes):
                #expect(bytes.count <= Limits.parcelBytes)
                files[name] = bytes
                writesLeft -= 1
            case .remove: files[name] = nil
            case .keep, .leave, .none: break
            }
        }
        return done
    }

    /// Returns the effect of each file.
    @discardableResult
    func take(_ world: SimulatedWorld, _ node: Int, from: Int) throws -> [TakenParcel] {
        var effects: [TakenParcel] = []
        for slot in 0..<Limits.parcelSlots {
            guard let bytes = files[Self.name(world, from: from, to: node, slot: slot)] else { continue }
            let command = Command.takeParcel(bytes, slot: slot, from: world.nodes[from].identity.text)
            guard case .taken(let taken) = try answer(command, of: node, world) else {
                throw EngineBench.Unexpected(what: "nothing taken")
            }
            effects.append(taken)
        }
        return effects
    }

    /// Takes what everybody has packed for a node, as long as something is new.
    func takeAll(_ world: SimulatedWorld, _ node: Int) throws {
        for _ in 0..<8 {
            let effects = try world.nodes.indices.filter { $0 != node }.flatMap { try take(world, node, from: $0) }
            guard effects.contains(where: \.isNew) else { return }
        }
    }

    /// Packs what a node has for everybody.
    mutating func outAll(_ world: SimulatedWorld, _ node: Int) throws {
        for other in world.nodes.indices where other != node { try out(world, from: node, to: other) }
    }
}

extension SimulatedWorld {
    /// Nodes that have accepted each other and have no network between them.
    static func islands(_ names: [String], seed: UInt64) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: names, seed: seed)
        world.acquaint()
        world.network.part = Array(names.indices)
        for node in names.indices { world.start(node, fixed: []) }
        for node in names.indices {
            for other in names.indices where other != node {
                world.give(.accept(who: world.nodes[other].identity.text), to: node)
            }
        }
        world.run(for: 1_000)
        return world
    }
}
