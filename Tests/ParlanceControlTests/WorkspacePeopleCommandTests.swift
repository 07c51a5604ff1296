import Foundation
import ParlanceErrorCode
import ParlanceWaiting
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceControl

/// `parlance workspace` as admins type it about people: who is let in, excluded and imported.
@Suite(.timeLimit(.minutes(30))) struct WorkspacePeopleCommandTests {
    /// How both commands that exclude somebody are typed.
    private static let exclusions = [["workspace", "exclude"], ["workspace", "rotate", "--without"]]

    /// A workspace without admins, of Ada and Bob.
    private func withoutAdmins(_ body: (ServerFixture) async throws -> Void) async throws {
        try await ServerFixture.with("Bob", as: .strangers) { fixture in
            for node in [fixture.ada, fixture.bob] {
                _ = try await node.call(WorkspaceJoinOperation(name: "Camp", passphrase: "correct horse"))
            }
            try await fixture.ada.meet(fixture.bob)
            try await fixture.ada.sees(fixture.bob) { $0.trust == .accepted }
            try await body(fixture)
        }
    }

    /// The yes is for those who were listed, and the answer names whom that leaves out.
    @Test func onlyThoseWhoWereListedStayMembers() async throws {
        try await ServerFixture.with("Bob", as: .ship) { fixture in
            // Somebody who comes just before the yes.
            fixture.node.answer(WorkspacePolicyOperation.self) { asked, result in
                result.map { reply in
                    var reply = reply
                    if asked.who != nil { reply.passedOver = [Person(id: "c", displayName: "Cyd")] }
                    return reply
                }
            }
            let words = ["workspace", "policy", "admission", "approve"]
            let asked = try await fixture.run(words, typed: "yes\n")
            #expect(asked.output.contains("These people would stay members (1): Bob."), "\(asked)")
            #expect(asked.output.contains("wait now: Cyd"), "\(asked)")
            #expect(asked.output.contains("Members besides you (1): Bob"), "\(asked)")
            #expect(fixture.node.asked(WorkspacePolicyOperation.self).last?.who == [fixture.bob.id])
            let unasked = try await fixture.run(words + ["--yes"])
            #expect(unasked.code == 0 && !unasked.output.contains("wait now"), "\(unasked)")
            #expect(fixture.node.asked(WorkspacePolicyOperation.self).count == 2)
            #expect(fixture.node.asked(WorkspacePolicyOperation.self).last?.who == nil)
        }
    }

    /// Who is excluded is looked up before anything is said of it, and told with the ID.
    @Test(arguments: exclusions)
    func whoIsExcludedIsLookedUpFirst(_ words: [String]) async throws {
        try await ServerFixture.with("Bob", as: .ship) { fixture in
            let nobody = try await fixture.run(words + ["Nope"])
            #expect(nobody.code == 65 && nobody.errors.contains("Nobody here is called \"Nope\""), "\(nobody)")
            #expect(!nobody.errors.contains("no key"), "\(nobody)")
            let asked = try await fixture.run(words + ["Bob"])
            let who = "Bob (\(fixture.bob.id.prefix(8))) will get no key of Ship"
            #expect(asked.code == 64 && asked.errors.contains(who), "\(asked)")
            let changes = [WorkspaceChangeOperation.method, WorkspaceRotateOperation.method]
            #expect(fixture.node.called.isDisjoint(with: changes))
        }
    }

    /// Who is excluded is who was shown: a name may be somebody else's when the user says yes.
    @Test(arguments: exclusions)
    func whoWasShownIsExcluded(_ words: [String]) async throws {
        try await ServerFixture.with("Bob", "Cleo", as: .ship) { fixture in
            func asked() -> [String] {
                fixture.node.asked(WorkspaceChangeOperation.self).flatMap(\.who)
                    + fixture.node.asked(WorkspaceRotateOperation.self).flatMap { $0.without ?? [] }
            }
            let id = fixture.bob.id
            let piped = try await fixture.run(words + ["Bob"])
            let command = "parlance " + words.joined(separator: " ") + " \(id.prefix(12)) --yes"
            #expect(piped.code == 64 && piped.errors.contains("To do it: \(command)"), "\(piped)")
            let done = try await fixture.run(words + ["Bob"], typed: "yes\n")
            #expect(done.code == 0 && done.output.contains("Bob (\(id.prefix(8))) will get no key of Ship"), "\(done)")
            #expect(asked() == [id])
            let sure = try await fixture.run(words + ["Cleo", "--yes"])
            #expect(sure.code == 0 && asked() == [id, "Cleo"], "\(sure)")
            #expect(try await Set(fixture.ship.removed.map(\.id)) == Set(fixture.people.map(\.id)))
        }
    }

    /// A question whose yes would be refused is not asked.
    @Test func whatIsRefusedIsNotAskedFirst() async throws {
        func refused(_ words: [String], _ fixture: ServerFixture) async throws -> String {
            let done = try await fixture.run(["workspace"] + words, typed: "yes\n")
            #expect(done.code == 65 && !done.output.contains("Type yes"), "\(done)")
            return done.output + done.errors
        }
        try await ServerFixture.with("Bob", "Cleo", as: .strangers) { fixture in
            _ = try await fixture.bob.call(WorkspaceCreateOperation(name: "Ship"))
            for other in [fixture.ada, fixture.people[1]] { try await fixture.bob.enlist(other) }
            try await fixture.ada.meet(fixture.people[1])
            for words in [["rotate"], ["rotate", "--without", "Cleo"], ["exclude", "Cleo"]] {
                let says = try await refused(words, fixture)
                #expect(says.contains("Only an admin"), "\(says)")
            }
        }
        try await withoutAdmins { fixture in
            let unled = try await refused(["exclude", "Bob"], fixture)
            #expect(unled.contains("has no admins"), "\(unled)")
            #expect(unled.contains("parlance workspace rotate --without \(fixture.bob.id.prefix(12))"), "\(unled)")
            let asked = try await fixture.run("workspace", "rotate", "--without", "Bob")
            #expect(asked.code == 64 && asked.errors.contains("That cannot be undone"), "\(asked)")
        }
    }

    @Test func whatAnAdmissionDidIsSaid() async throws {
        try await ServerFixture.with("Bob", "Fay", "Zoe", as: .strangers) { fixture in
            let (bob, fay, zoe) = (fixture.people[0], fixture.people[1], fixture.people[2])
            try await fixture.ada.befriend(zoe)
            _ = try await fixture.ada.call(WorkspaceCreateOperation(name: "Ship"))
            try await fixture.ada.enlist(fay)
            let policy = WorkspacePolicyOperation(name: "admission", value: "approve", who: [fay.id])
            _ = try await fixture.ada.call(policy)
            _ = try await bob.call(WorkspaceJoinOperation(code: try await fixture.ada.code))
            try await fixture.ada.meet(bob)
            try await eventually("Bob waits") { try await fixture.ship.charter?.waiting.map(\.id) == [bob.id] }
            let other = try await fixture.run("workspace", "admit", "Fay")
            #expect(other.output == "Members already: Fay\nOthers wait: Bob\n", "\(other)")
            let done = try await fixture.run("workspace", "admit", "Bob", "Fay", "Zoe")
            let lines = [
                "Let in: Bob", "Members already: Fay",
                "Not connected yet; admitted as soon as they join with the code: Zoe", "Nobody else waits.", "",
            ]
            #expect(done.code == 0 && done.output == lines.joined(separator: "\n"), "\(done)")
        }
    }

    @Test func whoIsLeftOutOfAListIsNamed() async throws {
        try await ServerFixture.with("Bob", "Eve", "Dan", as: .ship) { fixture in
            let (bob, eve, dan) = (fixture.people[0], fixture.people[1], fixture.people[2])
            _ = try await fixture.ada.call(WorkspaceChangeOperation(.exclude, who: ["Eve"]))
            _ = try await fixture.ada.call(BlockOperation(who: "Bob"))
            _ = try await fixture.ada.call(GroupCreateOperation(title: "Cyd", who: []))
            let list = "Eve,\(eve.id)\nBob,\(bob.id)\nCyd,\(dan.id)\n"
            let file = fixture.folder + "/office.csv"
            try Data(list.utf8).write(to: URL(fileURLWithPath: file))
            for (word, input) in [(file, nil), ("-", list)] {
                let done = try await fixture.run("workspace", "import", word, input: input)
                #expect(done.code == 0 && done.output.contains("Names given: 0; newly accepted: 0"), "\(done)")
                #expect(done.output.contains("Left out: Eve is excluded"), "\(done)")
                #expect(done.output.contains("Left out: you have blocked Bob."), "\(done)")
                #expect(done.output.contains("Not named: somebody else here, or a group of yours, is called Cyd."))
            }
            #expect(fixture.node.asked(WorkspaceImportOperation.self).map(\.people) == [list, String(list.dropLast())])
        }
    }

    /// "Jürgen" as Excel writes it, as CSV and as Unicode text.
    @Test func aListIsReadAsSpreadsheetsWriteIt() async throws {
        try await ServerFixture.with("Bob", as: .strangers) { fixture in
            _ = try await fixture.ada.call(WorkspaceCreateOperation(name: "Ship"))
            let (file, id) = (fixture.folder + "/office.csv", fixture.bob.id)
            func read(_ bytes: [UInt8], _ more: String...) async throws -> CommandTests.Outcome {
                try Data(bytes).write(to: URL(fileURLWithPath: file))
                return try await fixture.run(["workspace", "import", file] + more)
            }
            let missing = try await fixture.run("workspace", "import", file + "x")
            #expect(missing.code != 0 && missing.errors.contains("cannot be read"), "\(missing)")
            let long = try await read([UInt8](repeating: 0, count: Limits.importedBytes + 1))
            #expect(long.code == 65 && long.errors.contains("more than \(Limits.importedBytes) bytes"), "\(long)")
            let excel: [UInt8] = [0x4A, 0xFC] + Array("rgen;\(id)\r\n".utf8)
            let western = try await read(excel)
            #expect(western.code == 0 && western.errors.contains("was read as Windows-1252"), "\(western)")
            #expect(western.output.contains("Admitted to the workspace: 1"), "\(western)")
            #expect(fixture.node.asked(WorkspaceImportOperation.self).last?.people == "J\u{FC}rgen;\(id)\r\n")
            let wide = [0xFEFF] + Array("J\u{FC}rgen\t\(id)\r\n".utf16)
            for order in [false, true] {
                let bytes = wide.flatMap {
                    order ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
                }
                let read = try await read(bytes)
                #expect(read.code == 0 && read.errors.isEmpty, "\(read)")
                #expect(fixture.node.asked(WorkspaceImportOperation.self).last?.people == "J\u{FC}rgen\t\(id)\r\n")
            }
            // A name from elsewhere in a list that is UTF-8: read as Windows-1252, all other names would be garbled.
            let mixed = try await read(Array("Zo\u{EB};x\nJ".utf8) + [0xFC] + Array("rgen;y\n".utf8))
            #expect(mixed.code == 65 && mixed.errors.contains("line 2 is not"), "\(mixed)")
            // Nobody looks at the names.
            let unseen = try await read(excel, "--json")
            #expect(unseen.code == 65 && unseen.errors.contains("WINDOWS-1252"), "\(unseen)")
            let binary = try await read([0x41, 0x81])
            #expect(binary.code == 65 && binary.errors.contains("not valid UTF-8"), "\(binary)")
            #expect(fixture.node.asked(WorkspaceImportOperation.self).count == 3)
        }
    }

    /// A workspace and its groups are two things.
    @Test(arguments: exclusions)
    func whoIsExcludedIsNamedWithTheGroups(_ words: [String]) async throws {
        try await ServerFixture.with("Bob", "Cleo", as: .ship) { fixture in
            let crew = try await fixture.ada.call(GroupCreateOperation(title: "Crew", who: ["Bob"])).id
            let old = try await fixture.ada.call(GroupCreateOperation(title: "Old", who: ["Bob"])).id
            _ = try await fixture.ada.call(GroupAdminOperation(group: old, who: ["Bob"]))
            _ = try await fixture.ada.call(GroupLeaveOperation(group: old))
            let done = try await fixture.run(words + ["Bob", "--yes"])
            let still = "Bob is still a member of these groups: \"Crew\"."
            #expect(done.code == 0 && done.output.contains(still), "\(done)")
            let advice = "\"Crew\": parlance group remove \(crew.prefix(12)) \(fixture.bob.id.prefix(12))\n"
            #expect(done.output.contains(advice) && !done.output.contains("Old"), "\(done)")
            let none = try await fixture.run(words + ["Cleo", "--yes"])
            #expect(none.code == 0 && !none.output.contains("still a member"), "\(none)")
        }
    }

    @Test func withoutAdminsTheGroupsAreNamedToo() async throws {
        try await withoutAdmins { fixture in
            _ = try await fixture.ada.call(GroupCreateOperation(title: "Crew", who: ["Bob"]))
            let unled = try await fixture.run("workspace", "rotate", "--without", "Bob", "--yes")
            #expect(unled.code == 0 && unled.output.contains("Bob is still a member of"), "\(unled)")
        }
    }

    /// Only an admin of a group can remove somebody, and a title may be that of two groups.
    ///
    /// - Parameter isLost: whether the group of which Ada is an admin cannot be looked at.
    @Test(arguments: [false, true])
    func whoCanRemoveTheExcludedIsSaid(isLost: Bool) async throws {
        try await ServerFixture.with("Bob", "Cleo", as: .ship) { fixture in
            let (bob, cleo) = (fixture.bob, fixture.people[1])
            try await cleo.meet(bob)
            let first = try await cleo.call(GroupCreateOperation(title: "Crew", who: ["Ada", "Bob"])).id
            _ = try await cleo.call(GroupAdminOperation(group: first, who: ["Bob"]))
            var again = GroupCreateOperation(title: "Crew", who: ["Bob", "Cleo"])
            again.force = true
            let second = try await fixture.ada.call(again).id
            try await eventually("Ada is in both groups") {
                let members = try? await fixture.ada.call(GroupShowOperation(group: first)).members
                return members?.count == 3 && members?.contains { $0.id == bob.id && $0.admin } == true
            }
            if isLost {
                fixture.node.answer(GroupShowOperation.self) { asked, result in
                    guard asked.group == second else { return result }
                    return .failure(ControlError(.storeFailed, "The store cannot be read.", advice: "Try later."))
                }
            }
            let done = try await fixture.run("workspace", "exclude", "Bob", "--yes")
            #expect(done.code == 0, "\(done)")
            if isLost {
                #expect(!done.output.contains("group remove"), "\(done)")
                #expect(done.output.hasSuffix("Only the admins of these groups can remove them: Cleo\n"), "\(done)")
            } else {
                #expect(done.output.contains("these groups: \"Crew\" and \"Crew\"."), "\(done)")
                #expect(done.output.contains("parlance group remove \(second.prefix(12)) "), "\(done)")
                #expect(
                    done.output.hasSuffix("  Only the admins of \"Crew\" can remove them there: Cleo\n"),
                    "\(done)"
                )
            }
        }
    }
}
