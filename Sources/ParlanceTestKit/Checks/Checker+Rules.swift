import Foundation
import ParlanceAudit
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Checks the verdicts on events that no honest node writes: each seed tries some of them.
extension Checker {
    func checkRules(_ seed: UInt64) {
        for number in 0..<Self.fuzzedGroups {
            guard violation == nil else { return }
            check(MembershipFuzzer(of: world.nodes.map(\.identity), seed: seed &* Self.fuzzedGroups &+ number))
        }
        checkVerdicts()
    }

    /// How many groups each seed tries.
    private static var fuzzedGroups: UInt64 { 12 }

    private func check(_ fuzzer: MembershipFuzzer) {
        var fuzzer = fuzzer
        check(Membership(fuzzer.events), fuzzer.events)
        // The events arrive one by one in another order, so that some wait for an event that has not arrived.
        var grown = Membership()
        var held: [StoredEvent] = []
        for event in fuzzer.shuffled() {
            grown.insert([event])
            held.append(event)
            if held.count * 2 == fuzzer.events.count { check(grown, held) }
        }
        check(grown, held)
    }

    private func check(_ membership: Membership, _ events: [StoredEvent]) {
        let plain = PlainMembership(events)
        let people = world.nodes.map(\.identity)
        let isSame =
            events.allSatisfy { membership.isValid($0.id) == plain.valid.contains($0.id) }
            && Array(membership.members) == plain.members(among: people).sorted()
            && people.filter { membership.isAdmin($0) } == plain.admins(among: people)
        guard isSame else {
            return violate("a fuzzed group of \(events.count) changes comes to something else than by the rules")
        }
        for log in Set(events.map(\.header.log)).sorted() {
            for sequence in 1...UInt64(8) {
                for capability in Membership.Capability.allCases {
                    let plainly: PlainMembership.Capability = capability == .admin ? .admin : .member
                    let standing = plain.standing(plainly, of: log, at: sequence)
                    // With and without a reference to what brought the author back.
                    let (most, least) = (
                        membership.allows(capability, log.author, in: log, at: sequence) { _ in true },
                        membership.allows(capability, log.author, in: log, at: sequence) { _ in false }
                    )
                    guard standing == .yes && !least || standing == .no && most else { continue }
                    return violate("a fuzzed group gives \(log.short) another right at \(sequence) than by the rules")
                }
            }
        }
    }

    /// Checks which rights each kind of event needs.
    private func checkVerdicts() {
        for kind in [EventKind.message, .edit, .delete, .reaction, .title, .topic, .lifetime] {
            for (isMember, isAdmin, isOwn) in Self.cases {
                var isRight = isMember
                if kind == .edit { isRight = isMember && isOwn }
                if kind == .delete { isRight = isOwn || isMember && isAdmin }
                if kind == .lifetime { isRight = isMember && isAdmin }
                let rights = Projector.Rights(isMember: isMember, isAdmin: isAdmin)
                let verdict = Projector.judge(event(kind, aboutOwn: isOwn), after: nil, rights: rights)
                guard verdict.isVoid == isRight else { continue }
                return violate("\(kind) by \(isMember ? "a member" : "a stranger") is \(verdict)")
            }
        }
    }

    private static let cases = [
        (true, true, true), (true, true, false), (true, false, true), (true, false, false),
        (false, true, true), (false, true, false), (false, false, true), (false, false, false),
    ]

    private func event(_ kind: EventKind, aboutOwn: Bool) -> StoredEvent {
        let logs = world.nodes.prefix(2).map { LogID(author: $0.identity, replica: $0.firstReplica) }
        let target = EventReference(log: aboutOwn ? logs[0] : logs[1], sequence: 1, id: EventID(value: .zero))
        let body = self.body(of: kind)
        let header = EventHeader(
            conversation: ConversationID(value: .zero),
            log: logs[0],
            sequence: 2,
            previous: EventID(value: .zero),
            time: EventTime(raw: 1),
            dependencies: [],
            kind: kind,
            bodyHash: Bytes32(hashingBody: body),
            target: kind.needsTarget ? target : nil
        )
        let bytes = header.encoded()
        return StoredEvent(id: EventID(hashing: bytes), header: header, headerBytes: bytes, body: body, signature: nil)
    }

    private func body(of kind: EventKind) -> [UInt8] {
        switch kind {
        case .message, .edit:
            var body = WireMessageBody()
            body.text = "hello"
            return body.encodedBytes()
        case .reaction:
            var body = WireReactionBody()
            body.emoji = "👍"
            return body.encodedBytes()
        case .title:
            var body = WireTitleBody()
            body.title = "room"
            return body.encodedBytes()
        case .topic:
            var body = WireTopicBody()
            body.topic = "room"
            return body.encodedBytes()
        case .lifetime:
            var body = WireLifetimeBody()
            body.seconds = 86_400
            return body.encodedBytes()
        default: return []
        }
    }
}

extension Projector.Verdict {
    fileprivate var isVoid: Bool { if case .void = self { true } else { false } }
}
