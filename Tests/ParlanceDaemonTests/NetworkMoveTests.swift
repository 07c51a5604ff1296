import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
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

        /// Bob dialled Ada at her cable. When she undocks, her node dials his from the Wi-Fi, and he does not send her away for
        /// the link by cable, which is only a few seconds old and which she has lost (sync.md, "Two links at once").
        @Test func whoUndocksGoesOnByWiFi() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let (hosts, pair) = try await Self.meeting(lab, adaDials: false)
                try await hosts.remove("eth0", of: 1)
                try await pair.bob.send("are you still there?", to: "Ada")
                try await pair.ada.send("I have undocked", to: "Bob")
                try await pair.ada.deliversAll(within: Self.limit)
                try await pair.bob.deliversAll(within: Self.limit)
                #expect(try await pair.ada.peer("Bob")?.connected == true)
                #expect(try await pair.bob.peer("Ada")?.connected == true)
            }
        }

        /// Bob takes links only at an address that comes after his start.
        @Test func anAddressThatComesLaterIsListenedOn() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let hosts = try await TwoHosts(lab)
                let pair = Pair(
                    ada: hosts.node("Ada", on: 1, arguments: Self.quiet + ["--peer", "10.77.0.12"]),
                    bob: hosts.node("Bob", on: 2, arguments: Self.quiet + ["--listen", "10.77.0.12"])
                )
                try pair.bob.spawn()
                try await pair.bob.ready()
                let problem = try await pair.bob.status().problems.first { $0.code == "configuration" }
                #expect(problem?.message.english.contains("not have now: 10.77.0.12.") == true)
                try await hosts.connect(2, by: "wlan0", ["10.77.0.12/24"])
                try pair.ada.spawn()
                try await pair.ada.ready()
                try await pair.ada.sees("Bob", "connected") { $0.connected }
                #expect(try await pair.bob.status().problems.allSatisfy { $0.code != "configuration" })
            }
        }

        /// The interface of a link-local address comes after the start, and comes back under another number: Bob, who listens
        /// nowhere else and knows no way to Ada, is reached each time.
        @Test func anInterfaceThatComesLaterIsListenedOn() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let (hosts, peer) = (try await TwoHosts(lab), "[fe80::b0b%eth0]:4747")
                let pair = Pair(
                    ada: hosts.node("Ada", on: 1, arguments: Self.quiet + ["--listen", "127.0.0.1", "--peer", peer]),
                    bob: hosts.node("Bob", on: 2, arguments: Self.quiet + ["--listen", "fe80::b0b%wlan0"])
                )
                try pair.bob.spawn()
                try await pair.bob.ready()
                let finding = try await pair.bob.status().problems.first { $0.code == "configuration" }
                #expect(finding?.message.english.contains("not have now: fe80::b0b%wlan0.") == true)
                for _ in 1...2 {
                    try await hosts.connect(2, by: "wlan0", ["fe80::b0b/64"])
                    try await pair.ada.start()
                    try await pair.ada.sees("Bob", "connected") { $0.connected }
                    #expect(try await pair.bob.status().problems.allSatisfy { $0.code != "configuration" })
                    #expect(try await pair.ada.end(SIGTERM) == 0)
                    try await hosts.remove("wlan0", of: 2)
                }
            }
        }

        /// Without another way the peer is not shown as connected, and the link comes back with the address.
        @Test func withoutAnAddressNobodyIsConnected() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let (hosts, pair) = try await Self.meeting(lab, adaDials: true)
                try await hosts.remove("wlan0", of: 1)
                try await hosts.drop("10.77.0.1/24", of: 1)
                try await pair.ada.sees("Bob", within: Self.limit, "not connected") { !$0.connected }
                try await pair.ada.send("waits", to: "Bob")
                try await hosts.connect(1, by: "usb0", ["10.77.0.1/24"])
                try await pair.ada.deliversAll(within: Self.limit)
            }
        }

        /// A cable that is pulled for a moment, or a Wi-Fi that roams, takes the carrier and no address: the link stays.
        @Test func aCableThatIsPulledForAMomentEndsNothing() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let (hosts, pair) = try await Self.meeting(lab, adaDials: true)
                try await hosts.remove("wlan0", of: 1)
                let watcher = try await Watcher(pair.ada, events: "peer")
                try await hosts.plug(1, in: false)
                let plugged = ContinuousClock.now + .seconds(2)
                try await eventually("the cable was out for 2 s", within: .seconds(3)) { ContinuousClock.now > plugged }
                try await hosts.plug(1, in: true)
                try await pair.ada.send("still there", to: "Bob")
                try await pair.ada.deliversAll(within: Self.limit)
                let events = try watcher.events("peer")
                #expect(!events.isEmpty && events.allSatisfy { $0["connected"] == .bool(true) }, "\(events)")
            }
        }

        /// The packets between the two addresses of a link are dropped, and Bob has another address. Both have everything
        /// about 10 s after they wrote, and nothing twice.
        @Test(.enabled(if: TwoHosts.haveFirewall, "this machine has no nft"))
        func whatIsNotAnsweredTakesAnotherWay() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let hosts = try await TwoHosts(lab)
                try await hosts.connect(2, by: "wlan0", ["10.77.0.12/24"])
                let ways = ["--peer", "10.77.0.2", "--peer", "10.77.0.12"]
                let ada = hosts.node("Ada", on: 1, arguments: Self.quiet + ways)
                let pair = Pair(ada: ada, bob: hosts.node("Bob", on: 2, arguments: Self.quiet))
                try await pair.start()
                let settled = try await ada.sees("Bob", "at one address") { $0.connected && $0.addresses.count == 1 }
                let used = settled.addresses[0].hasPrefix("10.77.0.12:") ? "10.77.0.12" : "10.77.0.2"
                try await hosts.load(2, Self.dropping(used))
                try await ada.send("is anybody there?", to: "Bob")
                try await pair.bob.send("I do not hear you", to: "Ada")
                try await ada.deliversAll(within: .seconds(20))
                try await pair.bob.deliversAll(within: .seconds(5))
                let now = try #require(try await ada.peer("Bob"))
                #expect(now.connected && !now.addresses.contains { $0.hasPrefix("\(used):") }, "\(now.addresses)")
                for texts in [try await ada.texts(with: "Bob"), try await pair.bob.texts(with: "Ada")] {
                    #expect(texts.sorted() == ["I do not hear you", "first contact", "is anybody there?"])
                }
            }
        }

        /// Without another way people are told that nothing is answered, and it goes on by itself when packets pass again.
        @Test(.enabled(if: TwoHosts.haveFirewall, "this machine has no nft"))
        func whatIsNotAnsweredIsTold() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let (hosts, pair) = try await Self.meeting(lab, adaDials: true)
                try await hosts.load(2, Self.dropping("10.77.0.2"))
                try await pair.ada.send("is anybody there?", to: "Bob")
                let says = "Bob's computer has stopped answering; another way is tried"
                try await pair.ada.sees("Bob", within: .seconds(20), "unanswered") { bob in
                    bob.connected && bob.note?.english == says
                        && bob.problems?.contains { $0.code == "unanswered" && $0.since != nil } == true
                }
                #expect(try await pair.ada.outbox().first?.why.english.contains(says) == true)
                let doctor = try await pair.ada.parlance("doctor")
                #expect(doctor.output.contains("Note: \(says) (since "), "\(doctor.output)")
                try await hosts.openAll(2)
                try await pair.ada.deliversAll(within: .seconds(20))
                try await pair.ada.sees("Bob", within: .seconds(5), "answering") { $0.connected && $0.note == nil }
            }
        }

        /// Rules that drop all packets of one address.
        private static func dropping(_ address: String) -> String {
            """
            table inet lab {
                chain input { type filter hook input priority 0; ip daddr \(address) drop; }
                chain output { type filter hook output priority 0; ip saddr \(address) drop; }
            }
            """
        }
    }
}
