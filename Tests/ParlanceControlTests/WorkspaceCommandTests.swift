import Foundation
import NIOPosix
import ParlanceCore
import ParlanceTexts
import ParlanceWaiting
import ParlanceWire
import Testing

@testable import ParlanceControl

/// `parlance workspace` as people type it: its code, its charter and its log; and `parlance wait`.
@Suite(.timeLimit(.minutes(30))) struct WorkspaceCommandTests {
    /// A workspace of Bob, before Ada is in it.
    private func withBobsShip(_ body: (ServerFixture) async throws -> Void) async throws {
        try await ServerFixture.with("Bob", "Cyd", as: .strangers) { fixture in
            _ = try await fixture.bob.call(WorkspaceCreateOperation(name: "Ship"))
            try await body(fixture)
        }
    }

    @Test func anInvitationIsShownWithWhatEndsIt() async throws {
        try await ServerFixture.with("Bob", "Cleo", as: .ship) { fixture in
            _ = try await fixture.ada.call(WorkspacePolicyOperation(name: "admission", value: "approve"))
            let made = try await fixture.run("workspace", "invite", "--uses", "20", "--until", "2099-12-24")
            #expect(made.code == 0 && made.output.contains("lets in 20 people, until "), "\(made)")
            let own = try #require(try await fixture.ship.charter?.invitations.first).id.prefix(8)
            #expect(made.output.contains("parlance workspace invite --end \(own)"), "\(made)")
            _ = try await fixture.ada.call(WorkspaceChangeOperation(.appoint, who: ["Bob"]))
            let his: String = try await soon("Ada hears of Bob's invitation") {
                _ = try? await fixture.bob.call(WorkspaceInviteOperation(uses: 7))
                let all = try await fixture.ship.charter?.invitations ?? []
                return all.first { $0.author.id == fixture.bob.id }.map { String($0.id.prefix(8)) }
            }
            let shown = try await fixture.run("workspace", "show").output
            #expect(shown.contains("invitation \(his) of Bob: 7 of 7 left, until "), "\(shown)")
            #expect(shown.contains("your invitation \(own): 20 of 20 left, until "), "\(shown)")
            let both = try await fixture.run("workspace", "invite", "--uses", "1", "--end", "abc")
            #expect(both.code == 64 && both.errors.contains("--end cannot be given together"), "\(both)")
            _ = try await fixture.ada.call(WorkspaceChangeOperation(.exclude, who: ["Cleo"]))
            let ended = try await fixture.run("workspace", "show").output
            for line in ["your invitation \(own)", "invitation \(his) of Bob"] {
                #expect(ended.contains("\(line) has ended: somebody was excluded after it was made"), "\(ended)")
            }
            // After a day.
            fixture.node.change(WorkspaceShowOperation.self) { reply in
                reply.workspace?.charter?.endedInvitations?[0].ended = .newKey
            }
            let old = try await fixture.run("workspace", "show").output
            #expect(old.contains(" has ended: the workspace has had another key for a day"), "\(old)")
        }
    }

    /// The question names the charter and who tells of it; the answer the charter and its admins.
    @Test func whatIsAdoptedIsNamed() async throws {
        try await withBobsShip { fixture in
            let (bob, cyd) = (fixture.bob, fixture.people[1])
            try await bob.enlist(cyd)
            // Older members gave out codes that do not name the charter.
            let code = try #require(InvitationCode(text: try await bob.code))
            let bare = InvitationCode(name: "Ship", secret: code.secret).text
            _ = try await fixture.ada.call(WorkspaceJoinOperation(code: bare))
            for other in [bob, cyd] { try await fixture.ada.meet(other) }
            try await eventually("both offer their charter") {
                try await fixture.ship.met?.count { $0.offered } == 2
            }
            let charter = try #require(try await bob.call(WorkspaceShowOperation()).workspace?.charter?.id)
            let id = WorkspaceText.short(charter)
            func run(_ typed: String?) async throws -> CommandTests.Outcome {
                try await fixture.run("workspace", "adopt", typed: typed)
            }
            let says = "say that the workspace Ship has admins, by the charter \(id)."
            let questions = ["Bob and Cyd \(says)", "Cyd and Bob \(says)"]
            func asks(_ text: String) -> Bool { questions.contains { text.contains($0) } }
            let unasked = try await run(nil)
            #expect(unasked.code == 64 && asks(unasked.errors), "\(unasked)")
            #expect(unasked.errors.hasSuffix("To do it: parlance workspace adopt --yes\n"))
            #expect(try await run("no\n").output.contains("Nothing was changed."))
            #expect(try await fixture.ship.charter == nil)
            let asked = try await run("yes\n")
            #expect(asked.code == 0 && asks(asked.output), "\(asked)")
            #expect(fixture.node.asked(WorkspaceAdoptOperation.self).map(\.charter) == [charter])
            #expect(
                asked.output.contains(
                    "This node follows the admins of the workspace Ship now, by the charter \(id): Bob."
                ),
                "\(asked)"
            )
            let shown = try await fixture.run("workspace", "show").output
            #expect(shown.contains("charter: \(id)\n"), "\(shown)")
        }
    }

    @Test func theLogIsForPeopleAndForMachines() async throws {
        try await ServerFixture.with("Bob", as: .ship) { fixture in
            _ = try await fixture.ada.call(WorkspaceChangeOperation(.exclude, who: ["Bob"]))
            // A page for each line; the first one tells of nobody.
            fixture.node.answer(WorkspaceLogOperation.self) { asked, result in
                result.map { reply in
                    var reply = reply
                    reply.more = reply.more || reply.lines.count > 1
                    reply.lines = Array(reply.lines.prefix(1))
                    reply.entries = reply.entries.map { Array($0.prefix(asked.after ?? 0 == 0 ? 0 : 1)) }
                    return reply
                }
            }
            let whole = try await fixture.ada.call(WorkspaceLogOperation())
            try #require(whole.lines.count > 2 && !whole.more)
            let read = try await fixture.run("workspace", "log")
            let lines = read.output.split(separator: "\n")
            #expect(read.code == 0 && lines.count == whole.entries?.count, "\(read)")
            #expect(lines.contains { $0.hasSuffix("  Ada excluded Bob") }, "\(read)")
            #expect(fixture.node.asked(WorkspaceLogOperation.self).count == whole.lines.count)
            let json = try await fixture.run("workspace", "log", "--json")
            #expect(json.output == whole.lines.map { $0 + "\n" }.joined())
            fixture.node.change(WorkspaceLogOperation.self) { $0.entries = nil }
            let old = try await fixture.run("workspace", "log")
            #expect(old.code == 65 && old.output.isEmpty && old.errors.contains("log --json"), "\(old)")
        }
    }

    @Test func whatMayKeepSomebodyOutIsSaid() async throws {
        try await withBobsShip { fixture in
            let code = try await fixture.bob.code.split(separator: " ").map(String.init)
            let joined = try await fixture.run(["workspace", "join"] + code)
            #expect(joined.code == 0 && joined.output.contains("the code is out of date"), "\(joined)")
            _ = try await fixture.ada.call(WorkspaceLeaveOperation())
            let by = try await fixture.run("workspace", "join", "Ship", "--passphrase", input: "correct horse\n")
            #expect(by.code == 0 && !by.output.contains("code"), "\(by)")
            #expect(by.output.contains("its passphrase differs"), "\(by)")
        }
    }

    /// What is known of the user once the code is taken: nothing, that an admin has to let them in, that somebody excluded
    /// them, or that they are a member.
    enum JoinedAs: CaseIterable { case unknown, waiting, excluded, member }

    /// Ada has the code of Bob's workspace, and knows so much.
    private func join(_ standing: JoinedAs, _ fixture: ServerFixture) async throws {
        guard standing != .unknown else { return }
        if standing == .waiting {
            _ = try await fixture.bob.call(WorkspacePolicyOperation(name: "admission", value: "approve", who: []))
        }
        _ = try await fixture.ada.call(WorkspaceJoinOperation(code: try await fixture.bob.code))
        try await fixture.ada.meet(fixture.bob)
        try await eventually("Ada knows the admins") { try await fixture.ship.charter?.admins.isEmpty == false }
        if standing == .excluded {
            _ = try await fixture.bob.call(WorkspaceChangeOperation(.exclude, who: [fixture.ada.id]))
            try await eventually("Ada is told") { try await fixture.ship.charter?.excludedBy != nil }
        }
    }

    /// A code that is taken makes nobody a member.
    @Test(arguments: JoinedAs.allCases)
    func whatIsKnownAfterAJoinIsSaid(_ standing: JoinedAs) async throws {
        try await withBobsShip { fixture in
            let first = try await fixture.bob.code
            try await join(standing, fixture)
            let joined = try await fixture.run(["workspace", "join"] + first.split(separator: " ").map(String.init))
            let sentences = [
                (JoinedAs.unknown, "is known when a member is connected"),
                (.waiting, "An admin has to let you in."), (.excluded, "Bob has excluded you from this workspace."),
                (.member, "You are a member."),
            ]
            #expect(joined.code == 0 && joined.output.contains("The code is valid."), "\(joined)")
            for (other, sentence) in sentences {
                #expect(joined.output.contains(sentence) == (other == standing), "\(joined)")
            }
            #expect(joined.output.contains("the code is out of date") == (standing == .unknown), "\(joined)")
            #expect(!joined.output.contains("on this computer. Your"), "\(joined)")
            let code = try await fixture.ada.code
            let invited = try await fixture.run("workspace", "invite")
            let shown = try await fixture.run("workspace", "show", "--code")
            #expect((invited.code, shown.code) == (standing == .excluded ? 65 : 0, 0), "\(invited)")
            for output in [invited.output, shown.output] {
                #expect(output.contains(code) == (standing != .excluded), "\(output)")
            }
            #expect(invited.errors.contains("no longer works") == (standing == .excluded), "\(invited)")
            let plain = try await fixture.run("workspace", "show")
            #expect(plain.output.contains("parlance workspace show --code") == (standing != .excluded), "\(plain)")
        }
    }

    @Test func aWorkspaceCanHaveAnotherNameHere() async throws {
        try await withBobsShip { fixture in
            let code = try await fixture.bob.code.split(separator: " ").map(String.init)
            let renamed = try await fixture.run(["workspace", "join", "--name", "Pier"] + code)
            #expect(renamed.output.contains("The workspace is called Pier on this computer. Your"), "\(renamed)")
        }
    }

    @Test func theOnlyAdminIsToldWhatIsLost() async throws {
        try await ServerFixture.with("Bob", as: .ship) { fixture in
            let asked = try await fixture.run("workspace", "leave")
            #expect(asked.code == 64 && asked.errors.contains("To do it: parlance workspace leave --yes"), "\(asked)")
            #expect(asked.errors.contains("only admin"), "\(asked)")
            _ = try await fixture.ada.call(WorkspaceChangeOperation(.appoint, who: ["Bob"]))
            try await eventually("Ada hears what Bob suggests") {
                _ = try? await fixture.bob.call(WorkspacePolicyOperation(name: "retention", value: "90 days"))
                return try await fixture.ship.charter?.policies.isEmpty == false
            }
            let shown = try await fixture.run("workspace", "show")
            #expect(shown.output.contains("Bob suggests: retention = 90 days"), "\(shown)")
        }
    }

    @Test func whoIsMissingIsSaid() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let late = try await fixture.run("wait", "Nobody", "--timeout", "0s")
            #expect(late.code == 1 && late.output.contains("Missing after 0 s: 1 (Nobody)"), "\(late)")
            for wrong in [["--people", "0"], ["Bob", "--members"], ["--timeout", "soon"], ["--timeout", "-1s"]] {
                let refused = try await fixture.run(["wait"] + wrong)
                #expect(refused.code == 64, "\(refused)")
            }
            let nobody = try await CommandTests.run(["wait", "--timeout", "0s"], socket: fixture.folder + "/none.sock")
            #expect(nobody.code == 2, "\(nobody)")
            let many = try await fixture.run("wait", "--people", "9", "--timeout", "0s")
            #expect(many.code == 1 && many.output.contains("8, whom this node has not met"), "\(many)")
        }
    }

    /// A daemon that is started again is asked again, until the time is up.
    @Test func aWaitOutlivesTheDaemon() async throws {
        try await ServerFixture.with("Cleo", as: .strangers) { fixture in
            async let waited = fixture.run("wait", "Cleo", "--timeout", "5m")
            try await eventually("the first daemon is asked") {
                !fixture.node.asked(PeersOperation.self).isEmpty
            }
            await fixture.server.stop()
            try await fixture.ada.befriend(fixture.people[0])
            let group = MultiThreadedEventLoopGroup.singleton
            let next = ControlServer(path: fixture.path, node: fixture.node, group: group)
            try await next.start()
            let outcome = try await waited
            await next.stop()
            #expect(outcome.code == 0 && outcome.output == "Connected: 1\n", "\(outcome)")
        }
    }

    @Test func aNewKeyIsMadeAfterAYes() async throws {
        try await ServerFixture.with(as: .ship) { fixture in
            let first = try await fixture.ada.code
            let asked = try await fixture.run("workspace", "rotate")
            #expect(asked.code == 64 && asked.errors.contains("To do it: parlance workspace rotate --yes"), "\(asked)")
            #expect(!asked.output.contains(first))
            #expect(try await fixture.ada.code == first)
            let done = try await fixture.run("workspace", "rotate", "--yes")
            let second = try await fixture.ada.code
            #expect(done.code == 0 && second != first && done.output.contains(second), "\(done)")
        }
    }

    /// Nobody scans a file.
    @Test func aCodeIsDrawnOnATerminalOnly() async throws {
        try await ServerFixture.with(as: .ship) { fixture in
            let code = try await fixture.ada.code
            let piped = try await fixture.run("workspace", "invite", locale: "C.UTF-8")
            #expect(piped.output.contains(code) && !piped.output.contains("\u{2588}"), "\(piped)")
            #expect(piped.output.split(separator: "\n").count == 2, "\(piped)")
            let shown = try await fixture.run("workspace", "invite", locale: "C.UTF-8", typed: "")
            #expect(shown.output.contains(code) && shown.output.contains("\u{2588}"), "\(shown)")
        }
    }
}
