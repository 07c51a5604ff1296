import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

extension ProgramTests {
    /// Two hosts that know no address of each other and find each other by mDNS; a pulled cable, and orderly stops.
    @Suite(.enabled(if: TwoHosts.areAllowed, "this machine does not let us make network namespaces"))
    struct NamespaceTests {
        /// Two hosts whose nodes have found and accepted each other.
        private static func run(
            _ body: @escaping @Sendable (_ hosts: TwoHosts, _ pair: Pair) async throws -> Void
        ) async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let hosts = try await TwoHosts(lab)
                let pair = try await hosts.meeting()
                try await pair.ada.sees("Bob", within: .seconds(30), "nearby") { $0.nearby }
                try await pair.bob.sees("Ada", within: .seconds(30), "nearby") { $0.nearby }
                try await body(hosts, pair)
            }
        }

        @Test func theyFindEachOtherAndTalk() async throws {
            try await Self.run { _, pair in
                let status = try await pair.ada.status()
                #expect(status.discovery.backend == .embedded)
                #expect(status.discovery.state == .running)
                try await pair.bob.send("hello over there", to: "Ada")
                try await pair.bob.deliversAll()
                #expect(try await pair.ada.texts(with: "Bob") == ["first contact", "hello over there"])
            }
        }

        @Test func aMessageCrossesOnceAfterTheCutHeals() async throws {
            try await Self.run { hosts, pair in
                try await hosts.plug(2, in: false)
                let early = try await pair.ada.send("into the dark", to: "Bob")
                let waiting = try #require(try await pair.ada.outbox().first)
                #expect(waiting.id == early.id)
                #expect([.staged, .sending].contains(waiting.status))
                #expect(waiting.why.english.contains("Bob"))

                // A node that starts while the cable is pulled has no link, so it knows that nothing can leave.
                #expect(try await pair.ada.end(SIGTERM) == 0)
                try await pair.ada.start()
                try await pair.ada.send("still dark", to: "Bob")
                let items = try await pair.ada.outbox()
                #expect(items.map(\.preview) == ["into the dark", "still dark"])
                for item in items {
                    #expect(item.status == .staged)
                    #expect(item.recipients.map(\.displayName) == ["Bob"])
                    let reasons = ["Bob is offline", "Bob is not connected yet", "cannot be reached"]
                    #expect(reasons.contains { item.why.english.contains($0) }, "\(item.why)")
                }
                #expect(try await pair.bob.texts(with: "Ada") == ["first contact"])

                try await hosts.plug(2, in: true)
                try await pair.ada.deliversAll(within: .seconds(60))
                let texts = ["first contact", "into the dark", "still dark"]
                #expect(try await pair.bob.texts(with: "Ada") == texts)
                #expect(try await pair.ada.texts(with: "Bob") == texts)
            }
        }

        /// What keeps a message is this computer, and nothing is known of Bob.
        @Test func withoutANetworkItIsSaidWhatAMessageWaitsFor() async throws {
            try await Self.run { hosts, pair in
                try await hosts.remove("eth0", of: 1)
                try await pair.ada.sees("Bob", within: .seconds(60), "not connected") { !$0.connected }
                let sent = try await pair.ada.send("into the dark", to: "Bob")
                let own = try #require(MachineState().offline).message.withoutPeriod.english
                let items = try await soon("the message waits") {
                    let items = try await pair.ada.outbox()
                    return items.first?.status == .staged ? items : nil
                }
                #expect(items.map(\.why.english) == [own])
                #expect(items.allSatisfy { $0.nextTry == nil })
                for words in [["outbox"], ["history", "Bob", "--peek"], ["info", sent.id]] {
                    let shown = try await pair.ada.parlance(words).output
                    #expect(shown.contains(own) && !shown.contains("Bob is offline"), "\(words): \(shown)")
                }
            }
        }

        /// A pulled cable leaves the address.
        @Test func anInterfaceWithoutALinkIsNamed() async throws {
            try await Self.run { hosts, pair in
                try await hosts.plug(1, in: false)
                let told = try await soon("the status tells of the cable") {
                    try await pair.ada.status().problems.first { $0.code == MachineState.offlineCode }
                }
                #expect(told.message.english.hasPrefix("The network interface eth0 has an address and no link"))
            }
        }

        /// A link counts as up for a while after the cable was pulled, and carries nothing.
        @Test func whatIsWrittenWithoutALinkWaitsAtOnce() async throws {
            try await Self.run { hosts, pair in
                try await pair.ada.sees("Bob", within: .seconds(30), "connected") { $0.connected }
                try await hosts.plug(1, in: false)
                let own = "The network interface eth0 has an address and no link"
                try await eventually("the status tells of the cable") {
                    try await pair.ada.status().problems.contains { $0.message.english.hasPrefix(own) }
                }
                let sent = try await pair.ada.parlance("send", "Bob", "into the dark")
                #expect(sent.output.hasPrefix("Saved; it waits: \(own)"), "\(sent)")
                let items = try await pair.ada.outbox()
                #expect(items.map(\.status) == [.staged] && items.allSatisfy { $0.nextTry == nil }, "\(items)")
                #expect(try await pair.ada.history(with: "Bob").last?.status == .staged)
                let cancelled = try await pair.ada.parlance("outbox", "cancel", "last")
                if cancelled.code != 0 {
                    Refusal.given("may have left this computer").check(cancelled, of: "taking back what may have left")
                }
                #expect(try await pair.ada.parlance("workspace", "create", "Ship").code == 0)
                let shown = try await pair.ada.parlance("workspace", "show").output
                #expect(shown.contains("nobody can be reached now: \(own)"), "\(shown)")
            }
        }

        @Test func aGoodbyeShowsAtOnce() async throws {
            try await Self.run { _, pair in
                let clock = ContinuousClock()
                let stop = clock.now
                #expect(try await pair.bob.end(SIGTERM) == 0)
                let gone = try await pair.ada.sees("Bob", within: .seconds(4), "not connected") { !$0.connected }
                // For 5 s the peer is still shown as online, so that a reconnect does not flicker.
                if clock.now - stop < .seconds(4) { #expect(gone.presence == .online) }
                try await pair.ada.sees("Bob", within: .seconds(10), "offline") { $0.presence == .offline }
                let grace = clock.now - stop
                #expect(grace > .seconds(4) && grace < patience(.seconds(12)), "offline after \(grace)")
                try await pair.ada.sees("Bob", within: .seconds(5), "not nearby, as mDNS said goodbye") { !$0.nearby }
                #expect(try await pair.ada.peer("Bob")?.lastSeen != nil)
            }
        }

        /// Ada's node has talked to Bob's once, so it does not dial him again, and no link tells her his new name.
        ///
        /// Bob hides who he is: otherwise the link of the first minute would hold up the next one.
        @Test func aStrangerHearsANewName() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let hosts = try await TwoHosts(lab)
                let (ada, bob) = (hosts.node("Ada", on: 1), hosts.node("Bob", on: 2, arguments: ["--hidden"]))
                try await ada.start()
                try await bob.start()
                try await ada.sees("Bob", within: .seconds(30), "nearby, as a stranger") {
                    $0.nearby && $0.trust == .unknown
                }
                #expect(try await bob.parlance("name", "Robert").code == 0)
                try await ada.sees("Robert", within: .seconds(30), "nearby, by the new name") { $0.nearby }
                #expect(try await ada.peer("Bob") == nil)
            }
        }
    }
}
