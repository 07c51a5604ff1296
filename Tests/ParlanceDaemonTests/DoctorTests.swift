import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// The doctor's findings in real networks.
    @Suite(.enabled(if: TwoHosts.areAllowed, "this machine does not let us make network namespaces"))
    struct DoctorTests {
        private func findings(_ node: LabNode, about who: String? = nil) async throws -> Findings {
            try await node.ask(DoctorOperation(who: who))
        }

        @Test func whereAllIsWellItSaysSoAndWhatItLookedAt() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let pair = try await TwoHosts(lab).meeting()
                try await pair.ada.sees("Bob", "nearby") { $0.nearby }
                let all = try await pair.ada.parlance("doctor")
                #expect(all.code == 0 && all.output.hasPrefix("No problems in what was looked at:"), "\(all)")
                for line in [
                    "10.77.0.1 (eth0)", "mDNS works; 1 in sight", "port 4747: Bob reaches it", "1 of them connected",
                ] {
                    #expect(all.output.contains(line), "\(all.output)")
                }
                let bob = try await pair.ada.parlance("doctor", "Bob")
                #expect(bob.output.hasPrefix("No problems with Bob."), "\(bob.output)")
                #expect(bob.output.contains("10.77.0.2:4747"))
                let nobody = try await pair.ada.parlance("doctor", "Zoe")
                #expect(nobody.code == 65 && nobody.errors.contains("Nobody here is called"))
            }
        }

        @Test(.enabled(if: TwoHosts.haveFirewall, "there is no nft here"))
        func aFirewallIsFoundAndSaysWhatToAllow() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let hosts = try await TwoHosts(lab)
                let pair = try await hosts.meeting()
                try await hosts.close(1, port: 4747)
                let found = try await findings(pair.ada)
                let problem = try #require(found.problems.first { $0.code == "firewall" }, "\(found)")
                #expect(problem.message.english.contains("Bob does not reach port 4747 of this machine (timed out)"))
                #expect(
                    problem.advice.english.contains("TCP 4747 to 4762")
                        && problem.advice.english.contains("in from your own network")
                )
                let other = try await findings(pair.bob)
                #expect(!other.problems.contains { $0.code == "firewall" }, "Bob's port is open")
                // Once the link is gone and she cannot dial him either, she is a node that does not answer.
                try await hosts.close(2, port: 4747)
                #expect(try await pair.ada.end(SIGTERM) == 0)
                try await pair.ada.start()
                try await eventually("Bob's doctor says that Ada does not answer", within: .seconds(60)) {
                    try await findings(pair.bob, about: "Ada").problems.contains {
                        $0.code == "unreached" && $0.message.english.contains("Ada's computer does not answer")
                            && $0.addresses == ["10.77.0.1:4747"]
                    }
                }
            }
        }

        /// The rules that ufw writes let mDNS in and no links. Nobody is known, so no finding about a person can say it.
        @Test(.enabled(if: TwoHosts.haveFirewall, "there is no nft here"))
        func aStrangerBehindAFirewallIsToldEverywhere() async throws {
            try await Lab.run(limit: .seconds(180)) { lab in
                let hosts = try await TwoHosts(lab)
                for number in [1, 2] { try await hosts.load(number, FirewallRules.ufw) }
                let (ada, bob) = (hosts.node("Ada", on: 1), hosts.node("Bob", on: 2))
                for node in [ada, bob] { try await node.start() }
                for node in [ada, bob] {
                    try await eventually("\(node.name)'s status says who does not answer", within: .seconds(60)) {
                        try await node.status().problems.contains {
                            $0.code == "unanswered" && $0.severity == .problem && $0.count == 1
                        }
                    }
                }
                let sentence = "1 node is in sight at "
                for words in [["peers"], ["status"], ["doctor"], []] {
                    let said = try await ada.parlance(words)
                    #expect(said.code == 0 && said.output.contains(sentence), "\(words): \(said)")
                }
                #expect(try await ada.ask(PeersOperation()).problems?.map(\.code) == ["unanswered"])
                for number in [1, 2] { try await hosts.openAll(number) }
                for (node, other) in [(ada, "Bob"), (bob, "Ada")] {
                    try await node.sees(other, within: .seconds(60), "nearby") { $0.nearby || $0.connected }
                    #expect(try await node.ask(PeersOperation()).problems == nil)
                }
            }
        }

        /// The rules that firewalld writes let neither mDNS nor links in. Whose firewall it is can be tried.
        @Test(.enabled(if: TwoHosts.haveFirewall, "there is no nft here"))
        func aFirewallHereIsNamedAndOnceOpenedTheyMeet() async throws {
            try await Lab.run(limit: .seconds(180)) { lab in
                let hosts = try await TwoHosts(lab)
                try await hosts.load(1, FirewallRules.firewalld)
                let (ada, bob) = (hosts.node("Ada", on: 1), hosts.node("Bob", on: 2))
                for node in [ada, bob] { try await node.start() }
                try await eventually("Ada's firewall is named", within: .seconds(30)) {
                    try await ada.status().problems.map(\.code) == ["firewall"]
                }
                let said = try await ada.parlance("doctor")
                #expect(said.output.contains("This computer's firewall drops mDNS, UDP 5353"), "\(said)")
                #expect(try await !bob.ask(DoctorOperation()).problems.contains { $0.code == "firewall" })
                try await hosts.openAll(1)
                try await ada.sees("Bob", within: .seconds(60), "nearby") { $0.nearby || $0.connected }
                try await eventually("nothing is wrong any more", within: .seconds(30)) {
                    try await findings(ada).problems.isEmpty
                }
            }
        }

        @Test func anInterfaceWithoutMulticastIsTold() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let hosts = try await TwoHosts(lab)
                try await hosts.switchMulticastOff(1)
                let ada = hosts.node("Ada", on: 1)
                try await ada.start()
                try await eventually("it is told", within: .seconds(30)) {
                    try await ada.status().problems.map(\.code) == ["multicast"]
                }
            }
        }

        @Test func anotherWorkspaceIsCountedAndNamed() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let pair = try await TwoHosts(lab).meeting()
                let made = try await pair.bob.parlance("workspace", "create", "Pier")
                #expect(made.code == 0)
                try await eventually("Ada sees that Bob is in another network", within: .seconds(30)) {
                    try await findings(pair.ada).problems.contains { $0.code == "outside" }
                }
                let found = try await findings(pair.ada, about: "Bob")
                #expect(found.person?.displayName == "Bob")
                #expect(found.problems.contains { $0.code == "workspace" || $0.code == "unreached" }, "\(found)")
                try await eventually("Bob sees that Ada is in another network", within: .seconds(30)) {
                    let told = try await findings(pair.bob).problems.filter { $0.code == "outside" }
                    return told.map(\.about) == [try await pair.ada.status().peerID]
                }
            }
        }

        @Test func whoIsNotThereIsSaidToBeSo() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let pair = try await TwoHosts(lab).meeting()
                try await pair.bob.kill()
                try await pair.ada.sees("Bob", "gone") { !$0.connected }
                try await eventually("the doctor says why", within: .seconds(30)) {
                    try await findings(pair.ada, about: "Bob").problems.contains {
                        $0.code == "unreached" && $0.message.english.contains("Parlance does not run there")
                            && $0.addresses == ["10.77.0.2:4747"] && $0.advice.english.contains("start parlanced there")
                    }
                }
            }
        }

        /// Two subnets and a router, without multicast: each end knows only the router's node.
        @Test func twoSubnetsMeetThroughOneAddress() async throws {
            try await Lab.run(limit: .seconds(180)) { lab in
                let hosts = try await TwoHosts(
                    lab,
                    addresses: [["10.77.0.1/24", "10.78.0.1/24"], ["10.77.0.2/24"], ["10.78.0.3/24"]]
                )
                try await hosts.forward(1)
                try await hosts.route(2, through: "10.77.0.1")
                try await hosts.route(3, through: "10.78.0.1")
                let hub = hosts.node("Hub", on: 1, arguments: ["--mdns", "off"])
                let ada = hosts.node("Ada", on: 2, arguments: ["--mdns", "off", "--peer", "10.77.0.1:4747"])
                let bob = hosts.node("Bob", on: 3, arguments: ["--mdns", "off", "--peer", "10.78.0.1:4747"])
                for node in [hub, ada, bob] { try await node.start() }
                _ = try await hub.parlance("workspace", "create", "Ship")
                let reply = try await hub.ask(WorkspaceShowOperation())
                let code = try #require(reply.workspace).code
                for node in [ada, bob] {
                    let joined = try await node.parlance("workspace", "join", code)
                    #expect(joined.code == 0, "\(joined.errors)")
                }
                let seen = try await ada.sees("Bob", within: .seconds(60), "connected") { $0.connected }
                #expect(seen.addresses.contains { $0.hasPrefix("10.78.0.3") }, "\(seen.addresses)")
                try await ada.send("across the router", to: "Bob")
                try await bob.reads(["across the router"], in: "Ada")
            }
        }
    }
}
