import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// Machines whose addresses and interfaces come and go while their nodes are linked.
    @Suite(.enabled(if: TwoHosts.areAllowed, "this machine does not let us make network namespaces"))
    struct NetworkMoveTests {
        private static let limit = Duration.seconds(5)

        /// Ada by cable and by Wi-Fi in one network, and Bob; one of them dials the other, without mDNS.
        private static func meeting(_ lab: Lab, adaDials: Bool) async throws -> (hosts: TwoHosts, pair: Pair) {
            let hosts = try await TwoHosts(lab)
            try await hosts.connect(1, by: "wlan0", ["10.77.0.11/24"])
            let ada = hosts.node("Ada", on: 1, arguments: adaDials ? quiet + ["--peer", "10.77.0.2"] : quiet)
            let bob = hosts.node("Bob", on: 2, arguments: adaDials ? quiet : quiet + ["--peer", "10.77.0.1"])
            let pair = Pair(ada: ada, bob: bob)
            try await pair.start()
            return (hosts, pair)
        }

        private static let quiet = ["--mdns", "off"]

        /// The link used the address that goes. Both sides write at once, and both have everything a few seconds later.
        @Test func anAddressThatGoesTakesItsLinksWithIt() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let (hosts, pair) = try await Self.meeting(lab, adaDials: true)
                try await hosts.drop("10.77.0.1/24", of: 1)
                try await pair.ada.send("from the other address", to: "Bob")
                try await pair.bob.send("to the other address", to: "Ada")
                try await pair.ada.deliversAll(within: Self.limit)
                try await pair.bob.deliversAll(within: Self.limit)
                let texts = try await pair.ada.texts(with: "Bob")
                #expect(texts.count == 3, "\(texts)")
                let written = ["first contact", "from the other address", "to the other address"]
                #expect(Set(texts) == Set(written), "\(texts)")
            }
        }

        /// Bob dialled Ada at her cable. When she undocks, her node dials his from the Wi-Fi.
        @Test func whoUndocksGoesOnByWiFi() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let (hosts, pair) = try await Self.meeting(lab, adaDials: false)
                // Two links that open within 10 s count as simultaneous, and the old one might stay (sync.md).
                let settled = ContinuousClock.now + .seconds(11)
                try await eventually("the link has lasted", within: .seconds(12)) { ContinuousClock.now > settled }
                try await hosts.remove("eth0", of: 1)
                try await pair.bob.send("are you still there?", to: "Ada")
                try await pair.ada.send("I have undocked", to: "Bob")
                try await pair.ada.deliversAll(within: Self.limit)
                try await pair.bob.deliversAll(within: Self.limit)
                #expect(try await pair.ada.peer("Bob")?.connected == true)
                #expect(try await pair.bob.peer("Ada")?.connected == true)
            }
        }

        /// Without another way the peer is not shown as connected, and the link comes back with the address.
        @Test func withoutAnAddressNobodyIsConnected() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let (hosts, pair) = try await Self.meeting(lab, adaDials: true)
                try await hosts.remove("wlan0", of: 1)
                try await hosts.plug(1, in: false)
                try await pair.ada.sees("Bob", within: Self.limit, "not connected") { !$0.connected }
                try await pair.ada.send("waits", to: "Bob")
                try await hosts.plug(1, in: true)
                try await pair.ada.deliversAll(within: Self.limit)
            }
        }
    }
}
