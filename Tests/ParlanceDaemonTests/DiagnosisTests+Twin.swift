import ParlanceControl
import ParlanceNetwork
import ParlanceWords
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon

// What the doctor finds of other nodes with this node's identity.
extension DiagnosisTests {
    @Test func anotherNodeWithThisIdentityIsTold() throws {
        let problem = try only(diagnosis { $0.refused = [call(.twin, from: "10.0.0.9", count: 7)] })
        #expect(problem.code == "twin" && problem.since == ControlTime(milliseconds: 1_000))
        #expect(problem.message.english == "Another node runs with your identity: it called from 10.0.0.9:40123.")
    }

    /// What others say of it does not contradict that: something has to be done.
    @Test func whatOthersSayOfATwinAgrees() throws {
        let person = DoctorView.Person(view: view(trouble: LinkTrouble(.stale)))
        let calls = [call(.twin, from: "10.0.0.9"), call(.otherNetwork, from: "10.0.0.9")]
        let found = diagnosis([person]) { $0.refused = calls }
        let problem = try only(found)
        #expect(problem.code == "twin")
        let about = found.problems(with: person).filter { $0.code == "stale" }
        #expect(about.map(\.severity) == [.problem] && about.map(\.advice) == [problem.advice])
        #expect(try only(diagnosis([person])).advice.english.hasPrefix("Nothing has to be done: "))
    }

    /// It calls again only after some minutes, and may have stopped since.
    @Test func theTimeOfTheLastCallIsTold() throws {
        var earlier = call(.twin, from: "10.0.0.9", count: 7)
        earlier.ago = 250_000
        let problem = try only(diagnosis { $0.refused = [earlier] })
        let says = "Another node runs with your identity: it called from 10.0.0.9:40123, 4 min ago."
        #expect(problem.message.english == says && problem.since == ControlTime(milliseconds: 1_000))
    }
}
