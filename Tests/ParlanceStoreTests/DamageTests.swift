import Foundation
import ParlanceCore
import ParlanceStore
import ParlanceWire
import Testing

/// A disk returns other bytes than were written: the store reports that and never ends the program.
@Suite struct DamageTests {
    enum Damage: CaseIterable {
        case zeroes, noise, otherPage, fewBytes, cut
    }

    @Test(arguments: Damage.allCases) func aDamagedStoreIsAnErrorAtMost(damage: Damage) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let test = try TestStore(&random)
        let scenario = Scenario(me: test.log, &random, events: 300)
        var batch = PersistBatch(id: BatchID(1))
        batch.conversations = scenario.conversations
        batch.events = Array(scenario.shuffled(&random))
        batch.membership = scenario.invitation
        _ = try test.store.persist(batch)
        test.store.close()
        let file = URL(fileURLWithPath: test.folder + "/store.sqlite")
        let whole = try Data(contentsOf: file)
        var noticed = 0
        for round in 0..<20 {
            let folder = test.folder + "/copy"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try whole.damaged(by: damage, &random).write(to: URL(fileURLWithPath: folder + "/store.sqlite"))
            var damaged = DamagedStore(test, scenario)
            let errors = damaged.use(folder)
            #expect(damaged.left.isEmpty, "seed \(seed), round \(round)")
            noticed += errors.isEmpty ? 0 : 1
            for error in errors {
                let codes: [StoreError.Code] = [.fatal, .foreign, .otherIdentity, .newerSchema, .cannotOpen]
                #expect(codes.contains(error.code), "seed \(seed), round \(round): \(error)")
            }
        }
        #expect(damage == .fewBytes || noticed > 5, "seed \(seed): \(noticed) damages noticed")
    }
}

extension Data {
    /// The bytes that a damaged disk could return.
    fileprivate func damaged(by damage: DamageTests.Damage, _ random: inout SeededGenerator) -> Data {
        let page = 4096
        var bytes = self
        func place(_ random: inout SeededGenerator) -> Int { Int.random(in: 0..<count / page, using: &random) * page }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            // At least one in ten hits the first page, without which nothing opens.
            let start = random.chance(10) ? 0 : place(&random)
            switch damage {
            case .zeroes: bytes.resetBytes(in: start..<start + page)
            case .noise: bytes.replaceSubrange(start..<start + page, with: random.bytes(page))
            case .otherPage:
                let other = place(&random)
                bytes.replaceSubrange(start..<start + page, with: self[other..<other + page])
            case .fewBytes:
                for _ in 0..<Int.random(in: 1...16, using: &random) {
                    bytes[start + Int.random(in: 0..<page, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            case .cut: bytes = bytes.prefix(Swift.max(page, start))
            }
        }
        return bytes
    }
}
