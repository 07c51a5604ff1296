import ParlanceControl
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon

extension DiagnosisTests {
    /// Somebody whose computer does not answer.
    private func away(_ name: String, _ number: UInt8, nearby: Bool = false) throws -> DoctorView.Person {
        var view = view(trouble: LinkTrouble(.failed(.timedOut, Endpoint(host: "10.0.0.\(number)", port: 4747))))
        view.record = PeerRecord(id: try #require(PeerID([UInt8](repeating: number, count: 32))))
        view.record.trust = .accepted
        (view.displayName, view.nearby) = (name, nearby)
        return DoctorView.Person(view: view)
    }

    /// A day on which many are away is one line.
    @Test func thoseWhoAreAwayAreToldTogether() throws {
        let one = diagnosis([try away("Cleo", 1)]).problems
        #expect(one.map(\.code) == ["unreached"] && one[0].message.english.hasPrefix("Cleo's computer"))
        let people = [try away("Cleo", 1), try away("Bea", 2), try away("Dan", 3)]
        let together = diagnosis(people).problems
        #expect(together.map(\.code) == ["absent"] && together[0].severity == .note)
        #expect(
            together[0].message.english == "3 people do not answer where they were last: Bea, Cleo and Dan."
        )
        // Who is in sight and does not answer is a problem of its own.
        let near = diagnosis(people + [try away("Eve", 4, nearby: true)]).problems
        #expect(near.map(\.code) == ["unreached", "absent"] && near[0].severity == .problem)
    }
}
