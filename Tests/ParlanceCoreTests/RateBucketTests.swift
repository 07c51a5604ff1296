import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceCore

/// What a limited rate lets pass, and who waits for it.
@Suite struct RateBucketTests {
    private static let piece = Int64(Limits.pieceBytes)

    /// Not one byte is lost or won in rounding, however the time is divided.
    @Test func exactlyTheRatePasses() {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<50 {
            let rate = Int64(Limits.leastFileRate) + random.below(3) * random.below(1 << 24) + random.below(1_000)
            var bucket = RateBucket()
            var now = random.below(1 << 40)
            let began = now
            bucket.set(UInt64(rate), at: now)
            var passed: Int64 = 0
            for _ in 0..<2_000 {
                let pieces = bucket.pieces(at: now)
                bucket.take(UInt64(pieces) * UInt64(Limits.pieceBytes))
                passed += Int64(pieces)
                now += random.below(Limits.fileRateBurstMilliseconds / 2)
            }
            passed += Int64(bucket.pieces(at: now))
            let full = max(2 * Self.piece * 1_000, rate * Limits.fileRateBurstMilliseconds)
            #expect(passed == (full + rate * (now - began)) / (Self.piece * 1_000), "rate \(rate), seed \(seed)")
        }
    }

    @Test func noMoreThanABurstGathers() {
        var bucket = RateBucket()
        bucket.set(1 << 20, at: 0)
        let burst = Int((1 << 20) * Limits.fileRateBurstMilliseconds / 1_000 / Self.piece)
        for moment in [0, 1_000, 1 << 40, .max / 2] as [Int64] {
            #expect(bucket.pieces(at: moment) == burst, "\(moment)")
            bucket.take(UInt64(burst * Limits.pieceBytes))
            #expect(bucket.pieces(at: moment) == 0)
        }
        #expect(bucket.pieces(at: 0) == 0, "a clock that goes back gives nothing")
    }

    @Test func theNextMomentIsWhenAPieceHasGathered() {
        var bucket = RateBucket()
        bucket.set(Limits.leastFileRate, at: 1_000)
        bucket.take(2 * UInt64(Limits.pieceBytes))
        let moment = bucket.nextMoment(at: 1_100)
        #expect(moment == 1_500)
        let pieces = [moment - 1, moment].map { bucket.pieces(at: $0) }
        #expect(pieces == [0, 1])
        // A high rate does not wake the node for each piece.
        bucket.set(nil, at: 2_000)
        bucket.set(1 << 30, at: 2_000)
        bucket.take(UInt64(bucket.pieces(at: 2_000) * Limits.pieceBytes))
        let next = bucket.nextMoment(at: 2_000)
        #expect(next == 2_000 + Limits.fileRatePauseMilliseconds)
    }

    @Test func withoutALimitEverythingPasses() {
        var bucket = RateBucket()
        for _ in 0..<10 {
            bucket.take(.max)
            #expect(bucket.pieces(at: 0) == .max && bucket.turns == .max)
        }
    }

    /// Whatever is set, a rate is one that can be kept.
    @Test func aRateIsNeverTooSmallOrTooLarge() {
        var bucket = RateBucket()
        for (given, rate) in [
            (0, Limits.leastFileRate), (Limits.leastFileRate - 1, Limits.leastFileRate), (1_000_000, 1_000_000),
            (.max, Limits.fileBytes),
        ] {
            bucket.set(given, at: 0)
            #expect(bucket.rate == Int64(rate))
            #expect(bucket.pieces(at: .max / 2) >= 2)
        }
    }

    /// Each who waits gets a piece long before it takes this node for one that stalls.
    @Test func thoseWhoWaitGetAPieceInTime() {
        var bucket = RateBucket()
        bucket.set(Limits.leastFileRate, at: 0)
        let round = Int64(bucket.turns) * Self.piece * 1_000 / Int64(Limits.leastFileRate)
        #expect(bucket.turns == 10 && round <= Limits.fileTurnMilliseconds)
        #expect(Limits.fileTurnMilliseconds * 2 <= Limits.fileStallMilliseconds)
    }

    /// However many wait, each gets its share in time at any rate.
    @Test func sharesOfAllWhoWaitPassInTime() {
        var bucket = RateBucket()
        for rate in [Limits.leastFileRate, 1_000_000, 16 << 20, 1 << 30] {
            bucket.set(rate, at: 0)
            for readers in Set([1, 2, 3, 7, 8, bucket.turns / 2, bucket.turns - 1, bucket.turns]) {
                let round = Int64(readers * bucket.share(of: readers)) * Self.piece * 1_000 / Int64(rate)
                #expect(bucket.share(of: readers) >= 1 && round <= Limits.fileTurnMilliseconds, "\(readers) at \(rate)")
            }
            #expect(bucket.share(of: 0) == bucket.turns && bucket.share(of: bucket.turns) == 1)
        }
    }

    @Test func readersComeInTurn() {
        let readers = (0..<5).map { number in
            ReadTurns.Reader(
                link: LinkID(UInt64(number % 2)),
                file: FileID(value: Bytes32(hashing: [UInt8(number)], domain: 0))
            )
        }
        var turns = ReadTurns()
        for reader in readers + readers { turns.add(reader) }
        #expect(turns.count == 5, "once each")
        let surplus = turns.takeSurplus(over: 4)
        #expect(surplus == [readers[4]] && turns.count == 4)
        let first = turns.takeFirst()
        turns.add(readers[0])
        turns.remove(readers[2])
        let second = turns.takeFirst()
        #expect([first, second] == [readers[0], readers[1]])
        turns.drop(LinkID(0))
        #expect(turns.takeFirst() == readers[3] && turns.isEmpty)
    }
}
