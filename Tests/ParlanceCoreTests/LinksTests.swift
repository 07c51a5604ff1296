import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceCore

/// Which links are found, and what follows from all sessions together.
@Suite struct LinksTests {
    private let ada: PeerID
    private let bob: PeerID

    init() throws {
        ada = try EngineBench.peer(1)
        bob = try EngineBench.peer(2)
    }

    private func link(_ number: UInt64, _ peer: PeerID, at now: Int64 = 0) -> Link {
        let opened = LinkOpened(
            link: LinkID(number),
            peer: peer,
            replica: EngineBench.replica(UInt8(number)),
            epoch: 1,
            dial: nil,
            remote: Endpoint(host: "10.0.0.2", port: 4747)
        )
        return Link(opened, at: Instant(monotonic: now, wall: now))
    }

    @Test func theNewestOpenLinkServesAPeer() {
        var links = Links()
        links.insert(link(3, ada, at: 10))
        links.insert(link(2, ada, at: 20))
        links.insert(link(1, bob, at: 30))
        #expect(links.main(of: ada)?.id == LinkID(2))
        #expect(links.open(with: ada).map(\.id) == [LinkID(2), LinkID(3)])
        let begins = links.change(LinkID(2)) { $0.beginClosing(because: nil) }
        #expect(begins == true)
        let beginsTwice = links.change(LinkID(2)) { $0.beginClosing(because: .lost) }
        #expect(beginsTwice == false)
        #expect(links.main(of: ada)?.id == LinkID(3))
        #expect(links.open.map(\.id) == [LinkID(1), LinkID(3)])
        #expect(links.all(with: ada).map(\.id) == [LinkID(2), LinkID(3)])
        let gone = links.remove(LinkID(3))
        #expect(gone?.peer == ada)
        #expect(links.main(of: ada) == nil)
        let goneTwice = links.remove(LinkID(3))
        #expect(goneTwice == nil)
        #expect(links.all(with: ada).map(\.id) == [LinkID(2)])
    }

    @Test func bytesOfAllSessionsCountAgainstTheWindowOfALink() {
        var links = Links()
        links.insert(link(1, ada))
        let id = LinkID(1)
        let log = LogID(author: bob, replica: EngineBench.replica(9))
        let conversations = [ConversationID(direct: ada, bob), ConversationID(direct: ada, ada)]
        for conversation in conversations {
            let changed: Void? = links.change(conversation, on: id) { $0.listed() }
            #expect(changed == nil, "it has no session yet")
            links.begin(conversation, on: id) { $0.opened(with: Clock()) }
            links.change(conversation, on: id) { $0.sent(log, through: 1, bytes: Limits.windowBytes / 2) }
        }
        #expect(links[id]?.unacknowledgedBytes == Limits.windowBytes)
        #expect(links[id]?.hasWindow == false)
        links.change(conversations[0], on: id) { $0.acknowledged(log, through: 1) }
        #expect(links[id]?.hasWindow == true)
        let freed = links.end(conversations[1], on: id)
        #expect(freed == Limits.windowBytes / 2)
        #expect(links[id]?.unacknowledgedBytes == 0)
        #expect(links.session(of: conversations[1], on: id) == nil)
        let freedTwice = links.end(conversations[1], on: id)
        #expect(freedTwice == 0)
        #expect(links.open(in: conversations[0]).map(\.id) == [id])
        #expect(links.first(openIn: conversations[0]) { (0, $0) }?.link == id)
        #expect(links.first(openIn: conversations[1]) { (0, $0) } == nil)
        #expect(links.open(in: conversations[1]).isEmpty)
    }

    /// The first peer by a rank, and its first link, without looking at links that are being closed.
    @Test func theFirstOpenPeerIsTheLeastOfAll() {
        var links = Links()
        let conversation = ConversationID(direct: ada, bob)
        for (number, peer) in [(4, ada), (3, ada), (2, bob), (1, bob)] as [(UInt64, PeerID)] {
            links.insert(link(number, peer))
            links.begin(conversation, on: LinkID(number)) { $0.opened(with: Clock()) }
        }
        for nearest in [ada, bob] {
            let rank = { (peer: PeerID) in (peer == nearest ? 0 : 1, peer) }
            let least = links.open(in: conversation).min { rank($0.peer) < rank($1.peer) }
            #expect(links.first(openIn: conversation, by: rank)?.link == least?.id)
        }
        links.change(LinkID(1)) { $0.beginClosing(because: nil) }
        #expect(links.first(openIn: conversation) { ($0 == bob ? 0 : 1, $0) }?.link == LinkID(2))
    }

    @Test func aLinkForWhichTooManyReadsFailIsClosed() throws {
        var links = Links()
        links.insert(link(1, ada))
        var turn = try Turn.made()
        let key = LogKey(ConversationID(direct: ada, bob), LogID(author: bob, replica: EngineBench.replica(9)))
        func fail(_ number: Int) {
            let failed = FailedRead(read: ReadID(UInt64(number)), purpose: .push(LinkID(1), key))
            links.readFailed(failed, on: LinkID(1), &turn)
        }
        for number in 0..<Limits.failedReads { fail(number) }
        #expect(links[LinkID(1)]?.closing == false)
        #expect(turn.deadlines[.reread(LinkID(1))] == turn.now.monotonic + Limits.rereadMilliseconds)
        #expect(links.takeFailedReads(on: LinkID(1)).count == Limits.failedReads)
        for number in 0...Limits.failedReads { fail(number) }
        #expect(links[LinkID(1)]?.closing == true)
    }
}
