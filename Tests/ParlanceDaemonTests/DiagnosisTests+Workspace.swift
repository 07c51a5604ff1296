import ParlanceControl
import ParlanceNetwork
import ParlanceRecords
import ParlanceSodium
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

// What the doctor finds about the workspace.
extension DiagnosisTests {
    @Test func membersThatWaitForADecisionAreTold() throws {
        let problem = try only(diagnosis { $0.view.unadmitted = 3 })
        #expect(problem.code == "workspace")
        #expect(problem.message.english.hasPrefix("3 more with the workspace's key want to be members."))
    }

    /// The charter of the workspace Ship.
    private func charter(_ change: (inout CharterView) -> Void) -> CharterView {
        var charter = CharterView(
            id: ConversationID(direct: bob, bob),
            title: "Ship",
            admins: [bob],
            admission: .approve,
            policies: [],
            invitations: [],
            endedInvitations: [],
            waiting: [],
            isMember: true,
            isAdmin: false,
            excludedBy: nil
        )
        change(&charter)
        return charter
    }

    /// The page shows the sentence that commands do.
    @Test func theStateOfAnInvitationIsTold() {
        let told: [(InvitationStanding?, String?)] = [(.ended(.expired), "Your invitation has expired."), (nil, nil)]
        for (standing, sentence) in told {
            let view = WorkspaceView(
                name: "Ship",
                key: WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 1, count: 32))),
                keyNumber: 1,
                code: nil,
                members: [],
                connected: [],
                strangers: [],
                removed: [],
                charter: charter { ($0.isMember, $0.ownInvitation) = (false, standing) },
                met: []
            )
            let info = WorkspaceInfo(view, EventHub(Directory(identity: bob, profile: ProfileRecord(name: "Ada"))))
            #expect(info.charter?.ownInvitationText?.english == sentence)
        }
    }

    /// Whoever waits to be let in knows it, and so does an admin; other members need not.
    @Test func whoWaitsToBeLetInIsTold() throws {
        func told(_ change: (inout CharterView) -> Void) -> [Diagnosis.Problem] {
            diagnosis { diagnosis in
                diagnosis.view.workspace = "Ship"
                diagnosis.view.charter = charter(change)
            }.problems
        }
        let own = told { $0.isMember = false }
        #expect(own.map(\.severity) == [.problem])
        #expect(
            own.first?.message.english == "You are not a member of the workspace Ship yet. An admin has to let you in."
        )
        let invited = told { ($0.isMember, $0.ownInvitation) = (false, .admits) }
        let sentence = "Your invitation lets you in as soon as an admin is connected."
        #expect(invited.first?.message.english.hasSuffix(sentence) == true)
        #expect(invited.map(\.severity) == [.note])
        let others = told { ($0.isAdmin, $0.waiting) = (true, [bob]) }
        #expect(others.map(\.severity) == [.note] && others.map(\.code) == ["admission"])
        #expect(others.first?.message.english == "Bob waits to be let in to the workspace Ship.")
        #expect(told { $0.waiting = [bob] }.isEmpty)
    }

    /// What keeps this node from everybody is told once, and not of each of 40 colleagues.
    @Test func whatKeepsFromEverybodyIsToldOnce() throws {
        let place = Endpoint(host: "10.0.0.2", port: 4747)
        let trouble = LinkTrouble(.failed(.otherIdentity, place))
        let people = Array(repeating: DoctorView.Person(view: view(trouble: trouble)), count: 40)
        #expect(diagnosis(people).problems.count == 40)
        let excluded = diagnosis(people) { diagnosis in
            diagnosis.view.workspace = "Ship"
            diagnosis.view.charter = charter { ($0.isMember, $0.excludedBy) = (false, bob) }
        }
        #expect(try only(excluded).message.english == "Bob has excluded you from the workspace Ship.")
        // Those who excluded it have another key and call, and no code helps.
        let called = diagnosis([DoctorView.Person(view: view(trouble: LinkTrouble(.otherWorkspace)))]) { diagnosis in
            diagnosis.view.workspace = "Ship"
            diagnosis.view.charter = charter { ($0.isMember, $0.excludedBy) = (false, bob) }
            diagnosis.view.foreign = 2
            diagnosis.refused = [call(.otherNetwork, from: "10.0.0.8", count: 35)]
        }
        #expect(try only(called).message.english == "Bob has excluded you from the workspace Ship.")
        let unplugged = diagnosis(people) { $0.machine.addresses = [] }
        #expect(unplugged.problems.allSatisfy { $0.about == nil }, "\(unplugged.problems)")
    }

    @Test func aSplitWorkspaceIsTold() throws {
        let problem = try only(diagnosis([DoctorView.Person(view: view(), mayBePartitioned: true)]))
        #expect(problem.code == "workspace" && problem.message.english.contains("have different keys of the workspace"))
    }

    /// An office of 40 is rolled out: one line, and nobody is told that only a new workspace lets them in.
    @Test func colleaguesWhoHaveNotJoinedAreOneNote() throws {
        let cause = LinkTrouble.Cause.otherWorkspace
        let people = Array(repeating: DoctorView.Person(view: view(trouble: LinkTrouble(cause))), count: 7)
        let founded = try only(
            diagnosis(people) { diagnosis in
                diagnosis.view.workspace = "Ship"
                diagnosis.refused = []
            }
        )
        #expect(founded.code == "outside" && founded.severity == .note)
        #expect(founded.message.english.hasPrefix("7 people you know are not in this workspace: Bob, Bob, "))
        #expect(founded.advice.english.contains("parlance workspace invite"))
        // Whoever was excluded or waits has no code to give them.
        let outside = diagnosis(people) { diagnosis in
            diagnosis.view.workspace = "Ship"
            diagnosis.view.charter = charter { $0.isMember = false }
            diagnosis.refused = []
        }
        #expect(!outside.problems.contains { $0.code == "outside" })
        let waiting = try only(diagnosis(people))
        #expect(waiting.code == "outside" && waiting.severity == .note)
        #expect(waiting.message.english.hasPrefix("7 people you know are in a workspace, and this node is in none: "))
        #expect(waiting.advice.english.contains("parlance workspace join CODE"))
        for cause in [cause, .failed(.notTaken, Endpoint(host: "10.0.0.2", port: 4747))] {
            let person = DoctorView.Person(view: view(trouble: LinkTrouble(cause)))
            let finding = try #require(diagnosis([person]).problems(with: person).first)
            #expect(finding.code == "workspace" && finding.severity == .note)
            for problem in [founded, waiting, finding] {
                #expect(!(problem.message.english + problem.advice.english).contains("new workspace"))
            }
        }
    }

    /// `watch` says the same of somebody as `peers`: why the two are apart, and nothing that an open link contradicts.
    @Test func aPeersEventNamesTheTrueReason() throws {
        typealias Membership = PeerView.Membership
        var refusing = view(trouble: LinkTrouble(.blocked))
        refusing.nearby = true
        #expect(PeerInfo(refusing, now: nil).problems?.map(\.code) == ["refused"])
        refusing.membership = Membership(workspace: "Ship", hasCharter: true, isAdmin: false, excludedBy: "Ada")
        var excluded = view(trouble: LinkTrouble(.otherWorkspace))
        excluded.isLeftOut = true
        excluded.membership = Membership(workspace: "Ship", hasCharter: true, isAdmin: true)
        var readmitted = view(connected: true, trouble: LinkTrouble(.blocked))
        readmitted.record.refusedThrough = 3
        let views: [(PeerView, String?)] = [(refusing, "excluded"), (excluded, "leftOut"), (readmitted, nil)]
        for (view, code) in views {
            let person = DoctorView.Person(view: view)
            let event = try event(of: view, in: diagnosis([person]))
            let row = PeerInfo(view, findings: diagnosis([person]).findings(about: person), now: nil)
            #expect(event.problems == row.problems && event.note == row.note)
            #expect((event.problems ?? []).map(\.code) == (code.map { [$0] } ?? []), "\(event)")
        }
        #expect(PeerInfo(refusing, now: nil).note?.english.hasPrefix("Ada has excluded you") == true)
    }

    /// Whoever can let somebody in is told how; the others, who can.
    @Test func whoIsLeftOutIsLetInByAnAdmin() throws {
        func advice(_ membership: PeerView.Membership?) throws -> String {
            var excluded = view()
            (excluded.isLeftOut, excluded.membership) = (true, membership)
            return try #require(excluded.standing).advice.english
        }
        let command = "parlance workspace readmit \(bob.prefix)"
        #expect(
            try advice(.init(workspace: "Ship", hasCharter: true, isAdmin: true)) == "To let Bob in again: \(command)"
        )
        let member = try advice(.init(workspace: "Ship", hasCharter: true, isAdmin: false))
        #expect(member == "An admin can let Bob in again: \(command)")
        for none in [nil, PeerView.Membership(workspace: "Ship", hasCharter: false, isAdmin: false)] {
            #expect(try advice(none).hasPrefix("That cannot be undone"))
        }
    }

    /// Only somebody who has met members of the workspace can have been left out of it.
    @Test func whoHasTheOldKeyIsToldTheWayBack() throws {
        let person = DoctorView.Person(view: view(trouble: LinkTrouble(.otherWorkspace)), hasBeenHere: true)
        let plain = try only(diagnosis([person]) { $0.view.workspace = "Ship" })
        #expect(plain.code == "workspace" && plain.severity == .problem)
        #expect(plain.message.english.hasPrefix("Bob has another key of the workspace Ship than this node"))
        let way =
            "Ask one of them for the present code, then: parlance workspace leave, and parlance workspace join CODE"
        #expect(
            plain.advice.english
                == way + ". If they excluded this node from it, only a new workspace lets it in again."
        )
        let chartered = diagnosis([person]) { diagnosis in
            diagnosis.view.workspace = "Ship"
            diagnosis.view.charter = charter { _ in }
        }
        #expect(try only(chartered).advice.english == way)
        // Where other members are reached, or discovery shows that Bob is in none, Bob has left.
        let left = DoctorView.Way(kind: .sighted, endpoints: [], isForeign: true, isOpen: true)
        var gone = person
        gone.ways = [left]
        for people in [[gone], [person, DoctorView.Person(view: view(connected: true), hasBeenHere: true)]] {
            let told = diagnosis(people) { $0.view.workspace = "Ship" }.problems
            #expect(told.map(\.code) == ["outside"] && told.map(\.severity) == [.note], "\(told)")
        }
    }

    @Test func otherNetworksAndVersions() throws {
        let one = try only(diagnosis { $0.view.foreign = 1 })
        #expect(one.code == "workspace" && one.severity == .note, "nobody has to do anything")
        #expect(one.message == "1 node in sight is in another workspace or in none; this one is in none.")
        let more = diagnosis { diagnosis in
            diagnosis.view.foreign = 3
            diagnosis.view.workspace = "Ship"
        }
        #expect(
            try only(more).message == "3 nodes in sight are in another workspace or in none; this one is in Ship."
        )
        let version = try only(
            diagnosis { $0.refused = [call(.version(2), from: "10.0.0.9")] }
        )
        #expect(version.code == "version")
        #expect(
            version.message == "Somebody at 10.0.0.9 called in version 2 of the protocol, and this node speaks 1."
        )
        let calls = ["10.0.0.9", "fe80::1%eth0"].map { call(.otherNetwork, from: $0, count: 3) }
        let stranger = try only(diagnosis { $0.refused = calls })
        #expect(stranger.code == "stranger" && stranger.severity == .note)
        #expect(stranger.message.english.hasSuffix("not let in: 10.0.0.9 and fe80::1%eth0 (6 times)."))
    }

    /// Who has joined since then is linked from there now, at whatever port.
    @Test func callersWhoAreLinkedNowAreLeftOut() throws {
        let calls = ["10.0.0.9", "10.0.0.8"].map { call(.otherNetwork, from: $0) }
        var joined = view(connected: true)
        joined.endpoints = [Endpoint(host: "10.0.0.9", port: 50_123)]
        let person = DoctorView.Person(view: joined, skew: 0)
        #expect(diagnosis([person]) { $0.refused = [calls[0]] }.problems.isEmpty)
        // As discovery shows, also before they are linked, and by whatever interface they called.
        let inner = DoctorView.Way(kind: .sighted, endpoints: [Endpoint(host: "fe80::9%2", port: 4747)])
        let scoped = [call(.otherNetwork, from: "fe80::9%eth0")]
        for unknown in [[], [inner]] {
            let near = DoctorView.Person(view: view(), ways: unknown.isEmpty ? [inner] : [])
            let told = diagnosis([near]) { ($0.refused, $0.view.unknown) = (scoped, unknown) }
            #expect(told.problems.isEmpty, "\(told.problems)")
        }
        let other = try only(diagnosis([person]) { $0.refused = calls })
        #expect(other.message.english.hasSuffix("was not let in: 10.0.0.8."), "\(other)")
    }
}
