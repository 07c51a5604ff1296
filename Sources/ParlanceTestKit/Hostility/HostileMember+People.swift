import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceWire

// Receipts, couriers, workspaces, people, files, and what a peer says of itself.
extension HostileMember {
    func framesOfReceipts(_ mischief: Mischief, at target: Int) -> [WireFrame.OneOf_Kind] {
        let aim = aim(at: target, inGroup: false)
        let all = others(in: aim, [.message, .link, .edit, .reaction])
        guard !all.isEmpty else { return [] }
        var frame = WireWatermarks()
        frame.conversation = Data(aim.place.bytes)
        frame.entries = (0..<(1 + random.below(40))).compactMap { _ -> WireWatermark? in
            guard let found = pick(all) else { return nil }
            var mark = WireWatermark()
            let victim = pick(world.nodes.filter { $0.number != node }) ?? own
            let isOfOthers = mischief == .receiptsOfOthers
            mark.member = Data((isOfOthers ? victim.identity : identity).bytes)
            let copy = mischief == .receiptsOfMadeUpCopies ? bytes(ReplicaID.count) : own.replica.bytes
            mark.replica = Data(isOfOthers ? victim.replica.bytes : copy)
            mark.log = found.key.log.wire
            mark.sequence = found.event.header.sequence
            mark.head = Data(found.event.id.bytes)
            mark.level = random.below(2) == 0 ? .read : .delivered
            var signed: [UInt8] = [Domain.watermark] + aim.place.bytes + [UInt8](mark.member) + [UInt8](mark.replica)
            signed += [UInt8](mark.log.author) + [UInt8](mark.log.replica) + mark.sequence.bigEndianBytes
            signed += [UInt8](mark.head) + [UInt8(truncatingIfNeeded: mark.level.rawValue)]
            mark.signature = Data(own.signer.sign(signed))
            return mark
        }
        return [.watermarks(frame)]
    }

    func framesOfCouriers(_ mischief: Mischief, at target: Int) -> [WireFrame.OneOf_Kind] {
        switch mischief {
        case .deposits, .depositsForMadeUpPeople:
            return (0..<(1 + random.below(20))).map { _ in
                let victim = pick(world.nodes.filter { $0.number != node && $0.number != target })
                let isMadeUp = mischief == .depositsForMadeUpPeople
                var frame = WireDeposit()
                frame.envelope = envelope(for: isMadeUp ? nobody() : victim?.identity ?? nobody())
                if random.below(3) == 0 { frame.replaces = Data(bytes(32)) }
                return .deposit(frame)
            }
        case .falseAnswersOfCouriers:
            let envelopes = world.nodes[target].disk.envelopes.keys.map(\.bytes).sorted {
                $0.lexicographicallyPrecedes($1)
            }
            let id = pick(envelopes) ?? bytes(32)
            var taken = WireTaken()
            taken.envelope = Data(id)
            taken.signature = Data(own.signer.sign([Domain.taken] + id))
            var answer = WireDeposited()
            answer.envelope = Data(id)
            answer.held = true
            return [.taken(taken), .deposited(answer)]
        case .falsePrekeys:
            var keys = WirePrekeys()
            keys.daily = Data(bytes(32))
            keys.made = UInt64(clamping: world.instant(of: node).wall)
            keys.signature = Data(own.signer.sign([Domain.prekey] + [UInt8](keys.daily) + keys.made.bigEndianBytes))
            keys.oneTime = (0..<4).map { _ in Data(bytes(32)) }
            return [.prekeys(keys)]
        default:
            return (0..<10).map { _ in
                var frame = WireHandOver()
                frame.envelope = envelope(for: world.nodes[target].identity)
                return .handOver(frame)
            }
        }
    }

    private func envelope(for recipient: PeerID) -> WireEnvelope {
        var envelope = WireEnvelope()
        envelope.recipient = Data(recipient.bytes)
        envelope.prekey = Data(bytes(32))
        envelope.ephemeral = Data(bytes(32))
        envelope.expires = UInt64(clamping: world.instant(of: node).wall + Limits.envelopeMilliseconds / 2)
        envelope.sealed = Data(bytes(64 + Int(random.below(2_000))))
        return envelope
    }

    func framesOfWorkspaces(_ mischief: Mischief, at target: Int) -> [WireFrame.OneOf_Kind] {
        let wall = UInt64(clamping: world.instant(of: node).wall)
        var frame = WireAddresses()
        switch mischief {
        case .unsignedAddresses:
            frame.entries = world.nodes.filter { $0.number != node }.map { addresses(of: $0.identity, time: wall + 1) }
        case .staleAddresses: frame.entries = [addresses(of: identity, time: 1)]
        case .addressesOfMadeUpPeople:
            frame.entries = (0..<Limits.addressesPerFrame).map { _ in addresses(of: nobody(), time: wall) }
        default:
            let current = world.nodes[target].disk.workspace?.newest?.number ?? 1
            var key = WireWorkspaceKey()
            key.key = Data(bytes(32))
            key.number =
                switch mischief {
                case .oldKey: current > 1 ? current - 1 : 1
                case .nextKey: current + 1
                default: random.below(2) == 0 ? .max : current + Limits.workspaceRotations + 1
                }
            key.removed = (0..<10).map { _ in Data(bytes(32)) }
            return [.workspaceKey(key)]
        }
        return [.addresses(frame)]
    }

    /// Signed with its own key, whoever they are of.
    private func addresses(of peer: PeerID, time: UInt64) -> WireAddresses.Entry {
        let places = NumericAddress([10, 9, 9, 9]).map { [SignedAddresses.Place(address: $0, port: 4_848)] } ?? []
        return SignedAddresses(of: peer, time: time, places: places, with: own.signer).wire
    }

    func framesOfPeople(_ mischief: Mischief, at target: Int) -> [WireFrame.OneOf_Kind] {
        switch mischief {
        case .contactRequests:
            return (0..<5).map { _ in
                var request = WireContactRequest()
                request.event = Data(bytes(32))
                request.preview = String(repeating: "?", count: Int(random.below(500)))
                return .contactRequest(request)
            }
        case .falseContactAnswers:
            let from = pick(world.nodes.filter { $0.number != node && $0.number != target })?.identity ?? nobody()
            var answer = WireContactAnswer()
            answer.from = Data(from.bytes)
            answer.to = Data(world.nodes[target].identity.bytes)
            answer.accepted = true
            answer.time = 5
            let signed = [Domain.contactAnswer] + from.bytes + world.nodes[target].identity.bytes + [1]
            answer.signature = Data(own.signer.sign(signed + answer.time.bigEndianBytes))
            return [.contactAnswer(answer)]
        case .falsePicture, .unaskedPicture:
            let content = bytes(200)
            let id = PictureID(hashing: content)
            let signed = SignedPicture(content, of: identity, made: UInt64(random.below(1 << 40)), with: own.signer)
            var picture = signed.wire
            if mischief == .falsePicture { picture.signature = Data(bytes(64)) }
            return [beat(name: own.disk.profile.name, picture: id), .picture(picture)]
        default:
            // Only the last name stays, which is its own.
            let names = ["\u{202E}made up \(node)", String(repeating: "n", count: 64), "", own.disk.profile.name]
            return names.map { beat(name: $0, picture: nil) }
        }
    }

    private func beat(name: String, picture: PictureID?) -> WireFrame.OneOf_Kind {
        var beat = WireHeartbeat()
        beat.name = name
        beat.presence.activity = .online
        beat.presence.picture = Data(picture?.bytes ?? [])
        return .heartbeat(beat)
    }

    func framesOfFiles(_ mischief: Mischief, at target: Int) -> [WireFrame.OneOf_Kind] {
        let aim = aim(at: target, inGroup: false)
        let known = world.nodes[target].disk.transfers.keys.sorted()
        let file = Data(pick(known)?.bytes ?? bytes(32))
        switch mischief {
        case .mentionsOfNoFile:
            let key = LogKey(aim.place, copy(Self.waiting))
            var body = WireMessageBody()
            body.text = nextText()
            body.files = (0..<3).map { number in
                var mention = WireFileMention()
                mention.file = Data(bytes(32))
                mention.name = "../\(number)"
                mention.size = UInt64(1 + random.below(1 << 30))
                return mention
            }
            write(.message, body.encodedBytes(), in: key)
            return runs(of: key, for: target)
        case .falseFileOffers:
            var held = WireFileHeld()
            held.file = file
            held.chunks = Data([0xFF])
            held.manifest = Data(bytes(64))
            return [.fileHeld(held)]
        case .fileRequests:
            return (0..<30).flatMap { number -> [WireFrame.OneOf_Kind] in
                var ask = WireFileAsk()
                ask.conversation = Data(aim.place.bytes)
                ask.file = number % 2 == 0 ? file : Data(bytes(32))
                ask.manifest = true
                var want = WireFileWant()
                want.file = ask.file
                want.count = 8
                return [.fileAsk(ask), .fileWant(want)]
            }
        default:
            var piece = WireFilePiece()
            piece.file = file
            piece.bytes = Data(bytes(100))
            return [.filePiece(piece)]
        }
    }

    func framesAboutItself(_ mischief: Mischief, at target: Int) -> [WireFrame.OneOf_Kind] {
        let aim = aim(at: target, inGroup: false)
        switch mischief {
        case .behind:
            var behind = WireBehind()
            behind.milliseconds = 1 + random.next() >> 1
            return [.behind(behind)]
        case .full:
            return world.nodes.map { author in
                var full = WireFull()
                full.conversation = Data(aim.place.bytes)
                full.author = Data(author.identity.bytes)
                full.milliseconds = 1 + random.next() >> 1
                return .full(full)
            }
        case .refusals:
            var refuse = WireRefuse()
            refuse.conversation = Data(aim.place.bytes)
            refuse.code = pick([.blocked, .notMember, .invalid, .limit]) ?? .limit
            return [.refuse(refuse)]
        case .typing:
            var typing = WireTyping()
            typing.conversation = Data(random.below(2) == 0 ? aim.place.bytes : bytes(32))
            return Array(repeating: .typing(typing), count: 100)
        case .dialBacks: return Array(repeating: .dialBack(WireDialBack()), count: 20)
        default:
            var hello = WireHello()
            hello.purpose = .main
            hello.name = own.disk.profile.name
            return [.hello(hello)]
        }
    }
}
