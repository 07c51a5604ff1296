import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// Lists of people that are read from a file, and what the method `workspace.import` does with them.
@Suite struct PeopleListTests {
    private static func peer(_ number: Int) -> PeerID {
        PeerID(value: Bytes32(hashing: [UInt8(number & 255), UInt8(number >> 8)], domain: 0))
    }

    /// The whole text form, without spaces.
    private static func text(_ number: Int) -> String { peer(number).grouped.filter { $0 != " " } }

    private static let (ada, bob) = (text(1), text(2))

    private func entries(_ csv: String) throws -> [PeopleList.Entry] { try PeopleList(csv: csv).entries }

    private func fault(_ csv: String) -> PeopleList.Fault? {
        do throws(PeopleList.Fault) {
            _ = try PeopleList(csv: csv)
            return nil
        } catch {
            return error
        }
    }

    private static let two = [
        PeopleList.Entry(name: "Ada", peer: peer(1)), PeopleList.Entry(name: "Bob", peer: peer(2)),
    ]

    @Test(arguments: [
        "Ada,\(ada)\nBob,\(bob)\n", "Ada,\(ada)\r\nBob,\(bob)", "name,peer ID\nAda,\(ada)\nBob,\(bob)\n",
        "\u{FEFF}Name,Peer-ID\r\nAda,\(ada)\r\nBob,\(bob)\r\n", "\(ada),Ada\nBob,\(bob)",
        "Peer_ID,NAME\n\(ada),Ada\n\(bob),Bob",
        " Ada , \(ada) \n\n\t\"Bob\"\t,\"\(bob)\"\n\n", "Ada,\(ada.uppercased())\nBob,\(peer(2).grouped)",
        "id,name\r\(ada),Ada\r\(bob),Bob\r",
        "Name;Peer-ID\r\nAda;\(ada)\r\nBob;\(bob)\r\n", "\u{FEFF}Ada;\(ada)\n\"Bob\" ; \"\(bob)\"\n",
        "Ada\t\(ada)\n Bob \t\(bob)\n", "sep=;\r\nname;id\r\nAda;\(ada)\r\nBob;\(bob)\r\n",
        "Ada;\(ada);;\r\n;;;\r\nBob;\(bob);;\r\n", "name,id,\nAda,\(ada),\nBob,\(bob),\n,,\n",
    ]) func theUsualFormsAreRead(_ csv: String) throws {
        #expect(try entries(csv) == Self.two)
    }

    @Test func aNameMayHaveCommasAndQuotationMarks() throws {
        #expect(try entries("\"Lovelace, Ada\",\(Self.ada)").map(\.name) == ["Lovelace, Ada"])
        #expect(try entries("\"Ada \"\"A\"\" L\",\(Self.ada)").map(\.name) == ["Ada \"A\" L"])
        #expect(try entries("Zoë 🚢,\(Self.ada)").map(\.name) == ["Zoë 🚢"])
        #expect(try entries("Lovelace, Ada;\(Self.ada)").map(\.name) == ["Lovelace, Ada"])
        #expect(try entries("\"Ada; A\",\(Self.ada)").map(\.name) == ["Ada; A"])
        #expect(try entries("name,\(Self.ada)").map(\.name) == ["name"], "a line with a peer ID is no heading")
    }

    @Test func aWrongLineIsNamedAndNothingIsTaken() {
        let (ada, bob) = (Self.ada, Self.bob)
        let cases: [(String, Int, PeopleList.Reason)] = [
            ("", 1, .empty), ("\n\n", 1, .empty), ("name,id\n", 1, .empty),
            ("Ada,\(ada)\nBob", 2, .fields(1)), ("Ada,\(ada),x", 1, .fields(3)),
            ("Lovelace, Ada,\(ada)", 1, .fields(3)),
            ("Bob,abcd", 1, .noPeerID("abcd")), ("Bob,\(bob.dropLast())", 1, .noPeerID(String(bob.dropLast()))),
            ("Ada,\(ada)\nname,id\n", 2, .noPeerID("id")), ("Name,Abteilung\nAda,\(ada)", 1, .noPeerID("Abteilung")),
            ("\(ada),\(bob)", 1, .noName), ("Ada,\(ada)\n,\(bob)", 2, .name(.length)),
            ("\"A\nda\",\(ada)", 1, .name(.controlCharacters)), ("Ada ✓,\(ada)", 1, .name(.checkMark)),
            ("\(String(repeating: "x", count: Limits.nameBytes + 1)),\(ada)", 1, .name(.length)),
            ("Ada,\(ada)\n\nBob,\(ada)", 3, .samePeer(line: 1)), ("Ada,\(ada)\nada,\(bob)", 2, .sameName(line: 1)),
            ("\"Ada,\(ada)", 1, .quotation), ("\"Ada\"x,\(ada)", 1, .quotation), ("A\"da,\(ada)", 1, .quotation),
            ("Ada,\(ada)\nyou,\(bob)", 2, .reservedName("you")),
            ("\"A\nda\",\(ada)\nBob,1", 1, .name(.controlCharacters)),
            ("name;id\nAda;\(ada)\nBob", 3, .fields(1)), ("Ada;\(ada)\nBob;abcd", 2, .noPeerID("abcd")),
            ("Ada;\(ada);x", 1, .fields(3)), ("Ada\t\(ada)\nBob\tabcd\n", 2, .noPeerID("abcd")),
            ("sep=;\n", 1, .empty), ("Ada|\(ada)", 1, .fields(1)),
            ("Ada;\(ada)\nBob,\(bob)", 2, .otherSeparator(line: 1)),
            ("Ada,\(ada)\n\nBob\t\(bob)", 3, .otherSeparator(line: 1)),
            ("name;id\nAda,\(ada)", 2, .otherSeparator(line: 1)),
            ("sep=;\nAda,\(ada)", 2, .otherSeparator(line: 1)),
            ("Ada;\(ada)\n\"Lovelace, Bob\"", 2, .fields(1)), ("Ada;\(ada)\nBob,x", 2, .fields(1)),
        ]
        for (csv, line, reason) in cases {
            #expect(fault(csv) == PeopleList.Fault(line: line, reason: reason), "\(csv)")
        }
    }

    @Test func onlySoManyPeopleAreTaken() throws {
        let lines = (1...Limits.importedPeople + 1).map { "P\($0),\(Self.text($0))" }
        #expect(try entries(lines.dropLast().joined(separator: "\n")).count == Limits.importedPeople)
        #expect(
            fault(lines.joined(separator: "\n")) == PeopleList.Fault(line: Limits.importedPeople + 1, reason: .long)
        )
        // As much text as is read at once has room for each of them with the longest name and spaces.
        #expect(Limits.importedPeople * (Limits.nameBytes + 16 + 70) < Limits.importedBytes)
    }

    // What an import does.

    private func key(_ number: UInt8 = 1) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    private func bench(_ peers: [PeerRecord] = [], isAdmin: Bool = true) throws -> EngineBench {
        var bench = try EngineBench(peers: peers)
        let command: WorkspaceCommand =
            isAdmin
            ? .found(name: "Ship", key(), nonce: [UInt8](repeating: 3, count: 16)) : .join(name: "Ship", key())
        _ = try bench.ask(.workspace(command)).get()
        return bench
    }

    private func imports(_ bench: inout EngineBench, _ list: [PeopleList.Entry]) throws -> ImportedPeople {
        guard case .imported(let outcome) = try bench.ask(.workspace(.importPeople(list))).get() else {
            throw EngineBench.Unexpected(what: "another answer")
        }
        return outcome
    }

    @Test func anOfficeIsAdmittedNamedAndAcceptedAtOnce() throws {
        var bench = try bench()
        let list = (1...150).map { PeopleList.Entry(name: "P\($0)", peer: Self.peer($0)) }
        let outcome = try imports(&bench, list)
        #expect(outcome.admitted.count == 150 && outcome.named.count == 150 && outcome.accepted.count == 150)
        #expect(outcome.leftOut == [] && outcome.known == [])
        let charter = try #require(bench.disk.snapshot.workspace?.charter)
        #expect(Set(list.map(\.peer)).isSubset(of: charter.admitted))
        #expect(charter.entries.count { $0.change.action == .admit } == 3, "64 people each")
        #expect(
            list.allSatisfy {
                bench.disk.peers[$0.peer]?.alias == $0.name && bench.disk.peers[$0.peer]?.isAccepted == true
            }
        )
        // Once more, nothing is to be done; one who is new is added.
        let more = try imports(&bench, list + [PeopleList.Entry(name: "Zoe", peer: Self.peer(200))])
        #expect(more.admitted == [Self.peer(200)] && more.known.count == 150 && more.named == [Self.peer(200)])
    }

    @Test func whatTheUserHasDecidedStays() throws {
        var named = PeerRecord(id: Self.peer(1))
        (named.trust, named.alias) = (.verified, "Chief")
        var blocked = PeerRecord(id: Self.peer(2))
        blocked.trust = .blocked
        var declined = PeerRecord(id: Self.peer(3))
        declined.declined = EngineBench.start.wall
        var taken = PeerRecord(id: Self.peer(4))
        (taken.trust, taken.alias) = (.accepted, "Eve")
        var bench = try bench([named, blocked, declined, taken])
        _ = try bench.ask(.workspace(.change(.exclude(key(2)), who: [Self.text(5)]))).get()
        let names = ["Ada", "Bob", "Cyd", "Dan", "Fay", "Eve"]
        var list = names.enumerated().map { PeopleList.Entry(name: $1, peer: Self.peer($0 + 1)) }
        list.append(PeopleList.Entry(name: "Me", peer: bench.identity))
        let outcome = try imports(&bench, list)
        #expect(outcome.admitted == [1, 4, 6].map { Self.peer($0) })
        #expect(outcome.named == [] && outcome.accepted == [Self.peer(6)])
        #expect(Set(outcome.known) == [bench.identity, Self.peer(1), Self.peer(4)])
        let reasons = Dictionary(uniqueKeysWithValues: outcome.leftOut.map { ($0.name, $0.reason) })
        #expect(reasons == ["Bob": .blocked, "Cyd": .declined, "Fay": .excluded, "Eve": .nameTaken])
        #expect(bench.disk.peers[Self.peer(1)]?.alias ?? "Chief" == "Chief")
        #expect(
            bench.disk.peers[Self.peer(2)]?.isAccepted != true && bench.disk.peers[Self.peer(3)]?.isAccepted != true
        )
    }

    /// Otherwise what is written to the group, or to the person of that ID, would go to the other one.
    @Test func nobodyIsNamedLikeAGroupOfTheUser() throws {
        var bench = try bench()
        let nonce = [UInt8](repeating: 1, count: 16)
        _ = try bench.ask(.createGroup(title: "Crew", who: [], nonce: nonce)).get()
        for name in ["crew", bench.engine.identity.prefix] {
            let outcome = try imports(&bench, [PeopleList.Entry(name: name, peer: Self.peer(1))])
            #expect(outcome.leftOut.map(\.reason) == [.nameTaken] && outcome.named == [], "\(name)")
        }
        #expect(bench.disk.peers[Self.peer(1)]?.isAccepted == true)
    }

    @Test func whoIsNoAdminOnlyNamesAndAccepts() throws {
        var bench = try bench(isAdmin: false)
        let outcome = try imports(&bench, Self.two)
        #expect(outcome.admitted == [] && outcome.named.count == 2 && outcome.accepted.count == 2)
        _ = try bench.ask(.workspace(.leave)).get()
        #expect(try bench.ask(.workspace(.importPeople(Self.two))) == .failure(.workspace(.none)))
    }

    @Test func nothingIsDoneIfTheDiskIsFull() throws {
        var bench = try bench()
        bench.diskFails = true
        guard case .failure = try bench.ask(.workspace(.importPeople(Self.two))) else {
            throw EngineBench.Unexpected(what: "an answer")
        }
        bench.diskFails = false
        bench.pass(1_000)
        #expect(bench.disk.snapshot.workspace?.charter?.admitted == [bench.identity])
        #expect(try imports(&bench, Self.two).admitted.count == 2)
    }
}
