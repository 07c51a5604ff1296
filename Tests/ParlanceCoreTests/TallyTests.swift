import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceCore

/// Small tables that are bounded by their own rule.
@Suite struct TallyTests {
    private func peer(_ number: Int) -> PeerID {
        PeerID(value: Bytes32(hashing: [UInt8(number % 256), UInt8(number / 256)], domain: 0))
    }

    @Test func breachesBeyondTheBoundAreReportedOnceOthersHavePaused() {
        var tally = BreachTally()
        for number in 0..<Limits.breachPeers {
            let times = tally.add(peer(number), at: 0)
            #expect(times == 1)
        }
        let beyond = tally.add(peer(Limits.breachPeers), at: 1)
        #expect(beyond == nil, "so many are counted")
        let again = tally.add(peer(0), at: Limits.breachPauseMilliseconds - 1)
        #expect(again == nil, "a minute has not passed")
        let later = tally.add(peer(0), at: Limits.breachPauseMilliseconds)
        #expect(later == 2, "with the one that was not reported")
        let other = tally.add(peer(Limits.breachPeers), at: Limits.breachPauseMilliseconds)
        #expect(other == 1)
    }

    @Test func theLastHeadsAreKnown() throws {
        var heads = OwnHeads()
        let log = LogID(author: peer(1), replica: EngineBench.replica(1))
        func position(_ sequence: Int) -> LogPosition {
            LogPosition(sequence: UInt64(sequence), head: EventID(hashing: [UInt8(sequence % 256)]))
        }
        for sequence in 1...Limits.ownHeads { heads.note(position(sequence), of: log) }
        #expect(heads.head(at: 1, of: log) == position(1).head)
        heads.note(position(Limits.ownHeads + 1), of: log)
        #expect(heads.head(at: 1, of: log) == nil)
        let last = UInt64(Limits.ownHeads + 1)
        #expect(heads.head(at: last, of: log) == position(Limits.ownHeads + 1).head)
    }
}
