import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// The report about a peer that broke the protocol names the rule.
@Suite struct BreachTests {
    /// The rules in the reports about Bob.
    private func rules(_ bench: inout EngineBench) -> [Breach] {
        bench.takeEffects().compactMap { if case .report(_, .breach(let rule, _)) = $0 { rule } else { nil } }
    }

    @Test func aBrokenRunNamesTheRule() throws {
        var bob = try RemotePeer()
        var eve = try RemotePeer(3)
        let ada = try EngineBench.peer(1)
        let place = bob.conversation(with: ada)
        let (first, second) = (bob.write("1", to: ada), bob.write("2", to: ada, isHead: false))
        func run(_ change: (inout WireEvents) -> Void) -> WireFrame.OneOf_Kind {
            var frame = WireEvents()
            frame.conversation = Data(place.bytes)
            frame.events = [first.wire, second.wire]
            change(&frame)
            return .events(frame)
        }
        let broken: [(WireFrame.OneOf_Kind, Breach)] = [
            (run { $0.conversation = Data(count: 31) }, .eventsConversation),
            (run { $0.events = [] }, .eventsFirstHeader),
            (run { $0.events = [eve.write("as Eve", to: ada).wire] }, .eventsAuthor),
            (run { _ in }, .eventsUnsigned),
            (
                run {
                    $0.events = [first.wire]
                    $0.events[0].signature[0] ^= 1
                }, .eventSignature
            ),
            (run { $0.events[1].signature = Data(count: 63) }, .eventSignatureLength),
            (run { $0.events[0].body.append(1) }, .eventBodyHash),
            (run { $0.events[1].header.removeLast() }, .eventHeader),
            (run { $0.events[1] = eve.write("as Eve", to: ada).wire }, .eventLog),
            (run { $0.log.author = Data([1, 2, 3]) }, .eventsPlace),
            (run { $0.log = .init() }, .eventsPlace),
        ]
        for (frame, rule) in broken {
            var bench = try EngineBench(peers: [bob.record()])
            bench.open(1, with: bob)
            _ = bench.takeEffects()
            bench.received(frame, on: 1)
            #expect(bench.closed == [LinkID(1)], "\(rule)")
            #expect(rules(&bench) == [rule])
        }
    }

    /// Of another length than the specification gives, a hash is malformed and not only another hash.
    @Test(arguments: [(7, 0), (9, 0), (0, 0), (8, 7), (8, 9)])
    func aSummaryWithAHashOfAnotherLengthIsABreach(_ clock: Int, _ membership: Int) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = bench.takeEffects()
        var entry = WireSummary.Entry()
        entry.conversation = Data(bob.conversation(with: bench.identity).bytes)
        entry.clockHash = Data(count: clock)
        entry.membershipHash = Data(count: membership)
        var summary = WireSummary()
        summary.entries = [entry]
        bench.received(.summary(summary), on: 1)
        #expect(rules(&bench) == [.summaryHash])
    }

    @Test func aPeerThatBreaksTheRulesIsReportedOnceAMinuteWithACount() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        var reports: [Report] = []
        for link in 1...7 {
            bench.opened(UInt64(link), with: bob)
            bench.received(bob.hello(), on: UInt64(link))
            bench.received(bob.hello(), on: UInt64(link))
            bench.feed(.linkClosed(LinkID(UInt64(link)), .closed))
            for case .report(bob.identity, let report) in bench.takeEffects() { reports.append(report) }
            bench.pass(11_000)
        }
        #expect(reports == [.breach(.secondHello, times: 1), .breach(.secondHello, times: 6)])
    }

    @Test func aBreachOfTheLinkIsReportedToo() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bench.feed(.linkClosed(LinkID(1), .broken(.recordAuthenticity)))
        #expect(rules(&bench) == [.recordAuthenticity])
    }
}
