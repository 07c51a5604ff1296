import Foundation
import NIOPosix
import ParlanceControl
import ParlanceWaiting
import ParlanceWire
import Synchronization
import Testing

/// `parlance workspace invite` and `parlance workspace import` as people type them.
@Suite struct WorkspaceCommandTests {
    @Test func anInvitationIsShownWithWhatEndsIt() async throws {
        try await ServerFixture.with { fixture in
            let made = try await CommandTests.run(
                ["workspace", "invite", "--uses", "20", "--until", "2026-12-24"],
                socket: fixture.path
            )
            #expect(made.code == 0 && made.output.contains("lets in 20 people, until "), "\(made)")
            #expect(made.output.contains("parlance workspace invite --end abcdefgh"))
            let shown = try await CommandTests.run(["workspace", "show"], socket: fixture.path)
            #expect(shown.output.contains("invitation abcdefgh of Bob: 3 of 20 left, until "), "\(shown)")
            #expect(shown.output.contains("your invitation abcdefgh: 3 of 7 left, until "), "\(shown)")
            for reason in ["somebody was excluded after it was made", "the workspace has had another key for a day"] {
                #expect(shown.output.contains("invitation abcdefgh of Bob has ended: \(reason)"), "\(shown)")
            }
            let both = try await CommandTests.run(
                ["workspace", "invite", "--uses", "1", "--end", "abc"],
                socket: fixture.path
            )
            #expect(both.code == 64 && both.errors.contains("--end cannot be given together"), "\(both)")
        }
    }

    /// The question names the charter and who tells of it; the answer the charter and its admins.
    @Test func whatIsAdoptedIsNamed() async throws {
        try await ServerFixture.with { fixture in
            fixture.node.state.withLock { $0.workspace.isOffered = true }
            func run(_ words: [String], input: String?) async throws -> CommandTests.Outcome {
                try await CommandTests.run(
                    ["workspace", "adopt"] + words,
                    socket: fixture.path,
                    input: input,
                    terminal: input.map { _ in ["TERM": "xterm"] }
                )
            }
            let question =
                "Bob and Cyd say that the workspace Ship has admins, by the charter \(WorkspaceText.short("abcdefghijklmnop"))."
            let unasked = try await run([], input: nil)
            #expect(unasked.code == 64 && unasked.errors.contains(question), "\(unasked)")
            #expect(unasked.errors.hasSuffix("To do it: parlance workspace adopt --yes\n"))
            #expect(try await run([], input: "no\n").output.contains("Nothing was changed."))
            #expect(fixture.node.state.withLock { $0.workspace.adopted } == nil)
            let asked = try await run([], input: "yes\n")
            #expect(asked.code == 0 && asked.output.contains(question), "\(asked)")
            #expect(fixture.node.state.withLock { $0.workspace.adopted } == "abcdefghijklmnop")
            let id = WorkspaceText.short("abcdefghijklmnop")
            #expect(
                asked.output.contains(
                    "This node follows the admins of the workspace Ship now, by the charter \(id): you and Bob."
                ),
                "\(asked)"
            )
            let shown = try await CommandTests.run(["workspace", "show"], socket: fixture.path).output
            #expect(shown.contains("charter: \(id)\n"), "\(shown)")
        }
    }

    @Test func theLogIsForPeopleAndForMachines() async throws {
        try await ServerFixture.with { fixture in
            let read = try await CommandTests.run(["workspace", "log"], socket: fixture.path)
            #expect(
                read.code == 0 && read.output.hasPrefix("1970-01-01 ") && read.output.hasSuffix("  Bob excluded Ada\n")
            )
            let lines = try await CommandTests.run(["workspace", "log", "--json"], socket: fixture.path)
            #expect(lines.output == "{\"line\":1}\n{\"line\":2}\n")
            fixture.node.state.withLock { $0.workspace.tellsLinesOnly = true }
            let old = try await CommandTests.run(["workspace", "log"], socket: fixture.path)
            #expect(old.code == 65 && old.output.isEmpty && old.errors.contains("log --json"), "\(old)")
        }
    }

    /// The yes is for those who were listed, and the answer names whom that leaves out.
    @Test func onlyThoseWhoWereListedStayMembers() async throws {
        try await ServerFixture.with { fixture in
            fixture.node.state.withLock { $0.workspace.isOpen = true }
            let words = ["workspace", "policy", "admission", "approve"]
            let asked = try await CommandTests.run(
                words,
                socket: fixture.path,
                input: "yes\n",
                terminal: ["TERM": "xterm"]
            )
            #expect(asked.output.contains("These people would stay members (1): Bob."), "\(asked)")
            #expect(asked.output.contains("wait now: Cyd"), "\(asked)")
            #expect(fixture.node.state.withLock { $0.workspace.kept } == [TestNode.bob.id])
            let unasked = try await CommandTests.run(words + ["--yes"], socket: fixture.path)
            #expect(unasked.code == 0 && !unasked.output.contains("wait now"), "\(unasked)")
            #expect(fixture.node.state.withLock { $0.workspace.kept } == nil)
        }
    }

    /// Who is excluded is looked up before anything is said of it, and told with the ID.
    @Test(arguments: [["workspace", "exclude", "WHO"], ["workspace", "rotate", "--without", "WHO"]])
    func whoIsExcludedIsLookedUpFirst(_ words: [String]) async throws {
        try await ServerFixture.with { fixture in
            let nobody = try await CommandTests.run(words.map { $0 == "WHO" ? "Nope" : $0 }, socket: fixture.path)
            #expect(nobody.code == 65 && nobody.errors.contains("Nobody here is called so."), "\(nobody)")
            #expect(!nobody.errors.contains("no key"), "\(nobody)")
            let asked = try await CommandTests.run(words.map { $0 == "WHO" ? "Fay" : $0 }, socket: fixture.path)
            #expect(asked.code == 64 && asked.errors.contains("Fay (fay-of-m) will get no key of Ship"), "\(asked)")
            let called = fixture.node.state.withLock { $0.called }
            let changes = [WorkspaceChangeOperation.method, WorkspaceRotateOperation.method]
            #expect(!called.contains { changes.contains($0) })
        }
    }

    /// Who is excluded is who was shown: a name may be somebody else's when the user says yes.
    @Test(arguments: [["workspace", "exclude", "Fay"], ["workspace", "rotate", "--without", "Fay"]])
    func whoWasShownIsExcluded(_ words: [String]) async throws {
        try await ServerFixture.with { fixture in
            let done = try await CommandTests.run(
                words,
                socket: fixture.path,
                input: "yes\n",
                terminal: ["TERM": "xterm"]
            )
            #expect(done.code == 0 && done.output.contains("Fay (fay-of-m) will get no key of Ship"), "\(done)")
            #expect(fixture.node.state.withLock { $0.changed } == ["fay-of-many"])
            let piped = try await CommandTests.run(words, socket: fixture.path)
            let command = "parlance " + words.dropLast().joined(separator: " ") + " fay-of-many --yes"
            #expect(piped.code == 64 && piped.errors.contains("To do it: \(command)"), "\(piped)")
            let sure = try await CommandTests.run(words + ["--yes"], socket: fixture.path)
            #expect(sure.code == 0 && fixture.node.state.withLock { $0.changed } == ["Fay"], "\(sure)")
        }
    }

    /// A question whose yes would be refused is not asked.
    @Test func whatIsRefusedIsNotAskedFirst() async throws {
        try await ServerFixture.with { fixture in
            func refused(_ words: [String]) async throws -> String {
                let done = try await CommandTests.run(
                    ["workspace"] + words,
                    socket: fixture.path,
                    input: "yes\n",
                    terminal: ["TERM": "xterm"]
                )
                #expect(done.code == 65 && !done.output.contains("Type yes"), "\(done)")
                return done.output + done.errors
            }
            fixture.node.state.withLock { $0.workspace.isAdmin = false }
            for words in [["rotate"], ["rotate", "--without", "Fay"], ["exclude", "Fay"]] {
                #expect(try await refused(words).contains("Only an admin can do that."))
            }
            fixture.node.state.withLock { ($0.workspace.isAdmin, $0.workspace.hasAdmins) = (true, false) }
            let unled = try await refused(["exclude", "Fay"])
            #expect(unled.contains("has no admins"), "\(unled)")
            #expect(unled.contains("parlance workspace rotate --without fay-of-many"), "\(unled)")
            let asked = try await CommandTests.run(["workspace", "rotate", "--without", "Fay"], socket: fixture.path)
            #expect(asked.code == 64 && asked.errors.contains("That cannot be undone"), "\(asked)")
        }
    }

    @Test func whatMayKeepSomebodyOutIsSaid() async throws {
        try await ServerFixture.with { fixture in
            let code = TestWorkspace.code.split(separator: " ").map(String.init)
            let joined = try await CommandTests.run(["workspace", "join"] + code, socket: fixture.path)
            #expect(joined.code == 0 && joined.output.contains("the code is out of date"), "\(joined)")
            let words = ["workspace", "join", "Ship", "--passphrase"]
            let by = try await CommandTests.run(words, socket: fixture.path, input: "correct horse\n")
            #expect(by.code == 0 && !by.output.contains("code"), "\(by)")
            #expect(by.output.contains("its passphrase differs"), "\(by)")
        }
    }

    /// A code that is taken makes nobody a member.
    @Test(arguments: TestWorkspace.JoinedAs.allCases)
    func whatIsKnownAfterAJoinIsSaid(_ standing: TestWorkspace.JoinedAs) async throws {
        try await ServerFixture.with { fixture in
            fixture.node.state.withLock { $0.workspace.joinedAs = standing }
            let code = TestWorkspace.code.split(separator: " ").map(String.init)
            let joined = try await CommandTests.run(["workspace", "join"] + code, socket: fixture.path)
            let sentences = [
                (TestWorkspace.JoinedAs.unknown, "is known when a member is connected"),
                (.waiting, "An admin has to let you in."), (.excluded, "Bob has excluded you from this workspace."),
                (.member, "You are a member."),
            ]
            #expect(joined.code == 0 && joined.output.contains("The code is valid."), "\(joined)")
            for (other, sentence) in sentences {
                #expect(joined.output.contains(sentence) == (other == standing), "\(joined)")
            }
            #expect(joined.output.contains("the code is out of date") == (standing == .unknown), "\(joined)")
            #expect(!joined.output.contains("on this computer. Your"), "\(joined)")
            let invited = try await CommandTests.run(["workspace", "invite"], socket: fixture.path)
            let shown = try await CommandTests.run(["workspace", "show", "--code"], socket: fixture.path)
            #expect((invited.code, shown.code) == (standing == .excluded ? 65 : 0, 0), "\(invited)")
            for output in [invited.output, shown.output] {
                #expect(output.contains(TestWorkspace.code) == (standing != .excluded), "\(output)")
            }
            #expect(invited.errors.contains("no longer works") == (standing == .excluded), "\(invited)")
            let renamed = try await CommandTests.run(
                ["workspace", "join", "--name", "Pier"] + code,
                socket: fixture.path
            )
            #expect(renamed.output.contains("The workspace is called Pier on this computer. Your"), "\(renamed)")
        }
    }

    @Test func whatAnAdmissionDidIsSaid() async throws {
        try await ServerFixture.with { fixture in
            let done = try await CommandTests.run(["workspace", "admit", "Bob", "Fay", "Zoe"], socket: fixture.path)
            let lines = [
                "Let in: Bob", "Members already: Fay",
                "Not connected yet; admitted as soon as they join with the code: Zoe", "Nobody else waits.", "",
            ]
            #expect(done.code == 0 && done.output == lines.joined(separator: "\n"), "\(done)")
            let other = try await CommandTests.run(["workspace", "admit", "Fay"], socket: fixture.path)
            #expect(other.output == "Members already: Fay\nOthers wait: Bob\n", "\(other)")
        }
    }

    @Test func theOnlyAdminIsToldWhatIsLost() async throws {
        try await ServerFixture.with { fixture in
            let asked = try await CommandTests.run(["workspace", "leave"], socket: fixture.path)
            #expect(asked.code == 64 && asked.errors.contains("To do it: parlance workspace leave --yes"), "\(asked)")
            let shown = try await CommandTests.run(["workspace", "show"], socket: fixture.path)
            #expect(shown.output.contains("Bob suggests: retention = 90 days"), "\(shown)")
        }
    }

    @Test func whoIsMissingIsSaid() async throws {
        try await ServerFixture.with { fixture in
            let late = try await CommandTests.run(["wait", "Nobody", "--timeout", "0s"], socket: fixture.path)
            #expect(late.code == 1 && late.output.contains("Missing after 0 s: 1 (Nobody)"), "\(late)")
            for wrong in [["--people", "0"], ["Bob", "--members"], ["--timeout", "soon"], ["--timeout", "-1s"]] {
                let refused = try await CommandTests.run(["wait"] + wrong, socket: fixture.path)
                #expect(refused.code == 64, "\(refused)")
            }
            let nobody = try await CommandTests.run(["wait", "--timeout", "0s"], socket: fixture.folder + "/none.sock")
            #expect(nobody.code == 2, "\(nobody)")
            let many = try await CommandTests.run(["wait", "--people", "9", "--timeout", "0s"], socket: fixture.path)
            #expect(many.code == 1 && many.output.contains("8, whom this node has not met"), "\(many)")
        }
    }

    /// A daemon that is started again is asked again, until the time is up.
    @Test func aWaitOutlivesTheDaemon() async throws {
        try await ServerFixture.with { fixture in
            let words = ["wait", "Cleo", "--timeout", "5m"]
            async let waited = CommandTests.run(words, socket: fixture.path)
            try await eventually("the first daemon is asked") {
                fixture.node.state.withLock { $0.called.contains(PeersOperation.method) }
            }
            await fixture.server.stop()
            let node = TestNode()
            node.state.withLock { $0.named = ["Cleo"] }
            let next = ControlServer(path: fixture.path, node: node, group: MultiThreadedEventLoopGroup.singleton)
            try await next.start()
            let outcome = try await waited
            await next.stop()
            #expect(outcome.code == 0 && outcome.output == "Connected: 1\n", "\(outcome)")
        }
    }

    @Test func aListIsReadFromAFileOrFromStandardInput() async throws {
        try await ServerFixture.with { fixture in
            let file = fixture.folder + "/office.csv"
            try Data("Bob,x\n".utf8).write(to: URL(fileURLWithPath: file))
            for (word, input) in [(file, nil), ("-", "Bob,x\n")] {
                let done = try await CommandTests.run(
                    ["workspace", "import", word],
                    socket: fixture.path,
                    input: input
                )
                #expect(done.code == 0 && done.output.contains("Admitted to the workspace: 2"), "\(done)")
                #expect(done.output.contains("Left out: Eve is excluded"))
                #expect(done.output.contains("Not named: somebody else here is called Cyd."))
            }
            let missing = try await CommandTests.run(["workspace", "import", file + "x"], socket: fixture.path)
            #expect(missing.code != 0 && missing.errors.contains("cannot be read"), "\(missing)")
            try Data(count: Limits.importedBytes + 1).write(to: URL(fileURLWithPath: file))
            let long = try await CommandTests.run(["workspace", "import", file], socket: fixture.path)
            #expect(long.code == 65 && long.errors.contains("more than \(Limits.importedBytes) bytes"), "\(long)")
            // "Jürgen" as Excel writes it, as CSV and as Unicode text.
            try Data([0x4A, 0xFC] + Array("rgen;x\r\n".utf8)).write(to: URL(fileURLWithPath: file))
            let western = try await CommandTests.run(["workspace", "import", file], socket: fixture.path)
            #expect(western.code == 0 && western.errors.contains("was read as Windows-1252"), "\(western)")
            #expect(fixture.node.state.withLock { $0.workspace.imported } == "J\u{FC}rgen;x\r\n")
            let wide = [0xFEFF] + Array("J\u{FC}rgen\tx\r\n".utf16)
            for order in [false, true] {
                let bytes = wide.flatMap {
                    order ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
                }
                try Data(bytes).write(to: URL(fileURLWithPath: file))
                let read = try await CommandTests.run(["workspace", "import", file], socket: fixture.path)
                #expect(read.code == 0 && read.errors.isEmpty, "\(read)")
                #expect(fixture.node.state.withLock { $0.workspace.imported } == "J\u{FC}rgen\tx\r\n")
            }
            // A name from elsewhere in a list that is UTF-8: read as Windows-1252, all other names would be garbled.
            let mixed = Array("Zo\u{EB};x\nJ".utf8) + [0xFC] + Array("rgen;y\n".utf8)
            try Data(mixed).write(to: URL(fileURLWithPath: file))
            let refused = try await CommandTests.run(["workspace", "import", file], socket: fixture.path)
            #expect(refused.code == 65 && refused.errors.contains("line 2 is not"), "\(refused)")
            // Nobody looks at the names.
            try Data([0x4A, 0xFC] + Array("rgen;x\r\n".utf8)).write(to: URL(fileURLWithPath: file))
            let unseen = try await CommandTests.run(["workspace", "import", file, "--json"], socket: fixture.path)
            #expect(unseen.code == 65 && unseen.errors.contains("WINDOWS-1252"), "\(unseen)")
            try Data([0x41, 0x81]).write(to: URL(fileURLWithPath: file))
            let binary = try await CommandTests.run(["workspace", "import", file], socket: fixture.path)
            #expect(binary.code == 65 && binary.errors.contains("not valid UTF-8"), "\(binary)")
        }
    }

    /// A workspace and its groups are two things.
    @Test func whoIsExcludedIsNamedWithTheGroups() async throws {
        try await ServerFixture.with { fixture in
            var crew = ConversationInfo(id: TestGroup.crew.id, kind: .group, title: "Crew")
            crew.isMember = true
            var old = crew
            (old.title, old.isMember) = ("Old", false)
            fixture.node.state.withLock { $0.listed = [crew, old, ConversationInfo(id: "d", title: "Bob", peer: "b")] }
            for words in [["exclude", "Bob"], ["rotate", "--without", "Bob"]] {
                let done = try await CommandTests.run(["workspace"] + words + ["--yes"], socket: fixture.path)
                #expect(done.code == 0 && done.output.contains("Bob is still a member of these groups: \"Crew\"."))
                let advice = "\"Crew\": parlance group remove crewcrewcrew \(TestNode.bob.id.prefix(12))\n"
                #expect(done.output.contains(advice) && !done.output.contains("Old"), "\(done)")
            }
            fixture.node.state.withLock { $0.workspace.hasAdmins = false }
            let unled = try await CommandTests.run(
                ["workspace", "rotate", "--without", "Bob", "--yes"],
                socket: fixture.path
            )
            #expect(unled.code == 0 && unled.output.contains("Bob is still a member of"), "\(unled)")
            fixture.node.state.withLock { $0.workspace.hasAdmins = true }
            fixture.node.state.withLock { $0.listed = [] }
            let none = try await CommandTests.run(["workspace", "exclude", "Bob", "--yes"], socket: fixture.path)
            #expect(none.code == 0 && !none.output.contains("still a member"), "\(none)")
        }
    }

    /// Only an admin of a group can remove somebody, and a title may be that of two groups.
    @Test func whoCanRemoveTheExcludedIsSaid() async throws {
        try await ServerFixture.with { fixture in
            func group(_ id: String, isAdmin: Bool) -> GroupInfo {
                var group = TestGroup.crew
                (group.id, group.isAdmin) = (id, isAdmin)
                (group.members[0].admin, group.members[1].admin) = (isAdmin, !isAdmin)
                group.members.append(group.members[1])
                group.members[2].id = "cleo"
                group.members[2].displayName = "Cleo"
                return group
            }
            let listed = ["firstfirstfirst", "lostlostlost", "secondsecondsecond"].map { id in
                var info = ConversationInfo(id: id, kind: .group, title: "Crew")
                info.isMember = true
                return info
            }
            let groups = [group(listed[0].id, isAdmin: false), group(listed[2].id, isAdmin: true)]
            fixture.node.state.withLock { ($0.listed, $0.groups) = (listed, groups) }
            let words = ["workspace", "exclude", "Bob", "--yes"]
            let done = try await CommandTests.run(words, socket: fixture.path)
            #expect(done.code == 0 && done.output.contains("these groups: \"Crew\" and \"Crew\"."), "\(done)")
            #expect(done.output.contains("parlance group remove secondsecond "), "\(done)")
            #expect(
                done.output.hasSuffix("  Only the admins of \"Crew\" can remove them there: Cleo\n"),
                "\(done)"
            )
            fixture.node.state.withLock { $0.groups = [groups[0]] }
            let member = try await CommandTests.run(words, socket: fixture.path)
            #expect(member.code == 0 && !member.output.contains("group remove"), "\(member)")
            #expect(member.output.hasSuffix("Only the admins of these groups can remove them: Cleo\n"), "\(member)")
        }
    }

    @Test func aNewKeyIsMadeAfterAYes() async throws {
        try await ServerFixture.with { fixture in
            let asked = try await CommandTests.run(["workspace", "rotate"], socket: fixture.path)
            #expect(asked.code == 64 && asked.errors.contains("To do it: parlance workspace rotate --yes"), "\(asked)")
            #expect(!asked.output.contains(TestWorkspace.code))
            let done = try await CommandTests.run(["workspace", "rotate", "--yes"], socket: fixture.path)
            #expect(done.code == 0 && done.output.contains(TestWorkspace.code), "\(done)")
        }
    }

    /// Nobody scans a file.
    @Test func aCodeIsDrawnOnATerminalOnly() async throws {
        try await ServerFixture.with { fixture in
            let piped = try await CommandTests.run(["workspace", "invite"], socket: fixture.path, locale: "C.UTF-8")
            #expect(piped.output.contains(TestWorkspace.code) && !piped.output.contains("\u{2588}"), "\(piped)")
            #expect(piped.output.split(separator: "\n").count == 2, "\(piped)")
            let shown = try await CommandTests.run(
                ["workspace", "invite"],
                socket: fixture.path,
                locale: "C.UTF-8",
                terminal: ["TERM": "xterm"]
            )
            #expect(shown.output.contains(TestWorkspace.code) && shown.output.contains("\u{2588}"), "\(shown)")
        }
    }
}
