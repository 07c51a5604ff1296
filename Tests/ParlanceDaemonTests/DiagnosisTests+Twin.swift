import ParlanceControl
import ParlanceNetwork
import ParlanceWords
import Testing

@testable import ParlanceDaemon

// What the doctor finds of other nodes with this node's identity.
extension DiagnosisTests {
    @Test func anotherNodeWithThisIdentityIsTold() throws {
        let problem = try only(diagnosis { $0.refused = [call(.twin, from: "10.0.0.9", count: 7)] })
        #expect(problem.code == "twin" && problem.since == ControlTime(milliseconds: 1_000))
        #expect(problem.message.english == "Another node runs with your identity: it called from 10.0.0.9:40123.")
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
