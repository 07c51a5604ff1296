import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire

/// Signs what a fuzzer made, as the sending peer would: a hostile member's signatures are valid.
struct Forger {
    /// The position in the log of the event that is signed.
    enum Place {
        /// After what Ada holds.
        case next
        /// After an earlier event: a branch.
        case fork
        /// At the position that it names.
        case asSaid
    }

    let stage: Stage
    let disk: SimulatedDisk
    let peer: Int
    let bench: Bench
    let place: Place
    private var ends: [LogKey: LogPosition] = [:]

    init(_ bench: Bench, peer: Int, place: Place) {
        self.bench = bench
        stage = bench.stage
        disk = bench.disk
        self.peer = peer
        self.place = place
    }

    mutating func sign(_ frame: WireFrame) -> WireFrame {
        var frame = frame
        switch frame.kind {
        case .events(var run):
            for index in run.events.indices {
                run.events[index] = sign(run.events[index], isHead: index == run.events.count - 1)
            }
            if let first = run.events.first.flatMap({ try? EventHeader(decoding: [UInt8]($0.header)) }) {
                run.conversation = Data(first.conversation.bytes)
            }
            frame.kind = .events(run)
        case .invite(var invite):
            for index in invite.events.indices { invite.events[index] = sign(invite.events[index], isHead: true) }
            frame.kind = .invite(invite)
        case .fork(var fork):
            for index in fork.branches.indices {
                let last = fork.branches[index].events.count - 1
                for event in fork.branches[index].events.indices {
                    let signed = sign(fork.branches[index].events[event], isHead: event == last)
                    fork.branches[index].events[event] = signed
                    fork.branches[index].events[event].clearBody()
                }
            }
            frame.kind = .fork(fork)
        case .watermarks(var marks):
            for index in marks.entries.indices { sign(&marks.entries[index], in: marks.conversation) }
            frame.kind = .watermarks(marks)
        case .contactAnswer(var answer):
            sign(&answer)
            frame.kind = .contactAnswer(answer)
        case .picture(let picture):
            let signed = SignedPicture(
                [UInt8](picture.content),
                of: stage.identities[peer],
                made: picture.made,
                with: stage.signers[peer]
            )
            frame.kind = .picture(signed.wire)
        default: carry(&frame)
        }
        return frame
    }

    /// The author that it names, if that is one of us; otherwise the sender.
    private func signer(of author: PeerID?) -> Int {
        author.flatMap { stage.identities.firstIndex(of: $0) } ?? peer
    }

    private mutating func sign(_ event: WireEvent, isHead: Bool) -> WireEvent {
        let said = WireEventHeader(decoding: [UInt8](event.header)) ?? WireEventHeader()
        let author = signer(of: place == .asSaid ? PeerID(said.log.author) : nil)
        let conversation = ConversationID(said.conversation) ?? conversation(said.conversation.first ?? 0)
        let log = LogID(
            author: stage.identities[author],
            replica: ReplicaID(said.log.replica) ?? stage.replicas[author]
        )
        let key = LogKey(conversation, log)
        let position = position(of: key, said: said.sequence)
        var header = EventHeader(
            conversation: conversation,
            log: log,
            sequence: place == .asSaid ? min(max(1, said.sequence), Limits.sequence) : position.sequence + 1,
            previous: position.sequence == 0 ? nil : position.head,
            time: EventTime(raw: said.time),
            dependencies: said.dependencies.prefix(Limits.dependencies).compactMap { EventReference($0) }
                .filter { $0.log != log },
            kind: EventKind(number: said.kind.rawValue),
            bodyHash: Bytes32(hashingBody: [UInt8](event.body)),
            target: said.hasTarget ? EventReference(said.target) : nil
        )
        if place == .asSaid { header.previous = header.sequence == 1 ? nil : EventID(said.previous) ?? position.head }
        let bytes = header.encoded()
        let id = EventID(hashing: bytes)
        ends[key] = LogPosition(sequence: header.sequence, head: id)
        var signed = event
        signed.header = Data(bytes)
        if isHead { signed.signature = Data(HeadSeal.sign(id, with: stage.signers[author])) }
        return signed
    }

    private func conversation(_ hint: UInt8) -> ConversationID {
        hint & 1 == 0 ? stage.group : ConversationID(direct: stage.identities[0], stage.identities[peer])
    }

    private func position(of key: LogKey, said: UInt64) -> LogPosition {
        if let end = ends[key] { return end }
        let end = disk.position(of: key)
        guard place == .fork, end.sequence > 1 else { return end }
        let sequence = 1 + said % (end.sequence - 1)
        let request = ReadRequest(
            conversation: key.conversation,
            log: key.log,
            from: sequence,
            through: sequence,
            byteLimit: 1 << 20
        )
        return disk.read(request).first?.position ?? .start
    }

    private func sign(_ mark: inout WireWatermark, in conversation: Data) {
        mark.member = Data(stage.identities[peer].bytes)
        if ReplicaID(mark.replica) == nil { mark.replica = Data(stage.replicas[peer].bytes) }
        var signed: [UInt8] = [Domain.watermark] + [UInt8](conversation) + [UInt8](mark.member)
        signed += [UInt8](mark.replica) + [UInt8](mark.log.author) + [UInt8](mark.log.replica)
        signed += Self.bigEndian(mark.sequence) + [UInt8](mark.head) + [UInt8(truncatingIfNeeded: mark.level.rawValue)]
        mark.signature = Data(stage.signers[peer].sign(signed))
    }

    private func sign(_ answer: inout WireContactAnswer) {
        let (from, to) = (stage.identities[peer].bytes, stage.identities[0].bytes)
        answer.from = Data(from)
        answer.to = Data(to)
        let signed = [Domain.contactAnswer] + from + to + [answer.accepted ? 1 : 0] + Self.bigEndian(answer.time)
        answer.signature = Data(stage.signers[peer].sign(signed))
    }

    static func bigEndian(_ number: UInt64) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
