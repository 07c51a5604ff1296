import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire

/// Frames of peers, friends and strangers, with other events in between. Each act is a byte: its low half selects the
/// act, its high half the link; a frame follows as a block.
enum FrameFuzz {
    private static let acts = 48

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = FuzzReader(bytes)
        var bench = Bench(.shared)
        var count = 0
        while !reader.isAtEnd, count < acts {
            count += 1
            act(&reader, &bench)
        }
        bench.finish()
        bench.restart()
        bench.finish()
    }

    private static func act(_ reader: inout FuzzReader, _ bench: inout Bench) {
        let byte = reader.byte()
        let place = Int(byte >> 4) % bench.links.count
        switch byte & 15 {
        case 0...3: frame(reader.block(), &bench, place, nil)
        case 4, 5: frame(reader.block(), &bench, place, .next)
        case 6: frame(reader.block(), &bench, place, .fork)
        case 7: frame(reader.block(), &bench, place, .asSaid)
        case 8:
            let kind = reader.byte()
            let replica = kind & 1 == 1 ? ReplicaID([UInt8](repeating: kind, count: ReplicaID.count)) : nil
            let tag = kind & 0x80 == 0 ? nil : bench.stage.workspaceKey.tag
            bench.open(place, epoch: UInt64(kind >> 2), replica: replica, answersDial: kind & 2 == 2, tag: tag)
        case 9: bench.close(place, byte & 16 == 0 ? .cutOff : .closed)
        case 10: bench.pass([1, 100, 600, 5_000, 31_000, 61_000, 700_000, 90_000_000][reader.number(below: 8)])
        case 11: command(&reader, &bench, place)
        case 12: bench.restart()
        case 13: sight(&reader, &bench)
        case 14: bench.failures = reader.number(below: 3)
        default:
            bench.diskWaits.toggle()
            bench.settle()
        }
    }

    private static func frame(_ bytes: [UInt8], _ bench: inout Bench, _ place: Int, _ forged: Forger.Place?) {
        guard !bytes.isEmpty, var frame = WireFrame(decoding: bytes) else { return }
        if let forged {
            var forger = Forger(bench, peer: bench.links[place].peer, place: forged)
            frame = forger.sign(frame)
        }
        bench.received(frame, at: place)
    }

    private static func sight(_ reader: inout FuzzReader, _ bench: inout Bench) {
        let kind = reader.byte()
        let instance = "node-\(kind & 7)"
        switch kind >> 6 {
        case 0: bench.feed(.sightLost(instance: instance))
        case 1: bench.feed(.networkChanged)
        case 2: bench.failDial()
        default:
            let prefix = String(bench.stage.identities[1 + Int(kind & 3)].text.prefix(8))
            let sighting = Sighting(
                instance: instance,
                peerPrefix: kind & 8 == 0 ? prefix : reader.text(),
                workspaceTags: kind & 16 == 0 ? [] : [UInt32(reader.short())],
                endpoints: [Endpoint(host: reader.text(), port: reader.short())]
            )
            bench.feed(.sighted(sighting))
        }
    }

    private static func command(_ reader: inout FuzzReader, _ bench: inout Bench, _ place: Int) {
        let who = bench.stage.identities[bench.links[place].peer].text
        let group = bench.stage.group.text
        let kind = reader.byte()
        switch kind & 31 {
        case 0: bench.give(.send(who: who, text: reader.text()))
        case 1: bench.give(.send(who: group, text: reader.text()))
        case 2: bench.give(.accept(who: who))
        case 3: bench.give(.block(who: who))
        case 4: bench.give(.forget(who: who))
        case 5: bench.give(.read(who: kind & 32 == 0 ? who : group))
        case 6: bench.give(.changeGroup(who: group, .add([who])))
        case 7: bench.give(.changeGroup(who: group, .remove([who])))
        case 8: bench.give(.changeGroup(who: group, kind & 32 == 0 ? .appoint([who]) : .dismiss([who])))
        case 9: bench.give(.changeGroup(who: group, .leave))
        case 10: bench.give(.changeGroup(who: group, .rename(reader.text())))
        case 11: bench.createGroup(title: reader.text(), who: who)
        case 12: bench.give(.send(who: reader.text(), text: "?"))
        case 13: bench.give(kind & 32 == 0 ? .setName(reader.text()) : .setPicture(Array(reader.text().utf8)))
        case 14: bench.give(.setPresence(.away, text: reader.text()))
        case 15: bench.give(.find(who: reader.text()))
        case 16: bench.give(.listPeers)
        case 17: bench.give(.listDeliveries)
        case 18: bench.give(.listConversations)
        case 19: bench.give(.typing(who: who))
        case 20: bench.give(.listForks)
        case 21: bench.give(.setCourier(who: who, kind & 32 == 0))
        case 22: workspace(&reader, &bench, who)
        case 23: file(&reader, &bench)
        default: toMessage(&reader, &bench, kind)
        }
    }

    private static func changes(_ key: WorkspaceKey) -> [CharterCommand] {
        [.appoint, .dismiss, .exclude(key), .readmit, .admit]
    }

    private static func workspace(_ reader: inout FuzzReader, _ bench: inout Bench, _ who: String) {
        let number = reader.byte()
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
        switch number & 7 {
        case 0: bench.give(.workspace(.join(name: "ship", bench.stage.workspaceKey)))
        case 1: bench.give(.workspace(.leave))
        case 2: bench.give(.workspace(.rotate(key, without: number & 64 == 0 ? [] : [who])))
        case 3: bench.give(.workspace(.show))
        case 4: bench.give(.workspace(.found(name: "ship", bench.stage.workspaceKey, nonce: Stage.nonce)))
        case 5: bench.give(.workspace(.adopt()))
        case 7 where number & 8 == 0:
            bench.give(.workspace(.change(.policy(name: "admission", value: "approve"), who: [])))
        case 7:
            guard let secret = bench.stage.invitation?.secret else { return }
            bench.give(.workspace(.change(.invite(secret, uses: 1 + Int(number >> 4), until: .max), who: [])))
        default: bench.give(.workspace(.change(changes(key)[Int(number >> 3) % 5], who: [who])))
        }
    }

    private static func file(_ reader: inout FuzzReader, _ bench: inout Bench) {
        let number = reader.byte()
        let mention = bench.stage.files[Int(number >> 7)]
        switch number & 7 {
        case 0: bench.give(.pauseFile(mention.file))
        case 1: bench.give(.resumeFile(mention.file))
        case 2: bench.give(.cancelFile(mention.file))
        case 3: bench.give(.retryFile(mention.file))
        case 4: bench.give(.transfers)
        default: bench.give(.fetch(bench.stage.group, mention))
        }
    }

    private static func toMessage(_ reader: inout FuzzReader, _ bench: inout Bench, _ kind: UInt8) {
        let conversations = bench.disk.conversations
        let conversation = conversations[reader.number(below: conversations.count)].id
        let lines = bench.disk.history(of: conversation).filter { $0.note == nil }
        guard !lines.isEmpty else { return }
        let line = lines[reader.number(below: lines.count)]
        let message = MessageReference(conversation: conversation, event: line.reference)
        switch kind & 7 {
        case 0, 5: bench.give(.reply(message, text: reader.text()))
        case 1: bench.give(.edit(message, text: reader.text()))
        case 2: bench.give(.delete(message))
        case 3: bench.give(.react(message, emoji: reader.text(), removed: kind & 32 != 0))
        case 4: bench.give(.retry(conversation))
        default: bench.give(.cancel(line.log, conversation: conversation, sequence: line.reference.sequence))
        }
    }

    // MARK: Where to start

    /// The frames that Ada was sent, one by one and in sequences, unchanged and signed for her present state.
    static var seeds: [[UInt8]] {
        let stage = Stage.shared
        let links = Bench(stage).links
        func acts(_ row: ArraySlice<(peer: Int, frame: [UInt8])>, _ kind: UInt8) -> [UInt8] {
            row.flatMap { peer, frame -> [UInt8] in
                guard frame.count < 4_096, let place = links.firstIndex(where: { $0.peer == peer }) else { return [] }
                let high = UInt8(place) << 4
                return (startsLink(frame) ? [high | 8, 0x24] : []) + [high | kind] + FuzzReader.block(frame)
            }
        }
        var seeds: [[UInt8]] = []
        let frames = stage.recorded + crafted(stage)
        for start in stride(from: 0, to: frames.count, by: 6) {
            let row = frames[start..<min(start + 6, frames.count)]
            seeds.append(acts(row, 0))
            for kind: UInt8 in [4, 6, 7] where row.contains(where: { isSigned($0.frame) }) {
                seeds.append(acts(row[...], kind))
            }
        }
        // Frames about envelopes in one sequence, because only then an answer meets its request.
        let carried = frames.filter { isCarried($0.frame) }
        seeds += [acts(carried[...], 0), acts(carried[...], 4)]
        seeds += inWorkspace(stage, links.map(\.peer)) + away(stage, links.map(\.peer))
        // New links of everybody, each command, time, restarts.
        for place in links.indices {
            let high = UInt8(place) << 4
            seeds.append([high | 9, high | 8, 4, high | 10, 3, high | 10, 5])
        }
        for kind: UInt8 in 0..<32 { seeds.append([11, kind, 3, 0x61, 0x62, 0x63, 12, 11, kind | 32, 1, 1, 10, 4]) }
        seeds.append([
            13, 0xC1, 1, 0x68, 1, 1, 13, 0x80, 13, 0x40, 13, 1, 14, 1, 11, 0, 1, 0x61, 15, 11, 1, 1, 0x62, 15,
        ])
        return seeds.filter { !$0.isEmpty }
    }

    /// A link begins with a hello, and a second hello ends it.
    static func startsLink(_ bytes: [UInt8]) -> Bool {
        if case .hello = WireFrame(decoding: bytes)?.kind { true } else { false }
    }

    private static func isSigned(_ bytes: [UInt8]) -> Bool {
        switch WireFrame(decoding: bytes)?.kind {
        case .events, .invite, .fork, .watermarks, .contactAnswer: true
        default: false
        }
    }

    private static func isCarried(_ bytes: [UInt8]) -> Bool {
        switch WireFrame(decoding: bytes)?.kind {
        case .prekeys, .deposit, .deposited, .handOver, .taken, .workspaceKey, .charterEvents: true
        default: false
        }
    }
}

/// How far the seeds of the frames get.
package struct FuzzReach {
    /// Kinds of frames.
    package private(set) var kinds = 0
    /// Events stored that arrived as recorded, and events as a hostile member signed them.
    package private(set) var raw = 0
    package private(set) var forged = 0
    package private(set) var branches = 0

    package static func ofSeeds() -> FuzzReach {
        let stage = Stage.shared
        var reach = FuzzReach()
        let frames = (stage.recorded + FrameFuzz.crafted(stage)).compactMap { WireFrame(decoding: $0.frame) }
        reach.kinds = Set(frames.compactMap { $0.kind.map { Mirror(reflecting: $0).children.first?.label } }).count
        let before = stage.disk.eventCount
        for (isForged, place) in [(false, nil), (true, .next), (true, .fork)] as [(Bool, Forger.Place?)] {
            var bench = Bench(stage)
            for (peer, bytes) in stage.recorded {
                guard let slot = bench.links.firstIndex(where: { $0.peer == peer }),
                    var frame = WireFrame(decoding: bytes)
                else { continue }
                if let place {
                    var forger = Forger(bench, peer: peer, place: place)
                    frame = forger.sign(frame)
                }
                if bench.links[slot].link == nil || FrameFuzz.startsLink(bytes) {
                    bench.open(slot, epoch: 9, replica: nil, answersDial: false)
                }
                bench.received(frame, at: slot)
            }
            bench.finish()
            let stored = bench.disk.eventCount - before
            if isForged { reach.forged += stored } else { reach.raw = stored }
            reach.branches += bench.disk.snapshot.branches.count
        }
        return reach
    }
}

extension SimulatedDisk {
    var eventCount: Int {
        conversations.reduce(0) { sum, conversation in
            sum
                + logs(of: conversation.id).reduce(0) {
                    $0 + Int(position(of: LogKey(conversation.id, $1)).sequence)
                }
        }
    }
}
