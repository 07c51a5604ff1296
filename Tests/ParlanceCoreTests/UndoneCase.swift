import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// An action that makes a node write to its disk, to be tried with a disk that refuses.
struct UndoneCase: Sendable, CustomTestStringConvertible {
    /// The people that the node knows: Bob is accepted, Cyd asks to talk, Dan is a stranger, Eve is blocked, and Fay is
    /// accepted and away.
    struct People {
        var bob: RemotePeer
        var cyd: RemotePeer
        var dan: RemotePeer
        var eve: RemotePeer
        var fay: RemotePeer

        init() throws {
            bob = try RemotePeer(2, replica: 0x42)
            cyd = try RemotePeer(3, replica: 0x43)
            dan = try RemotePeer(4, replica: 0x44)
            eve = try RemotePeer(5, replica: 0x45)
            fay = try RemotePeer(6, replica: 0x46)
        }
    }

    /// A node with the people around it, and what a case has prepared.
    struct Office {
        var bench: EngineBench
        var people: People
        /// A message of Bob's, and one of the local node's.
        var theirs: StoredEvent
        var ours: SentMessage
        /// A group with Bob.
        var group: ConversationID
        var link: UInt64 = 1
        /// An envelope that the case keeps for its action.
        var envelope = WireEnvelope()
    }

    let testDescription: String
    var workspaceTag: UInt32?
    var prepare: @Sendable (inout Office) throws -> Void = { _ in }
    let act: @Sendable (inout Office) throws -> Void

    init(
        _ name: String,
        inWorkspace: Bool = false,
        prepare: @escaping @Sendable (inout Office) throws -> Void = { _ in },
        act: @escaping @Sendable (inout Office) throws -> Void
    ) {
        testDescription = name
        workspaceTag = inWorkspace ? Self.key(1).tag : nil
        self.prepare = prepare
        self.act = act
    }

    static func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    /// A command of the node's user.
    static func command(
        _ name: String,
        inWorkspace: Bool = false,
        before: [Command] = [],
        _ command: @escaping @Sendable (Office) -> Command
    ) -> UndoneCase {
        UndoneCase(name, inWorkspace: inWorkspace) { office in
            for command in before { _ = try office.bench.ask(command).get() }
        } act: { office in
            office.bench.give(command(office))
        }
    }

    func office() throws -> Office {
        var people = try People()
        var bob = people.bob.record()
        bob.isCourier = true
        var cyd = people.cyd.record(.unknown, name: "Cyd")
        cyd.request = RequestRecord(preview: "may I?", time: 1, host: "10.0.0.3")
        var eve = people.eve.record(.blocked, name: "Eve")
        eve.trustBefore = .unknown
        var fay = people.fay.record(name: "Fay")
        var keys = WirePrekeys()
        keys.daily = Data(try X25519KeyPair(secret: SecretBytes(copying: [UInt8](repeating: 9, count: 32))).publicKey)
        keys.made = UInt64(EngineBench.start.wall)
        keys.oneTime = [
            Data(try X25519KeyPair(secret: SecretBytes(copying: [UInt8](repeating: 8, count: 32))).publicKey)
        ]
        fay.prekeys = keys.encodedBytes()
        let dan = people.dan.record(.unknown, name: "Dan")
        var bench = try EngineBench(peers: [bob, cyd, dan, eve, fay])
        if workspaceTag != nil { _ = try bench.ask(.workspace(.join(name: "Ship", Self.key(1)))) }
        let nonce = [UInt8](repeating: 7, count: 16)
        guard
            case .success(.group(let group)) = try bench.ask(.createGroup(title: "Crew", who: ["Bob"], nonce: nonce)),
            case .success(.sent(let ours)) = try bench.ask(.send(who: "Bob", text: "how are you?"))
        else { throw EngineBench.Unexpected(what: "no group, or no message") }
        let theirs = people.bob.write("hello", to: bench.identity)
        var office = Office(bench: bench, people: people, theirs: theirs, ours: ours, group: group.conversation)
        connect(&office)
        office.bench.received(people.bob.events(theirs.header.conversation, [theirs]), on: office.link)
        try prepare(&office)
        office.bench.pass(5_000)
        _ = office.bench.takeEffects()
        return office
    }

    /// Opens a link with Bob and all conversations on it.
    func connect(_ office: inout Office) {
        let (bob, direct) = (office.people.bob, office.ours.conversation)
        office.bench.opened(office.link, with: bob, workspaceTag: workspaceTag)
        office.bench.received(bob.hello(), on: office.link)
        office.bench.received(bob.summary(of: [(direct, Clock()), (office.group, Clock())]), on: office.link)
        for conversation in [direct, office.group] {
            office.bench.received(bob.clock(conversation, Clock()), on: office.link)
        }
    }

    /// Bob comes back after the node has closed its links.
    func connectAgain(_ office: inout Office) {
        for link in 1...office.link { office.bench.feed(.linkClosed(LinkID(link), .closed)) }
        office.link += 10
        connect(&office)
        office.bench.pass(5_000)
        office.takeDeposit()
        _ = office.bench.takeEffects()
    }
}

extension UndoneCase {
    static let commands: [UndoneCase] = [
        command("send") { _ in .send(who: "Bob", text: "lost") },
        command("send to a stranger") { _ in .send(who: "Dan", text: "hello") },
        command("send to a group") { _ in .send(who: "Crew", text: "hello") },
        command("reply") { office in .reply(office.theirsReference, text: "well") },
        command("edit") { office in .edit(office.oursReference, text: "how do you do?") },
        command("delete") { office in .delete(office.oursReference) },
        command("react") { office in .react(office.theirsReference, emoji: "👍", removed: false) },
        command("create a group") { _ in
            .createGroup(title: "Deck", who: ["Bob", "Dan"], nonce: [UInt8](repeating: 8, count: 16))
        },
        command("add") { _ in .changeGroup(who: "Crew", .add(["Dan"])) },
        command("remove") { _ in .changeGroup(who: "Crew", .remove(["Bob"])) },
        command("appoint") { _ in .changeGroup(who: "Crew", .appoint(["Bob"])) },
        command("dismiss", before: [.changeGroup(who: "Crew", .appoint(["Bob"]))]) { _ in
            .changeGroup(who: "Crew", .dismiss(["Bob"]))
        },
        command("leave", before: [.changeGroup(who: "Crew", .appoint(["Bob"]))]) { _ in
            .changeGroup(who: "Crew", .leave)
        },
        command("rename") { _ in .changeGroup(who: "Crew", .rename("Deck")) },
        command("topic") { _ in .changeGroup(who: "Crew", .topic("lunch")) },
        command("cancel", before: [.send(who: "Fay", text: "wait")]) { office in
            .cancel(
                LogID(author: office.bench.identity, replica: EngineBench.ownReplica),
                conversation: ConversationID(direct: office.bench.identity, office.people.fay.identity),
                sequence: 1
            )
        },
        command("read") { _ in .read(who: "Bob") },
        command("accept") { _ in .accept(who: "Cyd") },
        command("decline") { _ in .decline(who: "Cyd") },
        command("block") { _ in .block(who: "Bob") },
        command("unblock") { _ in .unblock(who: "Eve") },
        command("verify") { _ in .verify(who: "Bob", true) },
        command("forget") { _ in .forget(who: "Bob") },
        command("courier") { _ in .setCourier(who: "Fay", true) },
        command("alias") { _ in .setAlias(who: "Bob", alias: "Bobby") },
        command("name") { _ in .setName("Ada the Great") },
        command("presence") { _ in .setPresence(.busy, text: "at sea") },
        command("pin") { _ in .setPreference(who: "Crew", .pin(true)) },
        command("unpin", before: [.setPreference(who: "Crew", .pin(true))]) { _ in
            .setPreference(who: "Crew", .pin(false))
        },
        command("mute") { _ in .setPreference(who: "Bob", .mute(milliseconds: 60_000)) },
        command("disappear") { _ in .setLifetime(who: "Crew", seconds: 86_400) },
        command("join") { _ in .workspace(.join(name: "Ship", key(1))) },
        command("leave the workspace", inWorkspace: true) { _ in .workspace(.leave) },
        command("rotate", inWorkspace: true) { _ in .workspace(.rotate(key(2), without: ["Eve"])) },
    ]
}

extension UndoneCase.Office {
    /// Keeps the last envelope that the node sends on the link.
    mutating func takeDeposit() {
        for case .deposit(let deposit) in bench.takeFrames(on: link) { envelope = deposit.envelope }
    }

    var theirsReference: MessageReference {
        MessageReference(
            conversation: ours.conversation,
            event: EventReference(log: theirs.header.log, sequence: theirs.header.sequence, id: theirs.id)
        )
    }

    var oursReference: MessageReference {
        let own = LogID(author: bench.identity, replica: EngineBench.ownReplica)
        return MessageReference(
            conversation: ours.conversation,
            event: EventReference(log: own, sequence: ours.sequence, id: ours.id)
        )
    }
}
