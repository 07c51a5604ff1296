import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Great numbers of strangers: friends go on talking, and memory stays bounded. `contrib/bench` measures how fast.
    @Suite struct FloodTests {
        private static let connections = 10_000
        private static let mostMegabytes = 64.0

        @Test(arguments: ["half-open", "drip"]) func tenThousandConnectionsFromThisMachine(kind: String) async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let pair = try await Pair.meeting(in: lab)
                try await Self.withstand(pair, kind, target: "127.0.0.1:\(pair.ada.port)")
            }
        }

        /// Each connection comes from its own address, so that only the limit for all addresses keeps them out.
        @Test(.enabled(if: TwoHosts.areAllowed), arguments: ["half-open", "drip"])
        func tenThousandConnectionsFromAsManyAddresses(kind: String) async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let hosts = try await TwoHosts(lab)
                let pair = try await hosts.meeting()
                let sources = try await hosts.manyAddresses(on: 2, reaching: 1)
                let attack = ["--target", "10.77.0.1:4747", "--sources", "\(sources)+\(Self.connections)"]
                try await Self.withstand(pair, kind, attack, runner: hosts.runner(on: 2))
            }
        }

        /// Announces invented peers by mDNS, 10,000 a second.
        @Test(.enabled(if: TwoHosts.areAllowed)) func aFloodOfAnnouncementsIsBorne() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let hosts = try await TwoHosts(lab)
                let pair = try await hosts.meeting()
                let memory = try Self.residentMegabytes(pair.ada)
                let before = try await pair.ada.inSight()
                let arguments = ["announce", "--from", "10.77.0.2", "--rate", "10000", "--seconds", "8"]
                let attack = try lab.start(
                    hosts.runner(on: 2),
                    try Programs.own("parlance-bench"),
                    arguments,
                    name: "announce"
                )
                var sent = 0
                while attack.exitCode == nil {
                    try await pair.bob.send("in the storm \(sent)", to: "Ada")
                    try await pair.bob.deliversAll()
                    sent += 1
                }
                #expect(attack.exitCode == 0, "\(attack.complained)")
                #expect(try await pair.ada.inSight() > before, "the announcements reach her")
                let grown = try Self.residentMegabytes(pair.ada) - memory
                print("announcements: \(attack.printed.dropLast()), memory + \(grown) MB, \(sent) messages")
                #expect((isSanitized || grown < Self.mostMegabytes) && sent > 0)
                try await Self.stillTalk(pair, sent)
                let newcomer = hosts.node("Cleo", on: 2, port: 4848, arguments: ["--peer", "10.77.0.1:4747"])
                try await newcomer.start()
                try await newcomer.sees("Ada", within: .seconds(30), "connected") { $0.connected }
            }
        }

        private static func withstand(_ pair: Pair, _ kind: String, target: String) async throws {
            try await withstand(pair, kind, ["--target", target], runner: [])
        }

        /// Runs the attack while Bob writes to Ada.
        private static func withstand(_ pair: Pair, _ kind: String, _ attack: [String], runner: [String]) async throws {
            let process = try #require(pair.ada.child?.processID)
            let arguments =
                ["attack", "--socket", pair.bob.socketPath, "--to", "Ada", "--kind", kind, "--seconds", "8"]
                + ["--connections", "\(connections)", "--pid", "\(process)"] + attack
            let bench = try pair.ada.lab.start(runner, try Programs.own("parlance-bench"), arguments, name: "attack")
            #expect(try await bench.ended(within: .seconds(100)) == 0, "\(bench.complained)")
            print("\(kind): \(bench.printed.dropLast())")
            let figures = try JSONDecoder().decode([String: Double].self, from: Data(bench.printed.utf8))
            if !isSanitized {
                #expect(try #require(figures["memory_growth_mb"]) < mostMegabytes)
                // A busy machine may start few connections; most of those that are started must not be held.
                #expect(try #require(figures["started"]) > 2 * #require(figures["held_most"]))
            }
            #expect(try #require(figures["messages"]) > 0)
            #expect(try #require(figures["held_most"]) >= 32, "the flood reaches her")
            // These checks do not depend on time: everything arrived, and nobody was disconnected.
            try await stillTalk(pair, nil)
        }

        private static func stillTalk(_ pair: Pair, _ sent: Int?) async throws {
            try await pair.bob.deliversAll()
            let (said, heard) = (try await pair.bob.texts(with: "Ada"), try await pair.ada.texts(with: "Bob"))
            #expect(said == heard && said.count > 1)
            if let sent { #expect(heard.count == sent + 1) }
            #expect(pair.ada.child?.exitCode == nil)
            try await pair.ada.sees("Bob", "connected") { $0.connected }
        }

        private static func residentMegabytes(_ node: LabNode) throws -> Double {
            let process = try #require(node.child?.processID)
            let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
            return (Double(line.split(whereSeparator: \.isWhitespace)[1]) ?? 0) / 1024
        }
    }
}

extension LabNode {
    /// How many nodes the doctor has in sight by mDNS.
    fileprivate func inSight() async throws -> Int {
        let looked = try await ask(DoctorOperation()).looked.map(\.english)
        let line = try #require(looked.first { $0.contains(" in sight") }, "\(looked)")
        return try #require(line.firstMatch(of: /(\d+) in sight/).flatMap { Int($0.1) })
    }
}
