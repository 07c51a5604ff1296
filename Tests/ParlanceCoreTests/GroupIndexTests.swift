import ParlanceHistory
import ParlanceWire
import Testing

@testable import ParlanceCore

/// The index of groups by person says what a look at all groups says.
@Suite struct GroupIndexTests {
    private func expectIndex(_ bench: EngineBench, of people: [PeerID]) {
        for peer in people {
            let scanned = bench.engine.conversations.values.filter {
                $0.group?.membership.mentions(peer) == true
            }
            let found = bench.engine.conversations.groups(mentioning: peer)
            #expect(found == scanned.map(\.id).sorted())
        }
    }

    @Test func afterChangesAndFailures() throws {
        var group = try GroupBench(3)
        let people = [group.bench.identity] + group.peers.map(\.identity)
        expectIndex(group.bench, of: people)
        #expect(group.bench.engine.conversations.groups(mentioning: people[1]) == [group.group])
        func create(_ bench: inout EngineBench, _ number: UInt8) throws {
            let who = people.dropFirst().prefix(2).map(\.grouped)
            let nonce = [UInt8](repeating: number, count: 16)
            _ = try bench.ask(.createGroup(title: "Other", who: who, nonce: nonce))
        }
        try create(&group.bench, 8)
        expectIndex(group.bench, of: people)
        #expect(group.bench.engine.conversations.groups(mentioning: people[1]).count == 2)
        _ = try group.bench.ask(.changeGroup(who: "Crew", .remove([people[1].grouped])))
        expectIndex(group.bench, of: people)
        // A group that could not be written is gone.
        group.bench.diskFails = true
        try create(&group.bench, 9)
        expectIndex(group.bench, of: people)
        #expect(group.bench.engine.conversations.groups(mentioning: people[1]).count == 2)
    }
}
