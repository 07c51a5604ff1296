import ParlanceControl
import ParlanceWords
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon

// What the doctor finds of other nodes with this node's identity.
extension DiagnosisTests {
    private func way(_ kind: DoctorView.Way.Kind, _ host: String, _ port: UInt16 = 4747) -> DoctorView.Way {
        let place = Endpoint(host: host, port: port)
        return DoctorView.Way(
            kind: kind,
            endpoints: [place],
            failed: LinkTrouble(.failed(.ownIdentity, place), since: 5)
        )
    }

    /// At another address, or at another port of this machine.
    @Test(arguments: [("10.0.0.9", 4747), ("10.0.0.1", 4748), ("127.0.0.1", 4748)] as [(String, UInt16)])
    func anotherNodeWithThisIdentityIsTold(_ host: String, _ port: UInt16) throws {
        for kind in [DoctorView.Way.Kind.sighted, .fixed] {
            let problem = try only(diagnosis { $0.view.unknown = [way(kind, host, port)] })
            #expect(problem.code == "twin" && problem.since?.milliseconds == 5)
            #expect(problem.message.english == "Another node runs with your identity, at \(host):\(port).")
        }
    }

    @Test func thisNodesOwnAddressIsNoOtherNode() throws {
        for host in ["10.0.0.1", "127.0.0.1", "::1"] {
            #expect(diagnosis { $0.view.unknown = [way(.sighted, host)] }.problems.isEmpty)
            #expect(try only(diagnosis { $0.view.unknown = [way(.fixed, host)] }).code == "unreached")
        }
    }

    @Test func oneOfSeveralAddressesOfTheOtherNodeIsEnough() throws {
        let ways = [way(.sighted, "10.0.0.9"), way(.fixed, "10.0.0.9")]
        #expect(try only(diagnosis { $0.view.unknown = ways }).code == "twin")
    }
}
