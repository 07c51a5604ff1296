import ParlanceControl
import ParlanceNetwork
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

// What the doctor says of one person while this computer's own cable is out.
extension DiagnosisTests {
    /// An older answer of a dial-back says nothing once whoever gave it has gone, or the cable is out.
    @Test func onlySomebodyWhoIsConnectedSaysWhetherThePortIsReached() {
        var view = DoctorView()
        let network = MachineState(
            addresses: NumericAddress([10, 0, 0, 1]).map {
                [MachineAddress(interface: "eth0", address: $0)]
            } ?? []
        )
        #expect(!view.hasWitness(network))
        for (bob, isWitness) in [
            (self.view(), false), (self.view(connected: true), true), (self.view(.unknown, connected: true), false),
        ] {
            view.people = [DoctorView.Person(view: bob)]
            #expect(view.hasWitness(network) == isWitness && !view.hasWitness(MachineState()))
        }
        var within = self.view(connected: true)
        within.isLinkedWithinComputer = true
        view.people = [DoctorView.Person(view: within)]
        #expect(view.hasWitness(MachineState()), "a link within this computer needs no network")
        let offline = diagnosis { diagnosis in
            diagnosis.dialBack = nil
            diagnosis.machine.addresses = []
        }
        #expect(offline.unchecked.contains("port 4747: not tried, since this machine has no network"))
    }

    /// A link counts as up for a minute after the cable was pulled.
    @Test func theOwnCableComesFirstWhileALinkCountsAsUp() throws {
        for cause in [nil, LinkTrouble.Cause.unanswered] {
            var bob = view(connected: true, trouble: cause.map { LinkTrouble($0) })
            bob.endpoints = [Endpoint(host: "10.0.0.2", port: 4747)]
            let person = DoctorView.Person(view: bob, sealableUntil: 1, couriers: [self.bob])
            let unplugged = diagnosis([person]) { diagnosis in
                (diagnosis.machine.addresses, diagnosis.machine.withoutLink) = ([], ["eth0"])
                diagnosis.dialBack = DialBackView(peer: self.bob, outcome: .failed(""))
            }
            let story = try #require(unplugged.machine.offline)
            #expect(story.severity == .problem)
            #expect(unplugged.problems(with: person) == [story])
            #expect(unplugged.looked(at: person).isEmpty && unplugged.unchecked(about: person).isEmpty)
        }
    }

    /// An interface that keeps its address is not said to have none.
    @Test func theAddressesAgreeWithTheProblem() {
        func line(_ withoutLink: [String]) -> String? {
            diagnosis { ($0.machine.addresses, $0.machine.withoutLink) = ([], withoutLink) }.looked.first?.english
        }
        #expect(line(["eth0"]) == "this machine's addresses: none on an interface with a link")
        #expect(line([]) == "this machine's addresses: none")
    }

    /// Two nodes of one computer need no network.
    @Test func aLinkWithinTheComputerNeedsNoNetwork() {
        var bob = view(connected: true)
        bob.isLinkedWithinComputer = true
        let person = DoctorView.Person(view: bob, skew: 0)
        #expect(diagnosis([person]) { $0.machine.addresses = [] }.problems(with: person).isEmpty)
        // What else is wrong is told beside the missing network.
        let late = DoctorView.Person(view: bob, skew: 3_600_000)
        let told = diagnosis([late]) { $0.machine.addresses = [] }.problems
        #expect(told.map(\.code) == ["network", "clock"])
    }
}
