import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// A clock that was wrong for a while does not cost a node its couriers.
@Suite struct CourierClockTests {
    private static let year: Int64 = 365 * 86_400_000

    private func prekeys(_ bench: inout EngineBench, _ bob: RemotePeer, on link: UInt64) throws -> WirePrekeys {
        if link > 1 { bench.feed(.linkClosed(LinkID(link - 1), .closed)) }
        bench.opened(link, with: bob)
        bench.received(bob.hello(), on: link)
        bench.pass(Limits.courierDelayMilliseconds)
        let sent = bench.takeFrames(on: link).compactMap { if case .prekeys(let keys) = $0 { keys } else { nil } }
        return try #require(sent.first)
    }

    private func doctor(_ bench: inout EngineBench) throws -> DoctorView {
        guard case .success(.doctor(let view)) = try bench.ask(.examine(who: nil)) else {
            throw EngineBench.Unexpected(what: "no diagnosis")
        }
        return view
    }

    @Test func keysMadeAheadOfTimeAreReplaced() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.setClock(forward: Self.year)
        _ = try prekeys(&bench, bob, on: 1)
        bench.setClock(forward: -Self.year)
        #expect(try doctor(&bench).clockWentBack != nil, "the keys tell before they are replaced")
        let keys = try prekeys(&bench, bob, on: 2)
        #expect(Int64(keys.made) <= bench.now.wall && keys.oneTime.count == Limits.oneTimePrekeys)
        #expect(bench.disk.snapshot.prekeys.count == 2 * (1 + Limits.oneTimePrekeys), "what was given may be used")
        let back = try #require(try doctor(&bench).clockWentBack)
        #expect(back > Self.year - 60_000 && back <= Self.year)
        #expect(try prekeys(&bench, bob, on: 3) == keys, "nothing is replaced twice")
    }

    /// Keys that were made at most `clockSkewMilliseconds` later than now are kept; keys with a later time are
    /// replaced.
    @Test(arguments: [0, 1]) func aLittleAheadIsNothing(_ over: Int64) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        let keys = try prekeys(&bench, bob, on: 1)
        bench.setClock(forward: Int64(keys.made) - bench.now.wall - Limits.clockSkewMilliseconds - over)
        #expect((try doctor(&bench).clockWentBack == nil) == (over == 0))
        bench.setClock(forward: -Limits.courierDelayMilliseconds)
        let later = try prekeys(&bench, bob, on: 2)
        #expect((later.daily == keys.daily) == (over == 0))
    }

    /// Whatever the clock shows, what was sealed to a key that was given can be opened for 8 days.
    @Test(arguments: [-3_650, -9, 9, 3_650] as [Int64])
    func aJumpOfTheClockErasesNoPrekey(days: Int64) throws {
        let jump = days * 86_400_000
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        let given = try prekeys(&bench, bob, on: 1)
        let before = bench.disk.snapshot.prekeys.map(\.id)
        bench.setClock(forward: jump)
        let other = try prekeys(&bench, bob, on: 2)
        #expect(other.daily != given.daily, "a new key of the day is given")
        bench.pass(7 * 86_400_000)
        bench.setClock(forward: -jump)
        _ = try prekeys(&bench, bob, on: 3)
        #expect(Set(bench.disk.snapshot.prekeys.map(\.id)).isSuperset(of: before))
    }

    @Test(arguments: [-3_650, 0, 3_650] as [Int64])
    func aPrekeyIsErasedAfterEightDaysOfRunning(days: Int64) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try prekeys(&bench, bob, on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        let before = Set(bench.disk.snapshot.prekeys.map(\.id))
        bench.setClock(forward: days * 86_400_000)
        bench.pass(Limits.prekeyKeptMilliseconds - 60_000)
        #expect(before.isSubset(of: bench.disk.snapshot.prekeys.map(\.id)))
        bench.pass(60_000)
        #expect(before.isDisjoint(with: bench.disk.snapshot.prekeys.map(\.id)))
    }

    /// A node that is on for a few hours a day and writes nothing else counts them all the same.
    @Test func runningTimeIsCountedOverAllStarts() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try prekeys(&bench, bob, on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        let before = Set(bench.disk.snapshot.prekeys.map(\.id))
        let step = Limits.runningTimeNotedMilliseconds
        let starts = Limits.prekeyKeptMilliseconds / step
        for start in 1...starts {
            #expect(before.isSubset(of: bench.disk.snapshot.prekeys.map(\.id)), "start \(start)")
            // The rest of each run, after it was written down, is lost.
            bench.pass(step + 1)
            bench.setClock(forward: 86_400_000)
            bench.restart(peers: [bob.record()])
        }
        #expect(bench.disk.snapshot.ran >= Limits.prekeyKeptMilliseconds)
        bench.pass(1)
        #expect(before.isDisjoint(with: bench.disk.snapshot.prekeys.map(\.id)))
    }

    @Test func keysOfAClockThatIsAheadDoNotTakeThePlaceOfGoodOnes() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try prekeys(&bench, bob, on: 1)
        func take(_ number: UInt8, made: Int64) throws -> Bool {
            var keys = WirePrekeys()
            keys.daily = Data(repeating: number, count: 32)
            keys.made = UInt64(made)
            keys.signature = Data(bob.key.sign([0x0D] + [UInt8](keys.daily) + keys.made.bigEndianBytes))
            bench.received(.prekeys(keys), on: 1)
            return try bench.view(of: bob.identity).record.prekeys == keys.encodedBytes()
        }
        let ahead = bench.now.wall + Limits.prekeyMilliseconds + 1
        #expect(try take(1, made: ahead), "with none, they may be good once the own clock is right")
        #expect(try take(2, made: bench.now.wall))
        #expect(try !take(3, made: ahead))
        #expect(try take(4, made: ahead - 1))
        #expect(bench.closed.isEmpty)
    }
}
