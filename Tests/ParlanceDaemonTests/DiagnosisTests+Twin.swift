import ParlanceControl
import ParlanceNetwork
import ParlanceRecords
import ParlanceWire
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

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

    /// The event by which a hub tells of a person.
    func event(of person: PeerView, in whole: Diagnosis) throws -> PeerInfo {
        let ada = try #require(PeerID([UInt8](repeating: 8, count: 32)))
        let hub = EventHub(Directory(identity: ada, profile: ProfileRecord(name: "Ada")))
        hub.setSurroundings { [surroundings = whole.surroundings] in surroundings }
        let told = Mutex<[PeerInfo]>([])
        _ = hub.subscribe(SubscriptionFilter()) { event in
            if let event = event as? PeerInfo { told.withLock { $0.append(event) } }
        }
        hub.publish(.peer(person))
        return try #require(told.withLock { $0.first })
    }

    /// `watch` says of a person what `peers` says.
    @Test(arguments: [false, true]) func anEventSaysOfAPersonWhatTheListSays(_ isOffline: Bool) throws {
        let hour: Int64 = 3_600_000
        var left = view(trouble: LinkTrouble(.failed(.timedOut, Endpoint(host: "10.0.0.2", port: 4747))))
        (left.nearby, left.presence.lastSeen) = (true, 10 * hour - 40_000)
        for (person, usual) in [(view(trouble: LinkTrouble(.stale)), "stale"), (left, "unreached")] {
            let whole = diagnosis { diagnosis in
                (diagnosis.now, diagnosis.refused) = (10 * hour, [call(.twin, from: "10.0.0.9")])
                if isOffline { diagnosis.machine.addresses = [] }
            }
            let event = try event(of: person, in: whole)
            let findings = whole.findings(about: DoctorView.Person(view: person))
            let row = PeerInfo(person, findings: findings, now: nil)
            #expect(event.problems == row.problems && event.note == row.note)
            #expect(findings.contains { $0.code == usual } == (!isOffline || usual == "stale"))
        }
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
