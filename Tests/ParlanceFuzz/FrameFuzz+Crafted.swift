import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire

// Frames of the kinds that an orderly office seldom sends.
extension FrameFuzz {
    static func crafted(_ stage: Stage) -> [(peer: Int, frame: [UInt8])] {
        let log = LogID(author: stage.identities[0], replica: stage.replicas[0]).wire
        let group = Data(stage.group.bytes)
        var want = WireWant()
        want.conversation = group
        want.log = log
        want.after = 1
        var wanted = WireBodiesWanted()
        wanted.conversation = group
        wanted.log = log
        wanted.sequences = [1, 2, 3]
        var bodies = WireBodies()
        bodies.conversation = group
        bodies.log = LogID(author: stage.identities[2], replica: stage.replicas[2]).wire
        bodies.entries = ([1, 2] as [UInt64]).map { number in
            var entry = WireBodies.Entry()
            entry.sequence = number
            entry.body = Data([10, 1, 97])
            return entry
        }
        var refuse = WireRefuse()
        refuse.conversation = group
        refuse.code = .notMember
        var bye = WireBye()
        bye.reason = .stale
        var fork = WireFork()
        fork.conversation = group
        fork.log = bodies.log
        fork.branches = [branch(stage, time: 1), branch(stage, time: 2)]
        var full = WireFull()
        full.conversation = Data(stage.group.bytes)
        full.author = Data(stage.identities[0].bytes)
        full.milliseconds = 1_000
        var behind = WireBehind()
        behind.milliseconds = 1_000
        let kinds: [WireFrame.OneOf_Kind] =
            pictures + [
                .full(full), .behind(behind),
                .want(want), .bodiesWanted(wanted), .bodies(bodies), .refuse(refuse), .bye(bye), .fork(fork),
                .workspaceKey(newKey(stage)), .handOver(letter(stage)), .charterEvents(charterEvents(stage)),
            ]
        return (kinds + files(stage)).map { (2, bytes($0)) }
    }

    /// Cleo has a picture, is asked for it, and asks for Ada's.
    private static var pictures: [WireFrame.OneOf_Kind] {
        var picture = WirePicture()
        picture.content = Data([1, 2, 3])
        var wanted = WirePictureWanted()
        wanted.id = Data(PictureID(hashing: [1, 2, 3]).bytes)
        var heartbeat = WireHeartbeat()
        heartbeat.presence.picture = wanted.id
        return [.heartbeat(heartbeat), .picture(picture), .pictureWanted(wanted)]
    }

    /// Cleo asks for a file, and sends the one that Ada fetches.
    private static func files(_ stage: Stage) -> [WireFrame.OneOf_Kind] {
        var ask = WireFileAsk()
        ask.conversation = Data(stage.group.bytes)
        ask.file = Data(stage.files[0].file.bytes)
        ask.manifest = true
        var want = WireFileWant()
        want.file = ask.file
        want.count = 2
        var stop = WireFileStop()
        stop.file = ask.file
        stop.reason = .enough
        var held = WireFileHeld()
        held.file = Data(stage.files[1].file.bytes)
        held.chunks = Data(ChunkSet(all: stage.fetched.manifest.shape.count).bytes)
        held.manifest = Data(stage.fetched.manifest.bytes)
        var piece = WireFilePiece()
        piece.file = held.file
        piece.bytes = Data(stage.fetched.bytes)
        return [.fileAsk(ask), .fileWant(want), .fileStop(stop), .fileHeld(held), .filePiece(piece)]
    }

    private static func bytes(_ kind: WireFrame.OneOf_Kind) -> [UInt8] {
        var frame = WireFrame()
        frame.kind = kind
        return frame.encodedBytes()
    }

    /// A workspace's key after a rotation that left Eve out.
    private static func newKey(_ stage: Stage) -> WireWorkspaceKey {
        var key = WireWorkspaceKey()
        key.key = Data(repeating: 6, count: 32)
        key.number = 2
        key.removed = [Data(stage.identities[4].bytes)]
        return key
    }

    /// An envelope for Ada, not sealed yet: the forger signs and seals it.
    /// What Bob says of the charter that Ada may found: he makes himself an admin, which waits for what it names.
    private static func charterEvents(_ stage: Stage) -> WireCharterEvents {
        var creation = WireCreateBody()
        (creation.nonce, creation.title) = (Data(Stage.nonce), "ship")
        let charter = ConversationID(creator: stage.identities[0], charter: creation.encodedBytes())
        let log = LogID(author: stage.identities[1], replica: stage.replicas[1])
        let body = WireMembersBody(.appoint, [stage.identities[1]], after: [EventID(value: charter.value)])
            .encodedBytes()
        let header = EventHeader(
            conversation: charter,
            log: log,
            sequence: 1,
            previous: nil,
            time: EventTime(raw: 1 << 26),
            dependencies: [],
            kind: .members,
            bodyHash: Bytes32(hashingBody: body)
        )
        var event = WireEvent()
        event.header = Data(header.encoded())
        event.body = Data(body)
        event.signature = Data(HeadSeal.sign(EventID(hashing: header.encoded()), with: stage.signers[1]))
        var frame = WireCharterEvents()
        (frame.charter, frame.hash, frame.events) = (Data(charter.bytes), Data(count: 8), [event])
        return frame
    }

    private static func letter(_ stage: Stage) -> WireHandOver {
        var header = WireEventHeader()
        header.conversation = Data(ConversationID(direct: stage.identities[0], stage.identities[2]).bytes)
        header.log = LogID(author: stage.identities[2], replica: stage.replicas[2]).wire
        header.kind = .message
        header.time = 1
        var event = WireEvent()
        event.header = Data(header.encodedBytes())
        event.body = Data([10, 1, 97])
        var run = WireEvents()
        run.conversation = header.conversation
        run.events = [event]
        var letter = WireHandOver()
        letter.envelope.recipient = Data(stage.identities[0].bytes)
        letter.envelope.oneTime = Data([1])
        letter.envelope.expires = UInt64(stage.now.wall) + 1_000_000
        letter.envelope.sealed = Data(run.encodedBytes())
        return letter
    }

    /// Ada joins the workspace; Bob and Eve link with its key; Ada is given the next key and rotates it without Eve;
    /// time passes.
    static func inWorkspace(_ stage: Stage, _ peers: [Int]) -> [[UInt8]] {
        func place(_ peer: Int) -> UInt8 { UInt8(peers.firstIndex(of: peer) ?? 0) << 4 }
        var hello = WireHello()
        hello.purpose = .main
        let greeting = FuzzReader.block(bytes(.hello(hello)))
        let key = FuzzReader.block(bytes(.workspaceKey(newKey(stage))))
        var given: [UInt8] = [11, 22, 0]
        for peer in [1, 4] {
            given += [place(peer) | 8, 0xFC, place(peer)]
            given += greeting
        }
        // Or she has founded it, and hears of the charter.
        var founded: [UInt8] = [11, 22, 4]
        founded += given.dropFirst(3)
        founded.append(place(1))
        founded += FuzzReader.block(bytes(.charterEvents(charterEvents(stage))))
        // And in which admins let members in, and Bob has an invitation.
        var invited: [UInt8] = [11, 22, 4, 11, 22, 7, 11, 22, 15, place(1) | 8, 0xFC, place(1)]
        hello.invitation = Data(stage.invitation?.proof(for: stage.identities[1])?.bytes ?? [])
        invited += FuzzReader.block(bytes(.hello(hello))) + [10, 3]
        var rotated = given
        given.append(place(1))
        given += key
        given += [10, 3, 10, 7]
        rotated += [place(4) | 11, 22, 66]
        rotated += [10, 3, 10, 7, 11, 22, 1]
        return [given, rotated, founded, invited]
    }

    /// Cleo leaves, Ada writes to her, and Bob says that he keeps it; then Cleo comes back and takes what Ada keeps for
    /// her.
    static func away(_ stage: Stage, _ peers: [Int]) -> [[UInt8]] {
        func place(_ peer: Int) -> UInt8 { UInt8(peers.firstIndex(of: peer) ?? 0) << 4 }
        var held = WireDeposited()
        held.held = true
        var deposit = WireDeposit()
        deposit.envelope.recipient = Data([2])
        deposit.envelope.prekey = Data(repeating: 1, count: 32)
        deposit.envelope.ephemeral = Data(repeating: 2, count: 32)
        deposit.envelope.sealed = Data(repeating: 3, count: 64)
        deposit.envelope.expires = UInt64(stage.now.wall) + 1_000_000
        var hello = WireHello()
        hello.purpose = .main
        let gone: [UInt8] = [place(2) | 9]
        let written: [UInt8] = [place(2) | 11, 0, 1, 0x61, 10, 3]
        let answered: [UInt8] = [place(1) | 4] + FuzzReader.block(bytes(.deposited(held)))
        let left: [UInt8] = [place(1) | 4] + FuzzReader.block(bytes(.deposit(deposit)))
        var back: [UInt8] = [place(2) | 8, 0x70, place(2)]
        back += FuzzReader.block(bytes(.hello(hello)))
        back += [10, 3, place(2) | 4]
        back += FuzzReader.block(bytes(.taken(WireTaken())))
        let later: [UInt8] = [10, 7]
        return [gone + written + answered, gone + left + back, left + later]
    }

    /// One event of a log, which the sender will sign.
    private static func branch(_ stage: Stage, time: UInt64) -> WireFork.Branch {
        var header = WireEventHeader()
        header.conversation = Data(stage.group.bytes)
        header.log = LogID(author: stage.identities[2], replica: stage.replicas[2]).wire
        header.sequence = 2
        header.time = time
        header.kind = .message
        var event = WireEvent()
        event.header = Data(header.encodedBytes())
        var branch = WireFork.Branch()
        branch.events = [event]
        return branch
    }
}
