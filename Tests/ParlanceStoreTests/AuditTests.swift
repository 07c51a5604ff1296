import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import Testing

/// Compares the store with the auditor: random batches, any order of logs, missing and wrong bodies, watermarks, reopening
/// and rebuilding.
@Suite struct AuditTests {
    static let seeds = (0..<6).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds) func storeTellsWhatTheAuditorFinds(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let test = try TestStore(&random)
        var audit = Audit(me: test.me)
        let scenario = Scenario(me: test.log, &random, events: 400)
        var rest = scenario.shuffled(&random)[...]
        audit.conversations = scenario.conversations
        try test.persist(conversations: scenario.conversations, [])
        var before = Findings(audit)
        // What its user has written is seen by them also while it does not count.
        var own: Set<EventID> = []
        while !rest.isEmpty {
            var batch = PersistBatch(id: BatchID(1))
            batch.events = scenario.lackingBodies(
                Array(rest.prefix(Int.random(in: 1...40, using: &random))),
                &random
            )
            rest = rest.dropFirst(batch.events.count)
            addBodies(to: &batch, scenario, audit, before, &random)
            if random.chance(10) { batch.membership = scenario.invitation.filter { _ in random.chance(40) } }
            let after = audit.take(batch, before)
            addWatermarks(to: &batch, &audit, &random)
            addSignatureAndName(to: &batch, &audit, own: test.log, &random)
            let receipt = try test.store.persist(batch)
            own.formUnion(batch.events.filter { $0.header.log.author == test.me }.map(\.id))
            check(receipt, before, after, own: own, seed)
            before = after
            if random.chance(20) { try test.store.maintain() }
            if random.chance(40) { _ = try test.store.searchStep(from: 1) }
            if random.chance(15) { try test.reopen() }
            if random.chance(10) { try test.store.rebuildProjections() }
            if random.chance(40) || rest.isEmpty {
                let comparison = Comparison(store: test.store, audit: audit, own: test.log, note: "seed \(seed)")
                try comparison.check(after, &random)
            }
        }
    }

    /// Adds some of the missing bodies, some that are not missing, and some with wrong bytes.
    private func addBodies(
        to batch: inout PersistBatch,
        _ scenario: Scenario,
        _ audit: Audit,
        _ before: Findings,
        _ random: inout SeededGenerator
    ) {
        for body in scenario.bodies(of: audit.records(before)) where random.chance(20) {
            batch.bodies.append(body)
            if random.chance(20) { batch.bodies[batch.bodies.count - 1].body.append(0) }
        }
        for writer in scenario.writers {
            guard random.chance(10), let body = writer.events.randomElement(using: &random)?.found else { continue }
            batch.bodies.append(body)
        }
    }

    private func addWatermarks(to batch: inout PersistBatch, _ audit: inout Audit, _ random: inout SeededGenerator) {
        for (key, events) in audit.logs.sorted(by: { $0.key.log < $1.key.log }) where random.chance(10) {
            let member = random.chance(60) ? audit.me : PeerID(value: random.bytes32())
            let replica = member == audit.me ? ReplicaID([UInt8](repeating: 1, count: 16)) : random.replica()
            guard let replica else { continue }
            let level: WatermarkLevel = random.chance(80) ? .read : .delivered
            let watermark = WatermarkRecord.Key(
                conversation: key.conversation,
                member: member,
                replica: replica,
                log: key.log,
                level: level
            )
            // The engine merges watermarks by maximum before it stores them; some are ahead of what is held.
            let old = audit.watermarks[watermark]?.position.sequence ?? 0
            let sequence = old + UInt64.random(in: 0...UInt64(events.count) / 2 + 1, using: &random)
            let record = WatermarkRecord(
                key: watermark,
                position: LogPosition(sequence: sequence, head: EventID(value: random.bytes32())),
                signature: random.chance(50) ? random.bytes(64) : nil,
                learnt: Int64(random.next() >> 24)
            )
            audit.take(record)
            batch.watermarks.append(record)
        }
        // A watermark is dropped when enough replicas of its member are further.
        let others = audit.watermarks.values.filter { $0.key.member != audit.me }.sorted { $0.learnt < $1.learnt }
        if random.chance(30), var dropped = others.randomElement(using: &random) {
            dropped.position = .start
            audit.take(dropped)
            batch.watermarks.append(dropped)
        }
    }

    private func addSignatureAndName(
        to batch: inout PersistBatch,
        _ audit: inout Audit,
        own: LogID,
        _ random: inout SeededGenerator
    ) {
        for (key, events) in audit.logs.sorted(by: { $0.key.log < $1.key.log }) {
            let last = UInt64(events.count)
            if key.log == own, audit.signed[key, default: 0] < last, random.chance(30) {
                batch.signatures.append(
                    HeadSignature(
                        conversation: key.conversation,
                        log: own,
                        sequence: last,
                        signature: random.bytes(64)
                    )
                )
                audit.signed[key] = last
            } else if random.chance(10) {
                audit.named[key] = last
                batch.named.append(NamedLog(conversation: key.conversation, log: key.log, sequence: last))
            }
        }
    }

    private func check(
        _ receipt: PersistReceipt,
        _ before: Findings,
        _ after: Findings,
        own: Set<EventID>,
        _ seed: UInt64
    ) {
        var visible = before.messages
        for message in receipt.shown {
            #expect(visible.updateValue(message, forKey: message.id) == nil, "seed \(seed)")
        }
        for id in receipt.withdrawn {
            #expect(visible.removeValue(forKey: id) != nil || own.contains(id), "seed \(seed)")
        }
        for message in receipt.voided {
            visible[message.id] = nil
            #expect(message.isVoid && own.contains(message.id), "seed \(seed)")
        }
        for message in receipt.changed {
            let old = visible.updateValue(message, forKey: message.id)
            #expect(old != nil && old != message, "seed \(seed)")
        }
        #expect(visible == after.messages, "seed \(seed)")
        var applied = before.applied
        for log in receipt.applied {
            let key = LogKey(log.conversation, log.log)
            #expect(applied.updateValue(Int(log.position.sequence), forKey: key) != Int(log.position.sequence))
        }
        #expect(applied == after.applied, "seed \(seed)")
        var missing = before.missing
        for log in receipt.missing {
            let now = log.sequences.isEmpty ? nil : log.sequences
            #expect(missing.updateValue(now ?? [], forKey: LogKey(log.conversation, log.log)) != now, "seed \(seed)")
            missing[LogKey(log.conversation, log.log)] = now
        }
        #expect(missing == after.missing, "seed \(seed)")
        var labels = before.labels
        for label in receipt.labels {
            #expect(labels.updateValue(label, forKey: label.conversation) != label, "seed \(seed)")
        }
        #expect(labels == after.labels, "seed \(seed)")
        var lifetimes = before.lifetimes
        for terms in receipt.lifetimes {
            // What was set may count no longer.
            let now = terms.own == nil && terms.others == nil ? nil : terms
            #expect(lifetimes[terms.conversation] != now, "seed \(seed)")
            lifetimes[terms.conversation] = now
        }
        #expect(lifetimes == after.lifetimes, "seed \(seed)")
    }
}
