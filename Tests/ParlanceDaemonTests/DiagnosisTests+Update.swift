import ParlanceControl
import ParlanceWords
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

extension DiagnosisTests {
    @Test func aNewerVersionIsANote() throws {
        let note = try only(diagnosis { $0.newer = NewerVersion(installed: "0.1.0", available: "0.2.0") })
        #expect(note.code == "update" && note.severity == .note)
        #expect(note.message.english == "Version 0.2.0 of Parlance is available; 0.1.0 is installed.")
    }
}
