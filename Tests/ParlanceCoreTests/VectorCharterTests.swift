import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// Tests charters and invitation codes against golden files.
@Suite struct VectorCharterTests {
    struct Set: Decodable, Sendable, CustomTestStringConvertible {
        var name, charter, title, hash, admission: String
        var events, taken, admins, excluded, admitted, counting, order, last, keys, exposed, log: [String]
        var policies: [String: String]
        var testDescription: String { name }

        func stored() throws -> [StoredEvent] {
            let id = try ParlanceCoreTests.conversation(charter)
            return try events.map { bytes in
                let received = ReceivedEvent(try #require(WireEvent(decoding: hex(bytes))))
                return try RunVerifier.verify(single: received, in: id)
            }
        }
    }

    struct Code: Decodable, Sendable, CustomTestStringConvertible {
        var name, label, key, text: String
        var charter, invitation, policy, peer, proof: String?
        var testDescription: String { name }
    }

    @Test(arguments: try VectorFiles.vectors("charter", as: Set.self)) func charter(_ vector: Set) throws {
        let events = try vector.stored()
        var charter = Charter(id: try conversation(vector.charter))
        #expect(try charter.insert(events).map(\.id) == vector.taken.map(event))
        #expect(try charter.admins == vector.admins.map(peer))
        #expect(try charter.excluded == vector.excluded.map(peer))
        #expect(try charter.admitted == vector.admitted.map(peer))
        #expect(try charter.entries.map(\.change.id) == vector.order.map(event))
        #expect(try charter.entries.filter(\.counts).map(\.change.id).sorted() == vector.counting.map(event))
        #expect(try charter.frontier == vector.last.map(event))
        #expect(try charter.rotations.map(\.key) == vector.keys.map { try #require(Bytes32(hex($0))) })
        if let newest = charter.rotations.last {
            #expect(try charter.exposed(by: newest.key) == vector.exposed.map(peer))
        }
        let policies = charter.policies.map { ($0.name, $0.value) }
        #expect(Dictionary(uniqueKeysWithValues: policies) == vector.policies)
        #expect(charter.admission.rawValue == vector.admission && charter.title == vector.title)
        #expect(charter.hash == (try hex(vector.hash)))
        #expect(CharterLog.lines(of: charter) == vector.log)
        let read = try CharterLog.check(vector.log.joined(separator: "\n").utf8)
        #expect(CharterOrderTests.verdict(read) != [])
    }

    /// The result is the same in whatever order and portions the events arrive.
    @Test(arguments: try VectorFiles.vectors("charter", as: Set.self)) func anyOrder(_ vector: Set) throws {
        let events = try vector.stored()
        var whole = Charter(id: try conversation(vector.charter))
        whole.insert(events)
        for seed in UInt64(1)...8 {
            var random = SeededGenerator(seed: seed)
            var charter = Charter(id: whole.id)
            for event in events.shuffled(using: &random) { charter.insert([event]) }
            #expect(CharterOrderTests.verdict(charter) == CharterOrderTests.verdict(whole), "seed \(seed)")
        }
    }

    @Test(arguments: try VectorFiles.vectors("invitation-code", as: Code.self)) func code(_ vector: Code) throws {
        let secret = SecretBytes(copying: try hex(vector.key))
        let prefix = try vector.charter.map { try #require(CharterPrefix(hex($0))) }
        let invitation = try vector.invitation.map { text in
            let secret = try #require(InvitationSecret(SecretBytes(copying: try hex(text))))
            let charter = try #require(prefix)
            return try #require(InvitationKey(secret, to: charter))
        }
        #expect(InvitationCode(name: vector.label, secret: secret, charter: prefix, invitation).text == vector.text)
        let read = try #require(InvitationCode(text: vector.text))
        #expect(read.name == vector.label && read.charter == prefix && read.invitationKey == invitation)
        #expect(invitation?.policy == vector.policy)
        if let person = vector.peer, let said = vector.proof {
            #expect(try invitation?.proof(for: peer(person))?.bytes == hex(said))
        }
        #expect(try read.secret.withBytes { Array($0) } == hex(vector.key))
    }
}
