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
        #expect(problem.code == "workspace" && problem.message.english.contains("different keys"))
    }
}
