import Foundation
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// What is told of a workspace's charter on one link: what counts before it has come, what ends the link, and how much goes
/// at once (charter.md, "Who hands on what", "Adoption").
@Suite struct CharterLinkTests {
    private func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    /// Ada's charter, and its creation.
    private static func founded() throws -> (id: ConversationID, creation: StoredEvent) {
        var ada = try CharterWriter(people: 1)
        let creation = ada.create()
        return (ada.id, creation)
    }

    /// A node that joined by a code which names Ada's charter, of which nothing has come yet.
    private func joined(_ charter: ConversationID, _ peers: [RemotePeer]) throws -> EngineBench {
        var bench = try EngineBench(peers: peers.map { $0.record(.unknown) })
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1), CharterPrefix(of: charter))))
        return bench
    }

    private func link(_ number: UInt64, with peer: RemotePeer, _ bench: inout EngineBench) {
        bench.opened(number, with: peer, workspaceTag: key(1).tag)
        bench.received(peer.hello(), on: number)
    }

    private func frame(_ charter: ConversationID, _ events: [StoredEvent] = [], waits: Bool = false)
        -> WireFrame.OneOf_Kind
    {
        var frame = WireCharterEvents()
        (frame.charter, frame.hash, frame.more, frame.waits) = (Data(charter.bytes), Data(count: 8), waits, waits)
        frame.events = events.map(\.wire)
        return .charterEvents(frame)
    }

    private func told(_ bench: inout EngineBench, on link: UInt64) -> [WireCharterEvents] {
        bench.takeFrames(on: link).compactMap { if case .charterEvents(let told) = $0 { told } else { nil } }
    }

    /// Whoever has the key could otherwise give a new member a key of its own, and leave the admins out for ever.
    @Test func beforeTheCharterHasComeNobodyIsAcceptedAndNoKeyTaken() throws {
        let bob = try RemotePeer()
        let (charter, creation) = try Self.founded()
        var bench = try joined(charter, [bob])
        link(1, with: bob, &bench)
        #expect(bench.disk.peers[bob.identity]?.isAccepted != true)
        var stolen = WireWorkspaceKey()
        stolen.key = key(9).secret.withBytes { Data($0) }
        stolen.number = 1_000
        stolen.removed = [Data(creation.header.log.author.bytes)]
        bench.received(.workspaceKey(stolen), on: 1)
        #expect(bench.disk.snapshot.workspace?.keys.map(\.hash) == [key(1).hash])
        #expect(bench.disk.snapshot.workspace?.leftOut == [])
        bench.received(frame(charter, [creation]), on: 1)
        #expect(bench.disk.snapshot.workspace?.charter?.title.isEmpty == false)
        #expect(bench.disk.peers[bob.identity]?.isAccepted == true)
    }

    /// Whoever tells its own exclusion knows it, and answers nothing any more: for as long as its link lasted, its user would
    /// read that somebody is here, and that members talk to them no more.
    @Test func whoTellsItsOwnExclusionIsRefusedAtOnce() throws {
        let bob = try RemotePeer()
        var ada = try CharterWriter(people: 3)
        let creation = ada.create(by: 2)
        let exclusion = ada.change(.exclude, [bob.identity], by: 2, after: [creation.id], [])
        var bench = try joined(ada.id, [bob])
        link(1, with: bob, &bench)
        bench.received(frame(ada.id, [creation, exclusion]), on: 1)
        #expect(bench.disk.snapshot.workspace?.charter?.isExcluded(bob.identity) == true)
        #expect(bench.closed == [LinkID(1)])
    }

    @Test func anotherCharterOnTheSameLinkIsABreach() throws {
        let bob = try RemotePeer()
        let charter = try Self.founded().id
        var bench = try joined(charter, [bob])
        link(1, with: bob, &bench)
        bench.received(frame(charter), on: 1)
        #expect(bench.closed.isEmpty)
        bench.received(frame(ConversationID(value: .zero)), on: 1)
        #expect(bench.closed == [LinkID(1)])
    }

    /// What waits for a link has an end, so what a peer is told goes in parts; the next goes when it has answered.
    @Test func muchGoesInParts() throws {
        let creation = try Self.founded().creation
        var exchange = CharterExchange()
        let count = 5 * Limits.charterPartBytes / (2 * creation.byteCount)
        exchange.owe(Array(repeating: creation, count: count))
        var parts: [Int] = []
        while exchange.owes { parts.append(exchange.takeOwed().count) }
        #expect(parts.count == 3 && parts.reduce(0, +) == count)
        #expect(parts.allSatisfy { $0 * creation.byteCount < Limits.charterPartBytes + creation.byteCount })
    }

    /// Whoever is not accepted is read 16 KiB at a time, so a frame is never larger than that.
    @Test func framesAreSmallEnoughForAnybody() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try bench.ask(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16))))
        for number in 0..<12 {
            let value = String(repeating: "\(number % 10)", count: 250)
            _ = try bench.ask(.workspace(.change(.policy(name: "name_\(number)", value: value), who: []))).get()
        }
        let charter = try #require(bench.disk.snapshot.workspace?.charter)
        link(1, with: bob, &bench)
        bench.received(frame(charter.id), on: 1)
        let frames = told(&bench, on: 1)
        #expect(frames.reduce(0) { $0 + $1.events.count } == charter.events.count)
        #expect(frames.count > 2 && frames.dropFirst().dropLast().allSatisfy { $0.more })
        #expect(frames.allSatisfy { $0.bytes <= Limits.charterFrameBytes && !$0.waits })
    }

    /// A part that is not the last is answered, so that the peer goes on.
    @Test func aPartIsAnswered() throws {
        let bob = try RemotePeer()
        let (charter, creation) = try Self.founded()
        var bench = try joined(charter, [bob])
        link(1, with: bob, &bench)
        bench.received(frame(charter), on: 1)
        _ = told(&bench, on: 1)
        bench.received(frame(charter, [creation], waits: true), on: 1)
        #expect(told(&bench, on: 1).first?.events.isEmpty == true)
        #expect(bench.disk.snapshot.workspace?.charter?.contains(creation.id) == true)
    }
}

extension WireCharterEvents {
    fileprivate var bytes: Int { events.reduce(0) { $0 + $1.header.count + $1.body.count + $1.signature.count } }
}
