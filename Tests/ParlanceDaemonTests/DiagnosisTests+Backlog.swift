import ParlanceControl
import ParlanceWords
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

extension DiagnosisTests {
    @Test func whoSendsMoreThanIsHandledIsANote() {
        var person = view(connected: true)
        #expect(person.findings.isEmpty)
        person.outpacesUs = true
        person.outpacedByUs = true
        let found = person.findings
        #expect(found.map(\.code) == ["behind", "behind-there"] && found.allSatisfy { $0.severity == .note })
        #expect(found.allSatisfy { $0.message.english.contains("Bob") })
    }
}
