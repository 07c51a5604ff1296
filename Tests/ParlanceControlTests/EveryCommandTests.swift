import Foundation
import ParlanceWaiting
import Testing

@testable import ParlanceControl

/// Every command works against real nodes, for people and for programs.
@Suite(.timeLimit(.minutes(30))) struct EveryCommandTests {
    /// Those of two words.
    private static let groups: Set = ["group", "outbox", "workspace", "passphrase", "config", "carry", "conversation"]

    /// Performs the commands, and each of them once more with `--json`.
    ///
    /// A number before a command is its exit code; after `0/` it is that of the second time alone.
    private func perform(_ commands: String, _ fixture: ServerFixture, input: String = "") async throws {
        for command in commands.split(whereSeparator: { ";\n".contains($0) }) {
            var words = command.split(separator: " ").map(String.init)
            var codes: [Int32] = [0, 0]
            if words[0].first?.isNumber == true {
                codes = words.removeFirst().split(separator: "/").compactMap { Int32($0) }
            }
            let outcome = try await fixture.run(words, input: input)
            #expect(outcome.code == codes[0], "\(words) \(outcome.errors)")
            let isLong = Self.groups.contains(words[0]) || words[0] == "files" && words.count > 2
            words.insert("--json", at: isLong ? min(2, words.count) : 1)
            let json = try await fixture.run(words, input: input)
            #expect(json.code == codes.last, "\(words) \(json.errors)")
            let lines = (json.code == 0 ? json.output : json.errors).split(separator: "\n").map { Array($0.utf8) }
            #expect(throws: Never.self, "\(words)") { try lines.map { try JSONParser.parse($0) } }
        }
    }

    @Test func everyCommandWorksAgainstANode() async throws {
        var called: Set<String> = []
        try await ServerFixture.with("Bob", "Cleo", "Dan") { fixture in
            try await people(fixture)
            try await messages(fixture)
            try await files(fixture)
            called.formUnion(fixture.node.called)
        }
        try await ServerFixture.with("Bob") { fixture in
            try await assistant(fixture)
            called.formUnion(fixture.node.called)
        }
        try await ServerFixture.with("Bob", as: .ship) { fixture in
            try await workspace(fixture)
            called.formUnion(fixture.node.called)
        }
        // `FileCommandTests` send and save files, Ctrl-C on a terminal cancels a question, and --yes asks none.
        let ofFiles = [FilePrepareOperation.method, FileAddOperation.method, FilePathOperation.method]
        let elsewhere = ofFiles + [AskCancelOperation.method, WorkspacePreviewOperation.method]
        let all = Set(NodeFront.operations.map { $0.method }).subtracting(elsewhere)
        #expect(called.symmetricDifference(all) == [])
    }

    private func people(_ fixture: ServerFixture) async throws {
        let code = try await fixture.bob.call(VerifyOperation(who: fixture.ada.id)).code
        let commands = """
            id; name; name Eve; picture; picture --remove; peers; accept; accept Bob; requests; courier; courier Bob;
            seen Bob; verify Bob; verify Bob --confirm; verify Bob --scanned \(code); presence;
            presence busy --text x; presence busy in a; status; stats; doctor; doctor Bob; config reload;
            config list; 1 open
            """
        try await perform(commands, fixture)
    }

    private func messages(_ fixture: ServerFixture) async throws {
        let id = try await fixture.write("tea")
        let group = try await fixture.ada.call(GroupCreateOperation(title: "Night", who: ["Bob"])).id
        let commands = """
            conversations; read Bob; pin Bob; unpin Bob; mute --for 8h Bob; unmute Bob; retain Bob off;
            disappear Bob off; typing Bob; send Bob x; reply \(id) x; edit \(id) more tea; react \(id) 👍;
            react --remove \(id) 👍; info \(id); history Bob; search tea; 0/65 delete \(id); disk;
            conversation hide Bob; conversation show Bob; conversation clear Bob --yes;
            conversation delete Bob --yes; 0/65 group create Crew Bob Cleo; group show \(group); group add \(group) Dan;
            0/65 group remove \(group) Dan; group admin \(group) Bob; group admin --remove \(group) Bob;
            group rename \(group) Night watch; group topic \(group); group topic \(group) the dock;
            group topic \(group) --clear; 65 group leave \(group)
            """
        try await perform(commands, fixture)
    }

    /// A file of somebody who goes away waits, so each step of its way can be told.
    private func files(_ fixture: ServerFixture) async throws {
        let file = try await fixture.bob.send(Array("hello\n".utf8), as: "report.pdf", to: fixture.ada)
        try await fixture.ada.has(file, .offered)
        try await fixture.bobLeaves()
        let waiting = try await fixture.write("for later")
        // Whom Ada does not know any more has to ask again.
        _ = try await fixture.ada.call(ForgetOperation(who: "Cleo"))
        _ = try await fixture.people[1].call(SendOperation(who: fixture.ada.id, text: "may I"))
        try await eventually("Cleo asks") { try await !fixture.ada.call(RequestsOperation()).requests.isEmpty }
        let (id, stick) = (file.prefix(8), fixture.folder + "/stick")
        // What lies there for Ada is damaged.
        let name = try #require(try await fixture.ada.call(CarryFilesOperation(who: "Bob")).incoming.first)
        for folder in [stick, stick + "/old"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }
        try Data([1]).write(to: URL(fileURLWithPath: stick + "/old/" + name))
        let commands = """
            files; files Bob; fetch \(id) --no-wait; files pause \(id); files resume \(id); files retry \(id);
            files cancel \(id); outbox; outbox retry \(waiting); carry out \(stick); carry out \(stick) --files;
            carry in \(stick) Bob; 1 carry in \(stick)/old Bob; 0/65 outbox cancel \(waiting);
            0/65 backup \(fixture.folder)/backup; passphrase set; 0/65 decline Cleo; block Cleo; 0/65 unblock Cleo; alias Bob B; forget Dan; allow Dan
            """
        try await perform(commands, fixture, input: "correct horse\nother horse\n")
    }

    private func assistant(_ fixture: ServerFixture) async throws {
        _ = try await fixture.ada.call(AssistantOperation(on: true))
        for text in ["Ada, please order the filters by Friday.", "Agreed. We take the boat.", "Help, now!"] {
            _ = try await fixture.hear(text, from: fixture.bob)
        }
        let action: ActionInfo = try await soon("the assistant has read") {
            try await fixture.ada.call(ActionsOperation()).actions.first
        }
        let commands = """
            assistant; assistant on; 65 assistant model /nowhere/m.whl; 1 assistant server http://127.0.0.1:9;
            1 assistant server http://127.0.0.1:9 --embedding near; assistant server --none; ask when;
            ask --in Bob when; search tea --meaning; talk; talk Bob; talk clear; talk clear --all; summary Bob;
            summary Bob --since 3d; actions; actions list Bob; actions done \(action.id); actions export;
            actions export --csv; deadlines; decisions Bob; priority; priority --all; assistant off
            """
        try await perform(commands, fixture)
    }

    private func workspace(_ fixture: ServerFixture) async throws {
        _ = try await fixture.ada.call(WorkspacePolicyOperation(name: "admission", value: "approve"))
        let made = try await fixture.ada.call(WorkspaceInviteOperation(uses: 1))
        let commands = """
            wait; wait --members; workspace show; workspace invite; workspace invite --uses 20 --until 2099-12-24;
            0/65 workspace invite --end \(made.invitation.id.prefix(8)); workspace admin; workspace admin Bob;
            workspace admin Bob --dismiss; workspace policy; workspace policy retention 90d;
            workspace policy retention --withdraw; workspace policy x y --custom; 65 workspace adopt --yes;
            workspace log; workspace import -; workspace rotate --yes; workspace exclude Bob --yes;
            0/65 workspace readmit Bob; workspace admit Bob; workspace rotate --without Bob --yes;
            0/65 workspace leave --yes; 0/65 workspace create Ship; 65 workspace join \(made.code)
            """
        try await perform(commands, fixture, input: "Bob,\(fixture.bob.id)\n")
    }
}
