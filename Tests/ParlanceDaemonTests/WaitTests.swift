import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// `parlance wait` with real daemons: whom a name means, and who counts.
    @Suite struct WaitTests {
        @Test func namesMeanWhomTheyMeanInEveryCommand() async throws {
            try await Lab.run { lab in
                let name = "Zo\u{EB} \u{C5}ngstr\u{F6}m"
                let ports = [try Lab.freePort(), try Lab.freePort(), try Lab.freePort()]
                let ada = LabNode.onLoopback(lab, "Ada", port: ports[0], dials: Array(ports[1...]))
                let bob = LabNode.onLoopback(lab, "Bob", port: ports[1], dials: [ports[0]])
                try await Pair(ada: ada, bob: bob).start()
                let cleo = LabNode.onLoopback(lab, "Cleo", port: ports[2], dials: [ports[0]])
                try await cleo.start()
                try await ada.sees("Cleo", "connected") { $0.connected }
                #expect(try await ada.parlance("alias", "Bob", name).code == 0)
                #expect(try await ada.parlance("verify", name, "--confirm").code == 0)
                for typed in ["zoe angstrom", "@" + name, name + " \u{2713}"] {
                    let here = try await ada.parlance("wait", typed, "--timeout", "0s")
                    #expect(here.code == 0 && here.output == "Connected: 1\n", "\(typed): \(here)")
                }
                // Cleo is here, but nobody has accepted her; Eve is nobody yet.
                let missing = try await ada.parlance("wait", "Cleo", "Eve", "zoe angstrom", "--timeout", "0s")
                #expect(missing.code == 1 && missing.output.contains("0 s: 2 (Cleo, Eve)"), "\(missing)")
                let id = try #require(try await ada.peer("Cleo")).id.prefix(8)
                let stranger = "Connected, but not accepted by you: Cleo (\(id)). To accept: parlance accept ID"
                #expect(missing.output.contains(stranger), "\(missing)")
                let two = try await ada.parlance("wait", "--people", "2", "--timeout", "0s")
                #expect(two.code == 1 && !two.output.contains("has not met"), "\(two)")
                #expect(two.output.contains(stranger), "\(two)")
                let json = try await ada.parlance("wait", "Cleo", "--timeout", "0s", "--json")
                #expect(json.output.contains("\"notAccepted\":[\"Cleo\"]"), "\(json)")
                let own = try await ada.parlance("wait", "Ada", "--timeout", "0s")
                #expect(own.code == 65, "\(own)")
                try await bob.kill()
                try await ada.sees(name, "gone") { !$0.connected }
                let one = try await ada.parlance("wait", "--people", "1", "--timeout", "0s")
                #expect(one.code == 1 && one.output.contains("(\(name))"), "\(one)")
            }
        }
    }
}
