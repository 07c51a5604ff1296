import ParlanceCore
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// Groups with more members than each node is linked with (discovery.md, "Many members").
@Suite struct ReachTests {
    private func ids(_ count: Int, seed: UInt64 = 5) throws -> [PeerID] {
        var random = SeededGenerator(seed: seed)
        return try (0..<count).map { _ in try #require(PeerID((0..<32).map { _ in UInt8(random.below(256)) })) }
            .sorted()
    }

    @Test(arguments: [65, 66, 100, 128, 129, 200, 256]) func everybodyIsNearAndNobodyHasTooMany(_ count: Int) throws {
        let all = try ids(count)
        // Each member's reach contains the others and not itself.
        let neighbours = all.map { one in
            let reach = Reach(peers: all.filter { $0 != one })
            return all.indices.filter { all[$0] != one && reach.areNeighbours(one, all[$0]) }
        }
        for (index, own) in neighbours.enumerated() {
            #expect(own.count <= Limits.membersLinked)
            for other in own { #expect(neighbours[other].contains(index), "both sides agree") }
        }
        for cut in [[], [3, 4, 5], Array(stride(from: 0, to: count, by: 5))] as [[Int]] {
            #expect(steps(neighbours, without: Set(cut)) <= 6, "from the first to anybody over a few")
        }
    }

    /// The most steps from the first member to any other; `.max` if some cannot be reached.
    private func steps(_ neighbours: [[Int]], without: Set<Int>) -> Int {
        guard let start = neighbours.indices.first(where: { !without.contains($0) }) else { return .max }
        var seen: Set<Int> = [start]
        var (edge, steps) = ([start], 0)
        while seen.count < neighbours.count - without.count {
            edge = edge.flatMap { neighbours[$0] }.filter { !without.contains($0) && seen.insert($0).inserted }
            guard !edge.isEmpty else { return .max }
            steps += 1
        }
        return steps
    }

    /// A member that is not in the local reach yet has the neighbours that it would have there.
    @Test func whoIsAwayHasItsPlaceToo() throws {
        let all = try ids(100)
        let (own, away) = (all[50], all[51])
        let reach = Reach(peers: all.filter { $0 != own && $0 != away })
        #expect(reach.areNeighbours(own, away) && reach.areNeighbours(away, own))
        #expect(!reach.areNeighbours(own, all[54]), "without the one between it is 3 places away, with it 4")
    }

    private func bench(_ count: Int) throws -> (EngineBench, [PeerRecord]) {
        let records = try ids(count).enumerated().map { index, id in
            var record = PeerRecord(id: id)
            (record.trust, record.announcedName, record.pinnedName) = (.accepted, "P\(index)", "P\(index)")
            record.addresses = [Endpoint(host: "10.2.0.\(index)", port: 4747)]
            return record
        }
        return (try EngineBench(peers: records), records)
    }

    /// The hosts that the bench dials within a time; each attempt stays under way.
    private func dialled(_ bench: inout EngineBench) -> Set<String> {
        var hosts: Set<String> = []
        for _ in 0..<60 {
            bench.pass(1_000)
            hosts.formUnion(bench.takeDials().map(\.endpoint.host))
        }
        return hosts
    }

    @Test func upToTheLimitAllAreDialled() throws {
        var (bench, _) = try bench(Limits.membersAllLinked)
        #expect(dialled(&bench).count == Limits.membersAllLinked)
    }

    @Test func aboveItOnlyNeighboursAreAndThoseOneWritesTo() throws {
        var (bench, records) = try bench(Limits.membersAllLinked + 1)
        let hosts = dialled(&bench)
        #expect(hosts.count <= Limits.membersLinked && hosts.count > 10)
        let far = try #require(records.first { !hosts.contains($0.addresses[0].host) })
        _ = try bench.ask(.send(who: far.id.text, text: "hello"))
        #expect(dialled(&bench) == [far.addresses[0].host])
    }
}
