import ParlanceRecords
import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceCore

/// The couriers component, without an engine.
@Suite struct CourierRoomTests {
    private let bob = PeerID(value: Bytes32(hashing: [2], domain: 0))
    private let eve = PeerID(value: Bytes32(hashing: [3], domain: 0))

    private func couriers() -> Couriers {
        let entropy = SecretBytes(copying: [UInt8](repeating: 9, count: 32))
        let stored = StoredTables(EngineSnapshot(profile: ProfileRecord(name: "Ada")))
        return Couriers(entropy: entropy, stored, RunningTime(before: 0, at: Instant(monotonic: 0, wall: 0)))
    }

    private func people(_ own: PeerID, couriers: Set<PeerID>) -> People {
        let records = [bob, eve].map { peer in
            var record = PeerRecord(id: peer)
            record.trust = .accepted
            record.isCourier = couriers.contains(peer)
            return record
        }
        return People(own: own, Contacts(records), Conversations(), nil, AddressBook())
    }

    private func link(_ number: UInt64, to peer: PeerID) throws -> Link {
        let opened = LinkOpened(
            link: LinkID(number),
            peer: peer,
            replica: try #require(ReplicaID([UInt8](repeating: 2, count: ReplicaID.count))),
            epoch: 1,
            dial: nil,
            remote: Endpoint(host: "10.0.0.2", port: 4747)
        )
        var link = Link(opened, at: Instant(monotonic: 5_000, wall: 5_000))
        link.greeted(WireHello(), at: 1_700_000_000_000)
        return link
    }

    private func envelope(_ number: UInt8, from depositor: PeerID, to recipient: PeerID, _ turn: Turn) -> StoredEnvelope
    {
        let record = EnvelopeRecord(
            id: EnvelopeID(value: Bytes32(hashing: [number], domain: 0)),
            depositor: depositor,
            recipient: recipient,
            expires: turn.now.wall + 1_000,
            byteCount: 100
        )
        return StoredEnvelope(record: record, bytes: [number])
    }

    @Test func anEnvelopeIsKeptForSomebodyAcceptedFromACourier() throws {
        var (couriers, turn) = (couriers(), try Turn.made())
        let envelope = envelope(1, from: bob, to: eve, turn)
        let link = try link(1, to: bob)
        let strangers = people(turn.own.identity, couriers: [])
        let refused = couriers.deposit(envelope, replacing: nil, on: link, strangers, &turn)
        #expect(refused == [.depositRefused(on: link.id, envelope.record.id)])
        let people = people(turn.own.identity, couriers: [bob])
        #expect(couriers.deposit(envelope, replacing: nil, on: link, people, &turn) == [])
        #expect(turn.batch.rows.envelopes == [envelope])
        #expect(couriers.isCarried(envelope.record.id))
        #expect(couriers.deposit(envelope, replacing: nil, on: link, people, &turn) == [], "it is confirmed again")
        #expect(turn.batch.rows.envelopes.count == 1)
    }

    @Test func oneEnvelopeIsHandedOverAtATimeOnceItIsDurable() throws {
        var (couriers, turn) = (couriers(), try Turn.made())
        let people = people(turn.own.identity, couriers: [bob])
        let toEve = try link(2, to: eve)
        let envelopes = [1, 2].map { envelope($0, from: bob, to: eve, turn) }
        for envelope in envelopes {
            _ = couriers.deposit(envelope, replacing: nil, on: try link(1, to: bob), people, &turn)
        }
        #expect(couriers.handOver(on: toEve, [:], isAgain: false, people) == nil)
        let durable = Dictionary(uniqueKeysWithValues: envelopes.map { ($0.record.id, $0.record) })
        let offered = couriers.handOver(on: toEve, durable, isAgain: false, people)
        let first = try #require(offered)
        #expect(couriers.handOver(on: toEve, durable, isAgain: false, people) == nil)
        #expect(couriers.handOver(on: toEve, durable, isAgain: true, people) == first)
        couriers.taken(first, on: toEve, &turn)
        #expect(turn.batch.rows.erasedEnvelopes == [first])
        let second = couriers.handOver(on: toEve, durable, isAgain: false, people)
        #expect(second != nil && second != first)
    }

    /// Somebody who has used up what is taken of them in a day holds up nobody else.
    @Test func anEnvelopeWithoutRoomIsPassedOver() throws {
        var (couriers, turn) = (couriers(), try Turn.made())
        let people = people(turn.own.identity, couriers: [bob])
        let toEve = try link(2, to: eve)
        let envelopes = [1, 2].map { envelope($0, from: bob, to: eve, turn) }
        for envelope in envelopes {
            _ = couriers.deposit(envelope, replacing: nil, on: try link(1, to: bob), people, &turn)
        }
        let durable = Dictionary(uniqueKeysWithValues: envelopes.map { ($0.record.id, $0.record) })
        let offered = couriers.handOver(on: toEve, durable, isAgain: false, people)
        let first = try #require(offered)
        let second = try #require(envelopes.map(\.record.id).first { $0 != first })
        let isOther = couriers.postpone(second, on: toEve)
        #expect(!isOther, "it was not handed over")
        let isPostponed = couriers.postpone(first, on: toEve)
        #expect(isPostponed)
        #expect(couriers.handOver(on: toEve, durable, isAgain: false, people) == second)
        couriers.taken(second, on: toEve, &turn)
        #expect(couriers.handOver(on: toEve, durable, isAgain: false, people) == nil)
        #expect(couriers.isCarried(first))
        #expect(couriers.handOver(on: toEve, durable, isAgain: true, people) == first)
    }

    @Test func aCourierThatDeclinesIsNotAskedAgainOnThatLink() throws {
        var couriers = couriers()
        let turn = try Turn.made()
        let people = people(turn.own.identity, couriers: [bob])
        var links = Links()
        links.insert(try link(1, to: bob))
        #expect(couriers.chosen(for: eve, [], through: 3, links, people).map(\.peer) == [bob])
        let envelope = EnvelopeID(value: Bytes32(hashing: [1], domain: 0))
        let record = DepositRecord(
            courier: bob.bytes,
            envelope: envelope.bytes,
            oneTime: [],
            replica: turn.own.replica.bytes,
            through: 3,
            expires: turn.now.wall + 1_000
        )
        let pending = PendingDeposit(recipient: eve, record: record)
        couriers.ask(LinkID(1), toKeep: envelope, pending)
        #expect(couriers.chosen(for: eve, [], through: 3, links, people) == [], "it is asked already")
        #expect(couriers.answered(envelope, isHeld: false, on: LinkID(1)) == pending)
        #expect(couriers.answered(envelope, isHeld: false, on: LinkID(1)) == nil)
        #expect(couriers.chosen(for: eve, [], through: 3, links, people) == [])
        #expect(couriers.linkClosed(LinkID(1)) == [])
        #expect(couriers.chosen(for: eve, [], through: 3, links, people).map(\.peer) == [bob])
    }

    @Test func aPeerIsGivenOneKeyOfTheDayAndItsOwnKeys() throws {
        var (couriers, turn) = (couriers(), try Turn.made())
        #expect(couriers.renewPrekeys(for: bob, &turn) == true)
        #expect(couriers.renewPrekeys(for: bob, &turn) == false)
        let ofBob = try #require(couriers.prekeys(for: bob, turn.now))
        #expect(ofBob.oneTime.count == Limits.oneTimePrekeys)
        #expect(couriers.renewPrekeys(for: eve, &turn) == true)
        let ofEve = try #require(couriers.prekeys(for: eve, turn.now))
        #expect(ofEve.daily == ofBob.daily)
        #expect(Set(ofEve.oneTime.map(\.id)).isDisjoint(with: ofBob.oneTime.map(\.id)))
        #expect(turn.batch.rows.prekeys.count == 1 + 2 * Limits.oneTimePrekeys)
    }
}
