import Foundation
import Logging
import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceSodium
import ParlanceWaiting
import ParlanceWire
import ParlanceWords
import Synchronization
import Testing

extension ProgramTests {
    /// What people are told about links that end.
    @Suite struct LinkEndTests {
        /// A node that sends Hello twice on each link, which is a breach.
        private final class TwiceHello: LinkObserver {
            private let service = Mutex<LinkService?>(nil)

            func serve(on port: UInt16) async throws {
                let identity = LocalIdentity(
                    signingKey: SigningKey.generate(),
                    replica: try #require(ReplicaID([UInt8](repeating: 7, count: 16))),
                    epoch: 1
                )
                let service = LinkService(LinkService.Configuration(identity: identity), observer: self)
                self.service.withLock { $0 = service }
                #expect(try await service.start(addresses: ["127.0.0.1"], port: port) == port)
            }

            func stop() async { await service.withLock { $0 }?.stop() }

            func offer(_ inputs: [Input]) {
                for case .linkOpened(let opened) in inputs {
                    var frame = WireFrame()
                    var hello = WireHello()
                    hello.purpose = .main
                    hello.name = "Eve"
                    frame.hello = hello
                    let service = service.withLock { $0 }
                    service?.send(opened.link, frame)
                    service?.send(opened.link, frame)
                }
            }

            func isFull(for link: LinkID) -> Bool { false }
            func whenDrained(_ link: LinkID, _ resume: @escaping @Sendable () -> Void) { resume() }
        }

        /// Every command that shows problems shows the same finding; the log names the rule.
        @Test func aPeerThatBreaksTheProtocolIsNamedEverywhere() async throws {
            try await Lab.run { lab in
                let ports = (try Lab.freePort(), try Lab.freePort())
                let eve = TwiceHello()
                try await eve.serve(on: ports.1)
                let arguments = ["--log-level", "notice"]
                let ada = LabNode.onLoopback(lab, "Ada", port: ports.0, dials: [ports.1], arguments: arguments)
                try await ada.start()
                try await eventually("Ada knows Eve") { try await ada.parlance("accept", "Eve").code == 0 }
                let sent = try await ada.send("are you there", to: "Eve")
                let words = "Eve's node broke a rule of the protocol: it sent a second Hello"
                try await ada.sees("Eve", "with the reason") { peer in
                    peer.note?.english.contains(words) == true && !peer.connected
                        && peer.problems?.map(\.code) == ["breach"]
                        && peer.problems?.first?.rule == "secondHello"
                }
                for command in [["peers"], ["status"], ["outbox"], ["doctor"], ["doctor", "Eve"], ["info", sent.id]] {
                    try await eventually("\(command) says so") {
                        try await ada.parlance(command).output.contains(words)
                    }
                }
                let status = try await ada.parlance("status").output
                #expect(
                    !status.contains("No problems") && status.components(separatedBy: words).count == 2,
                    "\(status)"
                )
                let child = try #require(ada.child)
                let logged = child.complained.split(separator: "\n").filter { $0.contains("secondHello") }
                // A second line follows after a minute.
                #expect((1...2).contains(logged.count), "\(logged)")
                await eve.stop()
            }
        }

        @Test func anotherWorkspaceIsSaidToBeOne() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                #expect(try await pair.bob.parlance("workspace", "create", "Pier").code == 0)
                try await pair.ada.sees("Bob", "in another workspace") {
                    $0.problems?.contains { $0.code == "workspace" } == true
                }
                _ = try await pair.ada.send("where are you", to: "Bob")
                let (one, all) = (
                    "most likely it is in another workspace than this one", "is in a workspace, and this node is in"
                )
                for (command, words) in [
                    (["peers"], one), (["status"], all), (["outbox"], one), (["doctor"], all),
                    (["doctor", "Bob"], one), ([], all),
                ] {
                    try await eventually("\(command) says so", within: .seconds(20)) {
                        try await pair.ada.parlance(command).output.contains(words)
                    }
                }
                let (told, found) = (try await pair.ada.status().problems, try await findings(pair.ada).problems)
                #expect(told.map(\.message) == found.map(\.message), "the same findings, in the same words")
                #expect(found.count { ["workspace", "outside", "stranger"].contains($0.code) } == 1, "\(found)")
            }
        }

        @Test func aLiftedBlockIsGoneEverywhere() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                #expect(try await pair.bob.parlance("block", "Ada").code == 0)
                try await pair.ada.send("can you hear me", to: "Bob")
                let words = "Bob does not take your messages"
                for command in [["peers"], ["status"], ["outbox"], ["doctor"], ["doctor", "Bob"]] {
                    try await eventually("\(command) says so") {
                        try await pair.ada.parlance(command).output.contains(words)
                    }
                }
                #expect(try await pair.bob.parlance("unblock", "Ada").code == 0)
                try await pair.ada.deliversAll()
                #expect(try await pair.ada.peer("Bob")?.note == nil)
                for command in [["peers"], ["status"], ["outbox"], ["doctor"], ["doctor", "Bob"]] {
                    let said = try await pair.ada.parlance(command).output
                    #expect(!said.contains("take your messages"), "\(command): \(said)")
                }
                #expect(try await pair.bob.texts(with: "Ada") == ["first contact", "can you hear me"])
            }
        }

        private func findings(_ node: LabNode) async throws -> Findings {
            try await node.ask(DoctorOperation())
        }
    }
}
