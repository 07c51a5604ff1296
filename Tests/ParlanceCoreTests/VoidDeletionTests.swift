import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Deletions that lose their right, with real engines (events.md, "Bodies that are gone and bodies that are missing").
@Suite struct VoidDeletionTests {
    private func reference(_ command: CommandID, from node: Int, in world: SimulatedWorld) throws -> MessageReference {
        guard case .success(.sent(let sent)) = world.nodes[node].answers[command] else {
            throw EngineBench.Unexpected(what: "not sent: \(String(describing: world.nodes[node].answers[command]))")
        }
        let log = LogID(author: world.nodes[node].identity, replica: world.nodes[node].replica)
        return MessageReference(
            conversation: sent.conversation,
            event: EventReference(log: log, sequence: sent.sequence, id: sent.id)
        )
    }

    /// Ada is cut off: Cleo writes, Bob deletes that as an admin, and Ada dismisses Bob. Then the network is whole
    /// again.
    private func dismissedWhileDeleting() throws -> (world: SimulatedWorld, group: ConversationID) {
        let (world, group) = try GroupTests.world(3)
        let bob = world.nodes[1].identity.grouped
        world.give(.changeGroup(who: "Bridge", .appoint([bob])), to: 0)
        world.run(for: 3_000)
        world.partition([0, 1, 1], .cut, until: 0)
        let sent = world.give(.send(who: "Bridge", text: "keep me"), to: 2)
        world.run(for: 3_000)
        world.give(.delete(try reference(sent, from: 2, in: world)), to: 1)
        world.run(for: 3_000)
        for index in 1...2 { #expect(isTombstone(world, index, group) == [true]) }
        world.give(.changeGroup(who: "Bridge", .dismiss([bob])), to: 0)
        world.run(for: 3_000)
        return (world, group)
    }

    private func isTombstone(_ world: SimulatedWorld, _ node: Int, _ group: ConversationID) -> [Bool] {
        world.nodes[node].disk.history(of: group).filter { $0.note == nil }.map { $0.rich?.deletion != nil }
    }

    @Test func dismissalThatMakesADeletionVoidBringsTheTextBack() throws {
        let (world, group) = try dismissedWhileDeleting()
        world.network.heal()
        world.run(for: 60_000)
        for index in 0..<3 {
            #expect(GroupTests.texts(world, index, group) == ["keep me"], "\(world.nodes[index].name)")
            #expect(isTombstone(world, index, group) == [false], "\(world.nodes[index].name)")
        }
    }

    /// A node that has nothing else to write drops the text in time: it checks every `sweepMilliseconds`.
    @Test func whatWasDeletedForLongIsDroppedByAnIdleNode() throws {
        let (world, group) = try dismissedWhileDeleting()
        #expect(world.nodes[1].disk.withheld.count == 1 && world.nodes[2].disk.withheld.count == 1)
        world.skew = world.skew.map { $0 + Limits.deletedTextMilliseconds }
        world.crash(0)
        world.crash(2)
        world.run(for: Limits.sweepMilliseconds)
        #expect(world.nodes[1].disk.withheld.isEmpty)
        #expect(isTombstone(world, 1, group) == [true])
    }

    /// An author needs no right to delete its own message: a removal that had not seen the deletion does not make it
    /// void.
    @Test func authorsDeletionStandsWhenItsAuthorIsRemoved() throws {
        let (world, group) = try GroupTests.world(3)
        let sent = world.give(.send(who: "Bridge", text: "a secret"), to: 1)
        world.run(for: 3_000)
        world.partition([0, 1, 1], .cut, until: 0)
        world.give(.delete(try reference(sent, from: 1, in: world)), to: 1)
        world.run(for: 3_000)
        world.give(.changeGroup(who: "Bridge", .remove([world.nodes[1].identity.grouped])), to: 0)
        world.run(for: 3_000)
        world.network.heal()
        world.run(for: 60_000)
        for index in [0, 2] { #expect(isTombstone(world, index, group) == [true], "\(world.nodes[index].name)") }
        for node in world.nodes {
            #expect(node.disk.shows(try reference(sent, from: 1, in: world).event.id)?.text == "")
        }
    }
}
