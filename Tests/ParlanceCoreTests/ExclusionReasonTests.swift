import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// What is said to members of a workspace, and to somebody excluded from it, of what they cannot do any more.
@Suite struct ExclusionReasonTests {
    private let ada = 0
    private let bob = 1
    private let cyd = 2
    private let dan = 3

    private func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    /// Ada, Bob and Cyd have been members of a workspace, Dan never was, and Ada has excluded Bob.
    ///
    /// - Parameters:
    ///   - accepted: how many people each of them accepts by then.
    ///   - before: what happens before there is a workspace.
    ///   - inside: what happens before the exclusion.
    private func excluding(
        accepted: [Int] = [2, 2, 2],
        before: (SimulatedWorld) -> Void = { _ in },
        inside: (SimulatedWorld) -> Void = { _ in }
    ) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: ["ada", "bob", "cyd", "dan"], seed: 16)
        for node in ada...dan {
            world.start(node)
            let address = try #require(NumericAddress([10, 0, 0, UInt8(node + 1)]))
            world.tell(.ownAddresses([address]), to: node)
        }
        before(world)
        world.give(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16))), to: ada)
        world.run(for: 1_000)
        let charter = try #require(world.nodes[ada].disk.snapshot.workspace?.charter)
        for node in bob...cyd {
            world.give(.workspace(.join(name: "Ship", key(1), CharterPrefix(of: charter.id))), to: node)
        }
        let isAccepted = { (node: Int) in
            world.nodes[node].disk.peers.values.count { $0.trust == .accepted } >= accepted[node]
        }
        #expect(world.run(until: { (ada...cyd).allSatisfy(isAccepted) }, within: 600_000))
        // Members tell each other their addresses: nothing else shows later who is one.
        world.run(for: 60_000)
        inside(world)
        world.give(.workspace(.change(.exclude(key(2)), who: ["bob"])), to: ada)
        let peer = world.nodes[bob].identity
        let isTold = { (node: Int) in
            world.nodes[node].disk.snapshot.workspace?.charter?.isExcluded(peer) == true
        }
        #expect(world.run(until: { (ada...cyd).allSatisfy(isTold) }, within: 600_000))
        return world
    }

    private func reason(_ world: SimulatedWorld, of node: Int, with other: Int) throws -> WaitReason? {
        let id = ConversationID(direct: world.nodes[node].identity, world.nodes[other].identity)
        return try world.deliveries(of: node).first { $0.conversation == id }?.reason
    }

    /// What was told last of somebody.
    private func last(_ world: SimulatedWorld, _ node: Int, of other: Int) -> PeerView? {
        world.nodes[node].notices.reversed().lazy.compactMap { notice -> PeerView? in
            guard case .peer(let view) = notice, view.record.id == world.nodes[other].identity else { return nil }
            return view
        }
        .first
    }

    @Test func messagesWaitBecauseOfTheExclusion() throws {
        let world = try excluding()
        world.give(.send(who: world.nodes[cyd].identity.text, text: "let me in"), to: bob)
        world.give(.send(who: world.nodes[bob].identity.text, text: "ask Ada"), to: cyd)
        let excluded = WaitReason.excluded(by: world.nodes[ada].identity)
        #expect(try world.run(until: { try reason(world, of: bob, with: cyd) == excluded }, within: 900_000))
        #expect(try world.run(until: { try reason(world, of: cyd, with: bob) == .leftOut }, within: 60_000))
    }

    /// Whoever watches is told of it when it happens, and not only with the next change of a link.
    @Test func theExclusionIsToldOfEachWhomItConcerns() throws {
        let world = try excluding()
        world.run(for: 10_000)
        #expect(last(world, bob, of: cyd)?.membership?.excludedBy == "ada")
        #expect(last(world, cyd, of: bob)?.isLeftOut == true)
        #expect(last(world, cyd, of: bob)?.membership == .init(workspace: "Ship", hasCharter: true, isAdmin: false))
        #expect(last(world, ada, of: bob)?.membership?.isAdmin == true)
        // So is its end, also of somebody who is not there to show it.
        world.crash(bob)
        world.give(.workspace(.change(.readmit, who: ["bob"])), to: ada)
        world.run(for: 20_000)
        #expect(last(world, ada, of: bob)?.isLeftOut == false && last(world, cyd, of: bob)?.isLeftOut == false)
    }

    @Test func somebodyOutsideOfTheWorkspaceRefusesForOtherReasons() throws {
        let world = try excluding { world in
            world.run(for: 2_000)
            world.give(.send(who: "dan", text: "may I?"), to: bob)
            world.run(for: 1_000)
            world.give(.accept(who: "bob"), to: dan)
            world.run(for: 10_000)
            world.crash(bob)
            world.run(for: 20_000)
            world.give(.block(who: "bob"), to: dan)
            world.run(for: 1_000)
            world.start(bob)
            world.give(.send(who: "dan", text: "are you there?"), to: bob)
            world.run(for: 10_000)
        }
        #expect(try reason(world, of: bob, with: dan) == .refused)
    }

    /// Also a member with whom one talked before there was a workspace refuses because of the exclusion.
    @Test func aMemberWhoHadAcceptedBeforeRefusesForTheSameReason() throws {
        let world = try excluding { world in
            world.run(for: 2_000)
            world.give(.send(who: "cyd", text: "may I?"), to: bob)
            world.run(for: 1_000)
            world.give(.accept(who: "bob"), to: cyd)
            world.run(for: 10_000)
        }
        world.give(.send(who: world.nodes[cyd].identity.text, text: "let me in"), to: bob)
        let excluded = WaitReason.excluded(by: world.nodes[ada].identity)
        #expect(try world.run(until: { try reason(world, of: bob, with: cyd) == excluded }, within: 900_000))
    }

    /// Also a member whom the excluded one has declined, and meets in a group: what is written there fails then.
    @Test func aMemberWhoIsNotAcceptedRefusesForTheSameReason() throws {
        let world = try excluding(accepted: [2, 1, 2]) { world in
            world.run(for: 2_000)
            world.give(.send(who: "bob", text: "may I?"), to: cyd)
            world.run(for: 1_000)
            world.give(.decline(who: "cyd"), to: bob)
            world.run(for: 1_000)
        } inside: { world in
            let nonce = [UInt8](repeating: 4, count: 16)
            world.give(.createGroup(title: "Crew", who: ["bob", "cyd"], nonce: nonce), to: ada)
            world.run(for: 10_000)
        }
        #expect(world.nodes[bob].disk.peers[world.nodes[cyd].identity]?.isAccepted == false)
        world.give(.send(who: "Crew", text: "let me in"), to: bob)
        let excluded = WaitReason.excluded(by: world.nodes[ada].identity)
        func reasons() throws -> [WaitReason?] {
            let crew = try world.deliveries(of: bob).first { $0.recipients.count == 2 }
            return crew?.recipients.map(\.reason) ?? []
        }
        #expect(world.run(until: { (try? reasons()) == [excluded, excluded] }, within: 900_000))
        // Whoever asks about that person is told the same.
        guard case .peer(let view) = try world.ask(.find(who: "cyd"), of: bob) else {
            throw EngineBench.Unexpected(what: "Cyd is not known")
        }
        #expect(view.membership?.excludedBy == "ada")
        // Also that it is over, while that person is away and no link tells.
        world.crash(cyd)
        world.run(for: 60_000)
        world.give(.workspace(.change(.readmit, who: ["bob"])), to: ada)
        let isOver = { last(world, bob, of: cyd).map { $0.membership?.excludedBy == nil } == true }
        #expect(world.run(until: isOver, within: 900_000))
    }

    /// Whoever refused the user outside of the workspace has reasons of their own.
    @Test func whoRefusedBeforeTheWorkspaceIsNotSaidToRefuseTheExcluded() throws {
        let world = try excluding { world in
            world.run(for: 2_000)
            world.give(.send(who: "bob", text: "may I?"), to: dan)
            world.run(for: 1_000)
            world.give(.decline(who: "dan"), to: bob)
            world.give(.block(who: "bob"), to: dan)
            world.run(for: 120_000)
        }
        guard case .peer(let view) = try world.ask(.find(who: "dan"), of: bob) else {
            throw EngineBench.Unexpected(what: "Dan is not known")
        }
        #expect(view.membership?.excludedBy == nil)
    }

    @Test func whoIsExcludedIsToldThatInsteadOfWhoTheAdminsAre() throws {
        let world = try excluding()
        let id = world.give(.workspace(.change(.admit, who: ["cyd"])), to: bob)
        world.run(for: 0)
        guard case .failure(.workspace(.excludedUser(let by))) = world.nodes[bob].answers[id] else {
            throw EngineBench.Unexpected(what: "not refused: \(String(describing: world.nodes[bob].answers[id]))")
        }
        #expect(by.id == world.nodes[ada].identity)
    }
}
