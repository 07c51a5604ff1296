import ParlanceControl
import ParlanceWords
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon

// What the doctor finds about the workspace.
extension DiagnosisTests {
    @Test func membersThatWaitForADecisionAreTold() throws {
        let problem = try only(diagnosis { $0.view.unadmitted = 3 })
        #expect(problem.code == "workspace")
        #expect(problem.message.english.hasPrefix("3 more with the workspace's key want to be members."))
    }

    @Test func aSplitWorkspaceIsTold() throws {
        let problem = try only(diagnosis([DoctorView.Person(view: view(), mayBeApart: true)]))
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

    /// Only somebody who has met members of the workspace can have been left out of it.
    @Test func whoHasTheOldKeyIsToldTheWayBack() throws {
        let person = DoctorView.Person(view: view(trouble: LinkTrouble(.otherWorkspace)), hasBeenHere: true)
        let plain = try only(diagnosis([person]) { $0.view.workspace = "Ship" })
        #expect(plain.code == "workspace" && plain.severity == .problem)
        #expect(plain.message.english.hasPrefix("Bob has another key of the workspace Ship than this node"))
        #expect(plain.advice.english.contains("only a new workspace lets it in again"))
        // Where other members are reached, or discovery shows that Bob is in none, Bob has left.
        let left = DoctorView.Way(kind: .sighted, endpoints: [], isForeign: true, isOpen: true)
        var gone = person
        gone.ways = [left]
        for people in [[gone], [person, DoctorView.Person(view: view(connected: true), hasBeenHere: true)]] {
            let told = diagnosis(people) { $0.view.workspace = "Ship" }.problems
            #expect(told.map(\.code) == ["outside"] && told.map(\.severity) == [.note], "\(told)")
        }
    }
}
