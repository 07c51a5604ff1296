import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire
import Testing

/// Tests groups and branches against golden files.
@Suite struct VectorGroupTests {
    struct Group: Decodable, Sendable, CustomTestStringConvertible {
        var name, creator, body, conversation, text: String
        var testDescription: String { name }
    }

    struct Branch: Decodable, Sendable, CustomTestStringConvertible {
        var name, author, replica, first, branch: String
        var testDescription: String { name }
    }

    struct Set: Decodable, Sendable, CustomTestStringConvertible {
        struct Place: Decodable, Sendable {
            var author, replica, sequence: String
        }
        struct Right: Decodable, Sendable {
            var capability, author, replica, sequence: String
            var named: [Place]
            var allowed: Bool
        }
        var name, conversation, title, hash: String
        var events, taken, members, admins, counting, last, writers: [String]
        var names: [String: String]
        var rights: [Right]
        var testDescription: String { name }

        func stored() throws -> [StoredEvent] {
            let id = try ParlanceCoreTests.conversation(conversation)
            return try events.map { bytes in
                let received = ReceivedEvent(try #require(WireEvent(decoding: hex(bytes))))
                return try RunVerifier.verify(single: received, in: id)
            }
        }
    }

    @Test(arguments: try VectorFiles.vectors("group", as: Group.self)) func group(_ vector: Group) throws {
        let id = ConversationID(creator: try peer(vector.creator), creation: try hex(vector.body))
        #expect(id == (try conversation(vector.conversation)))
        #expect(id.text == vector.text)
    }

    @Test(arguments: try VectorFiles.vectors("branch", as: Branch.self)) func branch(_ vector: Branch) throws {
        let root = try log(vector.author, vector.replica)
        #expect(LogID(branchOf: root, first: try event(vector.first)) == (try log(vector.author, vector.branch)))
    }

    @Test(arguments: try VectorFiles.vectors("membership", as: Set.self)) func membership(_ vector: Set) throws {
        let events = try vector.stored()
        let membership = Membership(events)
        #expect(try membership.events.map(\.id) == vector.taken.map(event))
        #expect(try Array(membership.members) == vector.members.map(peer))
        #expect(try membership.members.filter { membership.isAdmin($0) } == vector.admins.map(peer))
        #expect(
            try events.map(\.id).filter { membership.isValid($0) }.sorted() == vector.counting.map(event)
        )
        #expect(try membership.frontier == vector.last.map(event))
        let writers = try vector.writers.map(peer)
        // An event that breaks a rule by itself lets nobody write, so everybody that it names is checked.
        let asked = Swift.Set(
            events.map(\.header.log.author) + events.compactMap(MembershipChange.init).flatMap(\.subjects)
        )
        #expect(asked.filter { membership.mentions($0) }.sorted() == writers)
        #expect(membership.title == vector.title)
        #expect(try membership.names == SortedTable(vector.names.map { (try peer($0), $1) }))
        #expect(membership.hash == (try hex(vector.hash)))
    }

    @Test(arguments: try VectorFiles.vectors("membership", as: Set.self)) func rights(_ vector: Set) throws {
        let membership = Membership(try vector.stored())
        for right in vector.rights {
            var named: [(log: LogID, sequence: UInt64)] = []
            for place in right.named {
                named.append((try log(place.author, place.replica), try number(place.sequence)))
            }
            let allowed = membership.allows(
                right.capability == "admin" ? .admin : .member,
                try peer(right.author),
                in: try log(right.author, right.replica),
                at: try number(right.sequence)
            ) { gain in named.contains { $0.log == gain.log && $0.sequence >= gain.sequence } }
            #expect(allowed == right.allowed, "\(right)")
        }
    }

    /// The result is the same in whatever order and portions the events arrive.
    @Test(arguments: try VectorFiles.vectors("membership", as: Set.self)) func anyOrder(_ vector: Set) throws {
        let events = try vector.stored()
        let whole = Membership(events)
        for seed in UInt64(1)...8 {
            var random = SeededGenerator(seed: seed)
            var rest = events.shuffled(using: &random)[...]
            var membership = Membership()
            while !rest.isEmpty {
                let portion = rest.prefix(1 + Int(random.below(4)))
                membership.insert(Array(portion))
                // Events that are known already change nothing.
                #expect(membership.insert(Array(portion)).isEmpty, "seed \(seed)")
                rest = rest.dropFirst(portion.count)
            }
            #expect(membership.members == whole.members, "seed \(seed)")
            #expect(membership.hash == whole.hash, "seed \(seed)")
            #expect(membership.frontier == whole.frontier, "seed \(seed)")
            #expect(membership.names == whole.names, "seed \(seed)")
            for id in events.map(\.id) { #expect(membership.isValid(id) == whole.isValid(id), "seed \(seed)") }
            for member in whole.members {
                #expect(membership.isAdmin(member) == whole.isAdmin(member), "seed \(seed)")
            }
        }
    }
}
