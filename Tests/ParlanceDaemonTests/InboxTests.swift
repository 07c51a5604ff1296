import ParlanceCore
import ParlanceWire
import Synchronization
import Testing

@testable import ParlanceDaemon

/// What peers send is handled in turns by its cost, so that one peer's flood delays others by a round (sync.md, "One
/// peer's flood").
@Suite struct InboxTests {
    private static func peer(_ number: UInt8) -> PeerID { PeerID(value: Bytes32 { $0.copyBytes(from: [number]) }) }

    @Test func aFloodDelaysOthersByOneRound() {
        var queue = FairQueue<String>()
        for number in 0..<1_000 { queue.add("flood \(number)", cost: 20_000, bytes: 20_000, of: Self.peer(1)) }
        queue.add("hello", cost: 300, bytes: 300, of: Self.peer(2))
        #expect(queue.take(at: 0).taken == ["flood 0", "hello"])
        // What it did not use of its share counts in the next round.
        #expect(queue.take(at: 0).taken == ["flood 1", "flood 2"])
        queue.add("again", cost: 300, of: Self.peer(2))
        #expect(queue.take(at: 0).taken.last == "again")
        #expect(queue.count == 1_000 - 4 && queue.bytes == 20_000 * queue.count)
    }

    @Test func whatIsLargerThanAShareComesToo() {
        var queue = FairQueue<String>()
        let cost = 10 * FairQueue<String>.quantum
        queue.add("large", cost: cost, of: Self.peer(1))
        queue.add("next", cost: 1, of: Self.peer(1))
        #expect(queue.take(at: 0).taken == ["large"])
        for _ in 0..<2 { queue.add("large", cost: cost, of: Self.peer(1)) }
        var rounds = 0
        while !queue.isEmpty {
            queue.add("small", cost: 1, of: Self.peer(2))
            rounds += queue.take(at: 0).taken.contains("large") ? 0 : 1
            if rounds > 100 { break }
        }
        #expect((17...19).contains(rounds), "others were served \(rounds) times before and between")
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
            for peer in 0..<5 where next[peer] - expected[peer] < 20 { for _ in 0..<40 { fill(peer) } }
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
        #expect(links.count { $0 == 5 } == 1 && (20...40).contains(links.count))
        inbox.settle(isSaturated: false)
        #expect(resumed.withLock { $0 } == 0)
        for _ in 0..<100 { _ = inbox.take(at: 0) }
        inbox.settle(isSaturated: false)
        #expect(resumed.withLock { $0 } == 4)
    }

    /// The end of a link comes after what was received on it, and the node is woken until all is handed out.
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
        while kinds.last != "end", rounds < 100 {
            for case .input(let input) in inbox.take(at: 0) {
                switch input {
                case .linkOpened: kinds.append("begin")
                case .frameReceived: kinds.append("frame")
                case .linkClosed: kinds.append("end")
                default: kinds.append("own")
                }
            }
            rounds += 1
            inbox.settle(isSaturated: false)
        }
        #expect(kinds == ["own", "begin"] + [String](repeating: "frame", count: 50) + ["end"])
        #expect(wakes.withLock { $0 } == rounds && rounds > 10)
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
        var told: [Int64] = []
        for second in 0..<35 as Range<Int64> {
            for _ in 0..<60 { inbox.offer(Self.frame(1, bytes: 1_000)) }
            inbox.offer(Self.frame(2, bytes: 1_000))
            let named = behind(at: second)
            #expect(named.isEmpty || named == [Self.peer(1)])
            if !named.isEmpty { told.append(second) }
        }
        #expect(told == [10, 20, 30])
        for _ in 0..<100 { #expect(behind(at: 36).isEmpty) }
        for second in 37..<47 as Range<Int64> {
            inbox.offer(Self.frame(1, bytes: 40_000))
            inbox.offer(Self.frame(1, bytes: 1_000))
            #expect(behind(at: second).isEmpty)
        }
    }
}
