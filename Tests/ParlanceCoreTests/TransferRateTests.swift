import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// A limit of what is sent and fetched of files.
@Suite struct TransferRateTests {
    private static let size = 10_000_000
    private static let rate: UInt64 = 1_000_000
    /// The burst at the beginning, and the time that is needed without a limit.
    private static let aboutTenSeconds: ClosedRange<Int64> = 9_600...10_800

    /// Milliseconds until the condition holds.
    private func time(_ office: TransferWorld, until condition: () throws -> Bool) throws -> Int64 {
        let began = office.world.now
        #expect(try office.world.run(until: condition, within: 600_000))
        return office.world.now - began
    }

    private func limit(_ rate: UInt64?, _ node: Int, in office: TransferWorld) {
        office.world.tell(.fileRateChanged(rate), to: node)
        office.world.run(for: 0)
    }

    private func has(_ node: Int, _ mention: FileMention, in office: TransferWorld) -> Bool {
        office.world.nodes[node].shelf.whole[mention.file] != nil
    }

    private func stops(_ reason: WireFileStopReason, of node: Int, in office: TransferWorld) -> Int {
        office.frames[node].compactMap(\.asFileStop).count { $0.reason == reason }
    }

    /// The sender limits, or the receiver.
    @Test(arguments: [0, 1])
    func aFileTakesAsLongAsTheRateSays(node: Int) throws {
        let office = try TransferWorld(size: Self.size)
        limit(Self.rate, node, in: office)
        office.fetch(by: 1)
        let took = try time(office) { try office.isDone(1) }
        #expect(Self.aboutTenSeconds.contains(took), "\(took) ms")
        #expect(office.sentBytes[0] == Self.size && office.breaches.isEmpty && office.violations.isEmpty)
    }

    @Test(arguments: [0, 1])
    func aRateHoldsFromTheStartOn(node: Int) throws {
        let office = try TransferWorld(size: Self.size)
        office.world.stop(node)
        office.world.run(for: 1_000)
        office.world.nodes[node].fileRate = Self.rate
        office.world.start(node)
        office.world.run(for: 30_000)
        office.fetch(by: 1)
        let took = try time(office) { try office.isDone(1) }
        #expect(Self.aboutTenSeconds.contains(took), "\(took) ms")
    }

    @Test func withoutALimitNothingChanges() throws {
        let offices = try [false, true].map { isTold in
            let office = try TransferWorld(size: Self.size)
            if isTold { limit(nil, 0, in: office) } else { office.world.run(for: 0) }
            office.fetch(by: 1)
            #expect(try time(office) { try office.isDone(1) } < 5_000)
            return office
        }
        #expect(offices[0].frames == offices[1].frames && offices[0].world.now == offices[1].world.now)
    }

    /// One receiver of two files that one sender has, or two senders.
    @Test(arguments: [0, 1])
    func twoFilesShareWhatAReceiverFetches(other: Int) throws {
        let office = try TransferWorld(3, size: Self.size / 2)
        let second = try office.addFile(size: Self.size / 2, seed: 2, on: other)
        limit(Self.rate, 2, in: office)
        office.fetch(by: 2)
        office.world.give(.fetch(office.group, second), to: 2)
        office.world.run(for: 5_000)
        let shelf = office.world.nodes[2].shelf
        let parts = [office.mention, second].map { shelf.whole[$0.file] == nil ? shelf.count(of: $0.file) : .max }
        if other == 1 { #expect(parts.allSatisfy { (30...50).contains($0) }, "both come at the same time: \(parts)") }
        let took = try time(office) { try has(2, second, in: office) && office.isDone(2) }
        #expect(Self.aboutTenSeconds.contains(took + 5_000), "\(took) ms")
    }

    @Test func twoFilesShareWhatASenderSends() throws {
        let office = try TransferWorld(3, size: Self.size / 2)
        let second = try office.addFile(size: Self.size / 2, seed: 2)
        limit(Self.rate, 0, in: office)
        office.fetch(by: 1)
        office.world.give(.fetch(office.group, second), to: 2)
        office.world.run(for: 5_000)
        let parts = [(1, office.mention), (2, second)].map { office.world.nodes[$0].shelf.count(of: $1.file) }
        #expect(parts.allSatisfy { (30...50).contains($0) }, "both come at the same time: \(parts)")
        let took = try time(office) { try has(2, second, in: office) && office.isDone(1) }
        #expect(Self.aboutTenSeconds.contains(took + 5_000), "\(took) ms")
    }

    @Test(arguments: [0, 1])
    func aLimitThatEndsHoldsNothingBack(node: Int) throws {
        let office = try TransferWorld(size: Self.size)
        limit(Self.rate, node, in: office)
        office.fetch(by: 1)
        office.world.run(for: 4_000)
        #expect(!office.isWhole(1))
        limit(nil, node, in: office)
        let took = try time(office) { try office.isDone(1) }
        #expect(took < 3_000, "\(took) ms")
    }

    /// With as much on its way as there can be.
    @Test(arguments: [0, 1])
    func aLimitThatBeginsHoldsAtOnce(node: Int) throws {
        let office = try TransferWorld(size: Self.size)
        office.world.network.slowest = 200
        office.fetch(by: 1)
        #expect(office.runUntilPart(at: 1))
        limit(Limits.leastFileRate, node, in: office)
        office.world.run(for: 2_000)
        let before = office.sentBytes[0]
        office.world.run(for: 60_000)
        let bytes = office.sentBytes[0] - before
        #expect(abs(bytes - 60 * Int(Limits.leastFileRate)) <= 3 * Limits.pieceBytes, "\(bytes)")
        #expect(!office.isWhole(1))
        limit(nil, node, in: office)
        office.world.network.slowest = 10
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 30_000))
        #expect(stops(.enough, of: 1, in: office) == 1, "nobody was dropped before the end")
        #expect(office.breaches.isEmpty && office.violations.isEmpty)
    }

    @Test(arguments: [0, 1])
    func messagesAreNotLimited(node: Int) throws {
        let office = try TransferWorld(size: Self.size)
        limit(Limits.leastFileRate, node, in: office)
        office.fetch(by: 1)
        office.world.run(for: 5_000)
        let text = String(repeating: "word ", count: 1_000)
        for number in 1...50 {
            office.world.give(.send(who: office.world.nodes[1].identity.grouped, text: "\(number) \(text)"), to: 0)
        }
        let took = try time(office) {
            let texts = office.world.nodes[1].notices.compactMap { notice in
                if case .message(let message) = notice { message.text } else { nil }
            }
            return texts.count { $0.hasSuffix(text) } == 50
        }
        #expect(took < 1_000, "\(took) ms for 250,000 bytes")
    }

    /// The author sends as little as it can, and nobody takes it for one that stalls.
    @Test func aGroupFetchesFromASlowAuthor() throws {
        let office = try TransferWorld(8, size: 2_000_000)
        limit(Limits.leastFileRate, 0, in: office)
        for node in 1..<8 { office.fetch(by: node) }
        let took = try time(office) { try (1..<8).allSatisfy { try office.isDone($0) } }
        let copies = Double(office.sentBytes[0]) / 2_000_000
        #expect(copies <= 2, "\(office.sentBytes), \(took) ms")
        #expect(stops(.notHeld, of: 0, in: office) == 0)
        #expect(office.breaches.isEmpty && office.violations.isEmpty)
    }

    /// More want other files at the same time than each could have a piece in time: some ask again later, and nobody takes
    /// the sender for one that stalls.
    @Test func moreThanCanBeServedWaitWithoutAFailure() throws {
        let office = try TransferWorld(13, size: 150_000)
        var mentions = [office.mention]
        for node in 2..<13 { mentions.append(try office.addFile(size: 150_000, seed: UInt64(node))) }
        limit(Limits.leastFileRate, 0, in: office)
        for (place, mention) in mentions.enumerated() {
            office.world.give(.fetch(office.group, mention), to: place + 1)
        }
        var tries: UInt8 = 0
        _ = try time(office) {
            for (place, _) in mentions.enumerated() {
                for record in office.world.nodes[place + 1].disk.transfers.values { tries = max(tries, record.tries) }
            }
            return mentions.enumerated().allSatisfy { has($0.offset + 1, $0.element, in: office) }
        }
        office.world.run(for: 1_000)
        #expect(tries == 0)
        #expect(stops(.notHeld, of: 0, in: office) > 0, "some had to wait")
        for node in 1..<13 { #expect(stops(.enough, of: node, in: office) == 1, "node \(node) dropped a source") }
        #expect(office.breaches.isEmpty && office.violations.isEmpty)
    }

    /// Those who wait are as few as can be served when the rate falls.
    @Test func whoWouldWaitTooLongIsToldSo() throws {
        let office = try TransferWorld(13, size: 1_000_000)
        var mentions = [office.mention]
        for node in 2..<13 { mentions.append(try office.addFile(size: 1_000_000, seed: UInt64(node))) }
        limit(2 * Limits.leastFileRate, 0, in: office)
        for (place, mention) in mentions.enumerated() {
            office.world.give(.fetch(office.group, mention), to: place + 1)
        }
        office.world.run(for: 10_000)
        #expect(stops(.notHeld, of: 0, in: office) == 0)
        limit(Limits.leastFileRate, 0, in: office)
        #expect(stops(.notHeld, of: 0, in: office) > 0)
    }
}
