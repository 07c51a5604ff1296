import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceStore
import ParlanceTestKit
import ParlanceWire
import Testing

/// Rows that replace others are read back as they were written.
@Suite struct RecordTests {
    @Test func peersComeBackWhole() throws {
        var random = SeededGenerator(seed: 21)
        let office = try Office(seed: 21)
        var peers = (0..<20).map { _ in PeerRecord(id: PeerID(value: random.bytes32())) }.sorted { $0.id < $1.id }
        for (index, trust) in zip(peers.indices, Trust.allCases) { fill(&peers[index], trust, &random) }
        try save(peers, office)
        #expect(try office.test.store.snapshot().peers == peers)
        // Rows are replaced, and emptied again.
        peers[3] = PeerRecord(id: peers[3].id)
        fill(&peers[10], .verified, &random)
        try save([peers[3], peers[10]], office)
        try office.test.reopen()
        #expect(try office.test.store.snapshot().peers == peers)
    }

    private func save(_ peers: [PeerRecord], _ office: Office) throws {
        var batch = PersistBatch(id: BatchID(1))
        batch.peers = peers
        _ = try office.test.store.persist(batch)
    }

    private func fill(_ peer: inout PeerRecord, _ trust: Trust, _ random: inout SeededGenerator) {
        peer.trust = trust
        peer.announcedName = "Zoë \"O'Neil\" 🙂"
        peer.pinnedName = "Zoë"
        peer.alias = ""
        peer.lastSeen = -5
        for _ in 0..<20 { peer.hours.note(Int64.random(in: 0..<1_000_000_000, using: &random)) }
        peer.epochs = [random.replica(): 1, random.replica(): .max]
        peer.addresses = [Endpoint(host: "fe80::1%eth0", port: 4747), Endpoint(host: "b.local", port: .max)]
        peer.request = RequestRecord(preview: "Hello\n", time: 1_760_000_000_000, host: "10.0.0.1")
        peer.answerReceived = random.bytes(80)
        peer.answerGiven = []
        peer.refusedThrough = 7
        peer.declined = 1_760_000_000_001
        peer.trustBefore = trust
        peer.isCourier = true
        peer.prekeys = random.bytes(120)
        peer.deposits = [
            DepositRecord(
                courier: random.bytes(32),
                envelope: random.bytes(32),
                oneTime: [],
                replica: random.bytes(16),
                through: 1 << 52,
                expires: 1_760_000_000_002
            )
        ]
        peer.signedAddresses = [1, 2, 3]
    }

    @Test func profileIsReplaced() throws {
        let office = try Office(seed: 22)
        var batch = PersistBatch(id: BatchID(1))
        batch.profile = ProfileRecord(name: "Grace", activity: .busy, statusText: "in a meeting")
        _ = try office.test.store.persist(batch)
        try office.test.reopen()
        #expect(try office.test.store.snapshot().profile == batch.profile)
    }

    @Test func preferencesAreReplacedAndDropped() throws {
        var random = SeededGenerator(seed: 26)
        let office = try Office(seed: 26)
        let peer = PeerID(value: random.bytes32())
        let other = ConversationRecord(id: ConversationID(direct: office.test.me, peer), kind: .direct(peer))
        try office.test.persist(conversations: [other], [])
        var (pinned, muted) = (Preference(), Preference())
        pinned.isPinned = true
        muted.mute = .always
        var until = pinned
        until.mute = .until(1_760_000_000_000)
        until.quiet = DayPart(start: 22 * 60, end: 7 * 60)
        until.retention = 7_776_000_000
        until.unlisted = .deleted
        muted.unlisted = .hidden
        for (here, there) in [(pinned, muted), (until, Preference()), (Preference(), Preference())] {
            var batch = PersistBatch(id: BatchID(1))
            batch.preferences = [
                PreferenceRecord(conversation: office.conversation.id, preference: here),
                PreferenceRecord(conversation: other.id, preference: there),
            ]
            _ = try office.test.store.persist(batch)
            try office.test.reopen()
            let wanted = batch.preferences.filter { $0.preference != Preference() }
                .sorted { $0.conversation < $1.conversation }
            #expect(try office.test.store.snapshot().preferences == wanted)
        }
    }

    @Test func picturesAreReplacedAndErased() throws {
        let office = try Office(seed: 27)
        let key = try SigningKey(seed: SecretBytes(copying: [UInt8](repeating: 3, count: 32)))
        let peer = try #require(PeerID(key.publicKey))
        let (old, new) = (
            SignedPicture([1], of: peer, made: 1, with: key), SignedPicture([2, 3], of: peer, made: 2, with: key)
        )
        let own = SignedPicture([4], of: office.test.me, made: 3, with: office.test.key)
        var batch = PersistBatch(id: BatchID(1))
        batch.pictures = [(peer, old), (office.test.me, own), (peer, new)].map { PictureRecord(peer: $0, picture: $1) }
        _ = try office.test.store.persist(batch)
        try office.test.reopen()
        let snapshot = try office.test.store.snapshot()
        #expect(snapshot.ownPicture == own)
        #expect(snapshot.pictures == [PictureMark(peer: peer, id: new.id, made: 2)])
        #expect(try office.test.store.picture(of: peer) == new)
        #expect(try office.test.store.usage().pictureBytes == 3)
        batch.pictures = [peer, office.test.me].map { PictureRecord(peer: $0, picture: nil) }
        _ = try office.test.store.persist(batch)
        let after = try office.test.store.snapshot()
        #expect(after.ownPicture == nil && after.pictures.isEmpty)
    }

    /// A picture that is not the one that was signed counts as none: it comes anew, or the user chooses it again.
    @Test(arguments: [
        "content = x'05'", "made = 9", "signature = zeroblob(64)", "id = zeroblob(32)", "id = x'00'", "content = 5",
        "made = 'x'",
    ])
    func aDamagedPictureIsNone(damage: String) throws {
        let office = try Office(seed: 28)
        let key = try SigningKey(seed: SecretBytes(copying: [UInt8](repeating: 3, count: 32)))
        let peer = try #require(PeerID(key.publicKey))
        var batch = PersistBatch(id: BatchID(1))
        batch.pictures = [
            PictureRecord(peer: peer, picture: SignedPicture([1], of: peer, made: 1, with: key)),
            PictureRecord(
                peer: office.test.me,
                picture: SignedPicture([4], of: office.test.me, made: 3, with: office.test.key)
            ),
        ]
        _ = try office.test.store.persist(batch)
        #expect(try office.test.store.snapshot().pictures.count == 1)
        let queue = try DatabaseQueue(path: office.test.folder + "/store.sqlite")
        try queue.writeWithoutTransaction { db in try db.execute(sql: "UPDATE picture SET \(damage)") }
        try queue.close()
        let snapshot = try office.test.store.snapshot()
        #expect(snapshot.ownPicture == nil && snapshot.pictures.isEmpty)
        #expect(try office.test.store.picture(of: peer) == nil)
    }

    @Test func theWorkspaceIsReplacedAndLeft() throws {
        var random = SeededGenerator(seed: 24)
        let office = try Office(seed: 24)
        #expect(try office.test.store.snapshot().workspace == nil)
        let (old, new) = (random.workspaceKey(1, superseded: 1_760_000_000_000), random.workspaceKey(2))
        var workspace = Workspace(name: "Zoë's \"ship\"", keys: [new, old])
        workspace.removed = [PeerID(value: random.bytes32())]
        for wanted in [workspace, Workspace(name: "Ship", keys: [old])] {
            var batch = PersistBatch(id: BatchID(1))
            batch.workspace = .set(wanted)
            _ = try office.test.store.persist(batch)
            try office.test.reopen()
            #expect(try office.test.store.snapshot().workspace == wanted)
        }
        var batch = PersistBatch(id: BatchID(2))
        batch.workspace = .left
        _ = try office.test.store.persist(batch)
        #expect(try office.test.store.snapshot().workspace == nil)
    }

    /// A charter comes back as it was, in the order of arrival, and what it no longer holds goes.
    @Test func theCharterComesBackAndIsMended() throws {
        var random = SeededGenerator(seed: 26)
        let office = try Office(seed: 26)
        var writer = try CharterWriter(people: 3)
        let creation = writer.create()
        let key = random.workspaceKey(1)
        let rotation = writer.rotate(to: 1, by: 0, after: [creation])
        var workspace = Workspace(name: "Ship", keys: [key], charter: writer.charter)
        workspace.code = CharterPrefix(of: writer.id)
        func persist(_ change: WorkspaceChange) throws {
            var batch = PersistBatch(id: BatchID(1))
            batch.workspace = change
            _ = try office.test.store.persist(batch)
            try office.test.reopen()
        }
        try persist(.set(workspace))
        #expect(try office.test.store.snapshot().workspace == workspace)
        _ = writer.change(.exclude, [2], by: 0, after: [rotation])
        workspace.charter = writer.charter
        try persist(.set(workspace))
        #expect(try office.test.store.snapshot().workspace == workspace)
        // A damaged event is left out, as if it had not come; members have it.
        office.test.store.close()
        let queue = try DatabaseQueue(path: office.test.folder + "/store.sqlite")
        try queue.writeWithoutTransaction { db in
            try db.execute(sql: "UPDATE charter_event SET body = x'00' WHERE place = 3")
        }
        try queue.close()
        try office.test.reopen()
        #expect(try office.test.store.snapshot().workspace?.charter?.events.map(\.id) == [creation.id, rotation.id])
        try persist(.set(workspace))
        #expect(try office.test.store.snapshot().workspace?.charter == workspace.charter)
        // An invitation stays with the charter that its code names.
        let secret = try #require(InvitationSecret(SecretBytes(copying: (1...16).map { UInt8($0) })))
        workspace.invitation = InvitationKey(secret, to: CharterPrefix(of: writer.id))
        try persist(.set(workspace))
        #expect(try office.test.store.snapshot().workspace == workspace)
        #expect(try office.test.store.snapshot().workspace?.invitation?.policy == workspace.invitation?.policy)
        // Only the code is known: nobody has told the charter yet.
        try persist(.set(Workspace(name: "Ship", keys: [key], code: workspace.code)))
        #expect(
            try office.test.store.snapshot().workspace == Workspace(name: "Ship", keys: [key], code: workspace.code)
        )
        try persist(.left)
        #expect(try office.test.store.snapshot().workspace == nil)
    }

    @Test func prekeysAndEnvelopesComeBackAndGo() throws {
        var random = SeededGenerator(seed: 25)
        let office = try Office(seed: 25)
        let keys = try [PeerID(value: random.bytes32()), nil].map { peer in
            try OwnPrekey(secret: SecretBytes(copying: random.bytes(32)), made: 1_760_000_000_000, peer: peer)
        }
        let envelope = StoredEnvelope(
            record: EnvelopeRecord(
                id: EnvelopeID(value: random.bytes32()),
                depositor: PeerID(value: random.bytes32()),
                recipient: PeerID(value: random.bytes32()),
                expires: 1_760_000_000_000,
                byteCount: 900
            ),
            bytes: random.bytes(1_000)
        )
        var batch = PersistBatch(id: BatchID(1))
        (batch.prekeys, batch.envelopes) = (keys, [envelope])
        _ = try office.test.store.persist(batch)
        try office.test.reopen()
        let snapshot = try office.test.store.snapshot()
        #expect(snapshot.prekeys == keys.sorted { $0.id < $1.id } && snapshot.envelopes == [envelope.record])
        #expect(try office.test.store.envelope(envelope.record.id) == envelope.bytes)
        #expect(try office.test.store.envelope(EnvelopeID(value: .zero)) == nil)
        batch = PersistBatch(id: BatchID(2))
        (batch.erasedPrekeys, batch.erasedEnvelopes) = (keys.map(\.id), [envelope.record.id])
        _ = try office.test.store.persist(batch)
        #expect(try office.test.store.snapshot().prekeys.isEmpty)
        #expect(try office.test.store.snapshot().envelopes.isEmpty)
    }

    /// After a crash between writing and signing, the snapshot shows what is unsigned.
    @Test func unsignedOwnEventsShowAndCanBeSigned() throws {
        var office = try Office(seed: 23)
        office.mine.say("signed")
        office.mine.say("not yet", signed: false)
        office.mine.say("nor this", signed: false)
        try office.test.persist(office.mine.events)
        try office.test.reopen()
        let log = try #require(try office.test.store.snapshot().logs.first)
        #expect(log.position.sequence == 3 && log.signedThrough == office.mine.events[0].position)
        var batch = PersistBatch(id: BatchID(2))
        let signature = [UInt8](repeating: 5, count: 64)
        batch.signatures = [
            HeadSignature(conversation: log.conversation, log: log.log, sequence: 3, signature: signature)
        ]
        _ = try office.test.store.persist(batch)
        #expect(try office.test.store.snapshot().logs.first?.signedThrough == office.mine.events[2].position)
        let request = ReadRequest(conversation: log.conversation, log: log.log, from: 2, through: 3, byteLimit: 9000)
        #expect(try office.test.store.events(request).map(\.signature) == [nil, signature])
    }

    /// Another device of the same identity has read messages that this one does not hold yet.
    @Test func readMarkThatComesBeforeItsLogCounts() throws {
        var random = SeededGenerator(seed: 25)
        var office = try Office(seed: 25)
        for number in 0..<5 { office.theirs.say("m\(number)") }
        let key = WatermarkRecord.Key(
            conversation: office.conversation.id,
            member: office.test.me,
            replica: random.replica(),
            log: office.theirs.log,
            level: .read
        )
        var batch = PersistBatch(id: BatchID(1))
        batch.watermarks = [
            WatermarkRecord(key: key, position: office.theirs.events[2].position, signature: nil, learnt: 1)
        ]
        batch.watermarks[0].via = office.theirs.log.author
        _ = try office.test.store.persist(batch)
        try office.test.reopen()
        #expect(try office.test.store.snapshot().watermarks == batch.watermarks)
        try office.test.persist(office.theirs.events)
        #expect(try office.test.store.conversations().map(\.unread) == [2])
    }

    @Test func emptyAndMissingBodiesDiffer() throws {
        var office = try Office(seed: 24)
        office.mine.append(.link, body: [])
        office.mine.append(.link, body: nil)
        try office.test.persist(office.mine.events)
        let request = ReadRequest(
            conversation: office.conversation.id,
            log: office.mine.log,
            from: 1,
            through: 2,
            byteLimit: 9000
        )
        #expect(try office.test.store.events(request) == office.mine.events)
    }
}

extension SeededGenerator {
    fileprivate mutating func workspaceKey(_ number: UInt64, superseded: Int64? = nil) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: bytes(32)), number: number, superseded: superseded)
    }
}
