import ParlanceCore
import ParlanceWire
import Synchronization
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// What peers send is handled in turns by its cost, so that one peer's flood delays others by a round (sync.md, "One
/// peer's flood").
@Suite struct InboxTests {
    private static func peer(_ number: UInt8) -> PeerID { PeerID(value: Bytes32 { $0.copyBytes(from: [number]) }) }

    @Test func aFloodDelaysOthersByOneRound() throws {
        var queue = FairQueue<String>()
        for number in 0..<1_000 { queue.add("flood \(number)", cost: 20_000, bytes: 20_000, of: Self.peer(1)) }
        queue.add("hello", cost: 300, bytes: 300, of: Self.peer(2))
        let first = queue.take(at: 0).taken
        #expect(first.prefix(3) == ["flood 0", "flood 1", "hello"] && (6...15).contains(first.count))
        queue.add("again", cost: 300, of: Self.peer(2))
        let second = queue.take(at: 0).taken
        // What the other did not use of its share counts in the next round.
        #expect(try #require(second.firstIndex(of: "again")) <= 3)
        #expect(queue.count == 1_002 - first.count - second.count && queue.bytes == 20_000 * queue.count)
    }

    @Test func whatIsLargerThanAShareComesToo() {
        var queue = FairQueue<String>()
        let round = FairQueue<String>.quantum
        for _ in 0..<3 { queue.add("large", cost: 10 * round, of: Self.peer(1)) }
        for _ in 0..<100 { queue.add("small", cost: round / 2, of: Self.peer(2)) }
        var taken: [String] = []
        while !queue.isEmpty { taken += queue.take(at: 0).taken }
        let places = taken.indices.filter { taken[$0] == "large" }
        #expect(places.count == 3 && taken.count == 103)
        // Ten rounds, in each of which the other is served twice.
        #expect(zip([-1] + places, places).allSatisfy { (18...21).contains($1 - $0) }, "\(places)")
    }

    /// Nobody loses anything, each peer's order stays, and whoever always has something waiting gets as much as others.
    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func everybodyGetsItsShareInOrder(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = FairQueue<(peer: Int, number: Int, cost: Int)>()
        var next = [Int](repeating: 0, count: 5)
        var expected = next
        var costs = next
        let sizes = (0..<5).map { _ in Int.random(in: 10_000...200_000, using: &random) }
        func fill(_ peer: Int) {
            let cost = Int.random(in: 0...sizes[peer], using: &random)
            queue.add((peer, next[peer], cost), cost: cost, bytes: 1, of: Self.peer(UInt8(peer)))
            next[peer] += 1
        }
        func take() {
            for (peer, number, cost) in queue.take(at: 0).taken {
                #expect(number == expected[peer])
                expected[peer] += 1
                costs[peer] += cost
            }
        }
        for _ in 0..<300 {
            for peer in 0..<5 where next[peer] - expected[peer] < 60 { for _ in 0..<80 { fill(peer) } }
            take()
        }
        let (least, most) = (costs.min() ?? 0, costs.max() ?? 0)
        // The bound of the algorithm: a largest frame and a share.
        #expect(most - least <= 200_000 + 2 * FairQueue<Int>.quantum, "\(costs)")
        while !queue.isEmpty { take() }
        #expect(expected == next && queue.count == 0 && queue.bytes == 0)
    }

    private static func opened(_ link: UInt64, _ peer: UInt8) throws -> Input {
        let replica = try #require(ReplicaID([UInt8](repeating: peer, count: 16)))
        return .linkOpened(
            LinkOpened(
                link: LinkID(link),
                peer: Self.peer(peer),
                replica: replica,
                epoch: 1,
                dial: nil,
                remote: Endpoint(host: "10.0.0.\(peer)", port: 4711)
            )
        )
    }

    private static func frame(_ link: UInt64, bytes: Int) -> Input {
        var frame = WireFrame()
        frame.typing = WireTyping()
        return .frameReceived(LinkID(link), frame, bytes: bytes)
    }

    /// Several links of one identity have one share, and only its links stop when too much of it waits.
    @Test func thePeerCountsAndNotItsLinks() throws {
        let inbox = Inbox()
        for link in 1...4 as ClosedRange<UInt64> { inbox.offer(try Self.opened(link, 1)) }
        inbox.offer(try Self.opened(5, 2))
        _ = inbox.take(at: 0)
        for number in 0..<1_200 { inbox.offer(Self.frame(UInt64(number % 4) + 1, bytes: 1_000)) }
        inbox.offer(Self.frame(5, bytes: 1_000))
        let resumed = Mutex(0)
        for link in 1...4 as ClosedRange<UInt64> {
            #expect(inbox.isFull(for: LinkID(link)))
            inbox.whenDrained(LinkID(link)) { resumed.withLock { $0 += 1 } }
        }
        #expect(!inbox.isFull(for: LinkID(5)))
        var links: [UInt64] = []
        for case .input(.frameReceived(let link, _, _)) in inbox.take(at: 0) { links.append(link.value) }
        #expect(links.count { $0 == 5 } == 1 && (150...220).contains(links.count))
        _ = inbox.settle(isSaturated: false)
        #expect(resumed.withLock { $0 } == 0)
        for _ in 0..<100 { _ = inbox.take(at: 0) }
        #expect(!inbox.settle(isSaturated: false))
        #expect(resumed.withLock { $0 } == 4)
    }

    /// When too much waits in all, it stops those of whom something waits; a disk that is behind stops everybody.
    @Test func whoHasNothingWaitingIsReadWhenTheInboxIsFull() throws {
        let inbox = Inbox()
        for number in 1...10 as ClosedRange<UInt8> { inbox.offer(try Self.opened(UInt64(number), number)) }
        for link in 1...8 as ClosedRange<UInt64> {
            for _ in 0..<255 { inbox.offer(Self.frame(link, bytes: 1_000)) }
            #expect(!inbox.isFull(for: LinkID(link)))
        }
        for _ in 0..<8 { inbox.offer(Self.frame(9, bytes: 1_000)) }
        #expect(inbox.isFull(for: LinkID(1)) && inbox.isFull(for: LinkID(9)) && !inbox.isFull(for: LinkID(10)))
        _ = inbox.settle(isSaturated: true)
        #expect(inbox.isFull(for: LinkID(10)))
        _ = inbox.settle(isSaturated: false)
        #expect(!inbox.isFull(for: LinkID(10)))
    }

    /// The end of a link comes after what was received on it, and whoever drains the inbox learns that more waits.
    @Test func whatAPeerSentBeforeTheEndComesBeforeIt() throws {
        let inbox = Inbox()
        let wakes = Mutex(0)
        inbox.onWake { wakes.withLock { $0 += 1 } }
        inbox.offer(try Self.opened(1, 1))
        for _ in 0..<50 { inbox.offer(Self.frame(1, bytes: 10_000)) }
        inbox.offer(.linkClosed(LinkID(1), .closed))
        inbox.offer(.networkChanged)
        #expect(wakes.withLock { $0 } == 1)
        var kinds: [String] = []
        var rounds = 0
        repeat {
            for case .input(let input) in inbox.take(at: 0) {
                switch input {
                case .linkOpened: kinds.append("begin")
                case .frameReceived: kinds.append("frame")
                case .linkClosed: kinds.append("end")
                default: kinds.append("own")
                }
            }
            rounds += 1
        } while inbox.settle(isSaturated: false) && rounds < 100
        #expect(kinds == ["begin", "own"] + [String](repeating: "frame", count: 50) + ["end"])
        // It was woken once.
        #expect((2...5).contains(rounds) && wakes.withLock { $0 } == 1)
    }

    /// A peer is named each 10 seconds while something of it waits without a break, and not after a pause.
    @Test func whatWaitsWithoutABreakIsTold() throws {
        let inbox = Inbox()
        inbox.offer(try Self.opened(1, 1))
        inbox.offer(try Self.opened(2, 2))
        func behind(at second: Int64) -> [PeerID] {
            inbox.take(at: second * 1_000).compactMap { item in
                if case .input(.behind(let peer)) = item { peer } else { nil }
            }
        }
        func send() { for _ in 0..<300 { inbox.offer(Self.frame(1, bytes: 1_000)) } }
        func drain(at second: Int64) { while inbox.settle(isSaturated: false) { #expect(behind(at: second).isEmpty) } }
        var told: [Int64] = []
        for second in 0..<35 as Range<Int64> {
            send()
            inbox.offer(Self.frame(2, bytes: 1_000))
            let named = behind(at: second)
            #expect(named.isEmpty || named == [Self.peer(1)])
            if !named.isEmpty { told.append(second) }
        }
        #expect(told == [10, 20, 30])
        drain(at: 36)
        for second in 37..<57 as Range<Int64> {
            send()
            #expect(behind(at: second).isEmpty)
            #expect(!inbox.isFull(for: LinkID(1)))
            drain(at: second)
        }
    }
}
