import ParlanceControl
import ParlanceNetwork
import ParlanceWords
import Testing

@testable import ParlanceDaemon

// What the doctor finds of other nodes with this node's identity.
extension DiagnosisTests {
    @Test func anotherNodeWithThisIdentityIsTold() throws {
        let call = RefusedCall(reason: .twin, host: "10.0.0.9", count: 7)
        let problem = try only(diagnosis { $0.refused = [call] })
        #expect(problem.code == "twin")
        #expect(problem.message.english == "Another node runs with your identity, at 10.0.0.9.")
    }
}
