import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire

// Frames of peers that make a node write.
extension UndoneCase {
    static let frames: [UndoneCase] = [
        UndoneCase("events") { office in
            office.people.bob.write("more", to: office.bench.identity)
            let run = office.people.bob.log
            office.bench.received(office.people.bob.events(office.ours.conversation, run), on: office.link)
        },
        UndoneCase("events of a group") { office in
            var bob = try RemotePeer(2, replica: 0x42)
            let event = bob.write("hello, crew", to: office.bench.identity, in: office.group)
            office.bench.received(bob.events(office.group, [event]), on: office.link)
        },
        UndoneCase("an invitation") { office in
            var bob = try RemotePeer(2, replica: 0x42)
            var body = WireCreateBody()
            body.nonce = Data(repeating: 5, count: 16)
            body.title = "Bob's"
            body.members = [office.bench.identity, office.people.dan.identity].map { peer in
                var member = WireMember()
                member.id = Data(peer.bytes)
                return member
            }
            let bytes = body.encodedBytes()
            let group = ConversationID(creator: bob.identity, creation: bytes)
            let event = bob.append(bytes, in: group, kind: .create)
            office.bench.received(bob.invite(group, [event]), on: office.link)
        },
        UndoneCase("a request") { office in
            office.bench.opened(office.link + 5, with: office.people.dan)
            office.bench.received(office.people.dan.hello("Dan"), on: office.link + 5)
            office.bench.received(office.people.dan.request("hello, I am Dan"), on: office.link + 5)
        },
        UndoneCase("an answer") { office in
            office.bench.received(office.people.bob.answer(to: office.bench.identity), on: office.link)
        },
        UndoneCase("a refusal") { office in
            office.bench.received(office.people.bob.refuse(office.ours.conversation, .blocked), on: office.link)
        },
        UndoneCase("a name") { office in
            // A name that is learnt on a link that opens is written a little later.
            office.bench.feed(.linkClosed(LinkID(office.link), .closed))
            office.link += 1
            office.bench.opened(office.link, with: office.people.bob)
            office.bench.received(office.people.bob.hello("Robert"), on: office.link)
            office.bench.pass(100)
        },
        UndoneCase("prekeys") { office in
            var keys = WirePrekeys()
            keys.daily = Data(repeating: 1, count: 32)
            keys.made = UInt64(office.bench.now.wall)
            let signed = [0x0D] + [UInt8](keys.daily) + keys.made.bigEndianBytes
            keys.signature = Data(office.people.bob.key.sign(signed))
            office.bench.received(.prekeys(keys), on: office.link)
            office.bench.pass(100)
        },
        UndoneCase("a deposit") { office in
            office.bench.received(.deposit(deposit(for: office.people.fay.identity, 1, office)), on: office.link)
        },
        UndoneCase("a deposit that replaces another") { office in
            let first = deposit(for: office.people.fay.identity, 1, office)
            office.bench.received(.deposit(first), on: office.link)
            office.envelope = first.envelope
        } act: { office in
            var second = deposit(for: office.people.fay.identity, 2, office)
            second.replaces = Data(office.envelope.id.bytes)
            office.bench.received(.deposit(second), on: office.link)
        },
        UndoneCase("that a courier holds it") { office in
            // The envelope that goes out uses up Fay's only one-time key.
            _ = try office.bench.ask(.send(who: "Fay", text: "later")).get()
            office.bench.pass(3_000)
            office.takeDeposit()
        } act: { office in
            var held = WireDeposited()
            held.envelope = Data(office.envelope.id.bytes)
            held.held = true
            office.bench.received(.deposited(held), on: office.link)
        },
        UndoneCase("that an envelope was taken") { office in
            office.bench.opened(5, with: office.people.fay)
            office.bench.received(office.people.fay.hello("Fay"), on: 5)
            var fay = office.people.fay.record(name: "Fay")
            fay.isCourier = true
            _ = try office.bench.ask(.setCourier(who: "Fay", true)).get()
            let deposit = deposit(for: office.people.bob.identity, 1, office)
            office.bench.received(.deposit(deposit), on: 5)
            office.envelope = deposit.envelope
        } act: { office in
            var taken = WireTaken()
            taken.envelope = Data(office.envelope.id.bytes)
            taken.signature = Data(office.people.bob.key.sign([0x10] + office.envelope.id.bytes))
            office.bench.received(.taken(taken), on: office.link)
        },
        UndoneCase("a workspace key", inWorkspace: true) { office in
            var frame = WireWorkspaceKey()
            frame.key = key(2).secret.withBytes { Data($0) }
            frame.number = 2
            frame.removed = [Data(office.people.eve.identity.bytes)]
            office.bench.received(.workspaceKey(frame), on: office.link)
        },
        UndoneCase("a member of the workspace", inWorkspace: true) { office in
            office.bench.opened(office.link + 5, with: office.people.dan, workspaceTag: key(1).tag)
            office.bench.received(office.people.dan.hello("Dan"), on: office.link + 5)
        },
    ]

    private static func deposit(for recipient: PeerID, _ number: UInt8, _ office: Office) -> WireDeposit {
        var deposit = WireDeposit()
        deposit.envelope.recipient = Data(recipient.bytes)
        deposit.envelope.prekey = Data(repeating: 1, count: 32)
        deposit.envelope.ephemeral = Data(repeating: number, count: 32)
        deposit.envelope.expires = UInt64(EngineBench.start.wall + Limits.envelopeMilliseconds)
        deposit.envelope.sealed = Data(repeating: number, count: 100)
        return deposit
    }
}
