import ParlanceCore
import ParlanceWire
import Testing

/// What people see of an event. The cases of single bodies stand in `protocol/vectors/events/bodies.json`.
@Suite struct ProjectorTests {
    private let remote: RemotePeer
    private let ada: PeerID

    init() throws {
        remote = try RemotePeer()
        ada = try EngineBench.peer(1)
    }

    private func applied(_ event: StoredEvent, effective: UInt64 = 0) -> Projector.Applied {
        Projector.Applied(id: event.id, time: event.header.time, effective: effective)
    }

    @Test func aTimeMustBeAfterThePredecessors() {
        var remote = remote
        let first = remote.write("first", to: ada, time: 1_000)
        let same = remote.write("same", to: ada, time: 1_000)
        let earlier = remote.write("earlier", to: ada, time: 999)
        let later = remote.write("later", to: ada, time: 1_001)
        #expect(Projector.judge(first, after: nil) == .message(text: "first", mentions: []))
        #expect(Projector.judge(same, after: applied(first)) == .void(.timeNotAfterPredecessor))
        #expect(Projector.judge(earlier, after: applied(same)) == .void(.timeNotAfterPredecessor))
        #expect(Projector.judge(later, after: applied(earlier)) == .message(text: "later", mentions: []))
    }

    /// The rule of time comes before all others, so that every reader gives the same reason.
    @Test func aLateEventIsVoidWhateverItsKind() {
        for kind in [EventKind.message, .withdraw, .link, .unknown(99)] {
            var remote = remote
            let first = remote.write("first", to: ada, time: 1_000)
            let late = remote.write("", to: ada, kind: kind, time: 1_000)
            #expect(Projector.judge(late, after: applied(first)) == .void(.timeNotAfterPredecessor))
        }
    }

    @Test func anAuthorAtTheEndOfTimeIsVoidFromThereOn() {
        var remote = remote
        let last = remote.write("last", to: ada, time: .max)
        let beyond = remote.write("beyond", to: ada, time: .max)
        #expect(Projector.judge(last, after: nil) == .message(text: "last", mentions: []))
        #expect(Projector.judge(beyond, after: applied(last)) == .void(.timeNotAfterPredecessor))
    }

    @Test func effectiveTimesNeverGoOverTheGreatest() {
        let latest = UInt64(Int64.max)
        #expect(Projector.latest == latest)
        #expect(Projector.effective(time: EventTime(raw: .max), after: []) == Projector.latestOwn)
        #expect(
            Projector.effective(time: EventTime(raw: .max), after: [Projector.latestOwn]) == Projector.latestOwn + 1
        )
        #expect(Projector.effective(time: EventTime(raw: 0), after: [latest, 3]) == latest)
        #expect(Projector.effective(time: EventTime(raw: 0), after: [latest - 1]) == latest)
        #expect(Projector.effective(time: EventTime(raw: 0), after: [UInt64.max]) == latest)
    }

    /// Whatever clocks say, an event stands after all that it follows, and the order of what it follows does not matter.
    @Test func anAnswerNeverStandsAboveItsQuestion() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let time = EventTime(raw: random.next() >> UInt64(random.below(64)))
            let earlier = (0..<random.below(5)).map { _ in random.next() >> UInt64(1 + random.below(63)) }
            let effective = Projector.effective(time: time, after: earlier)
            #expect(earlier.allSatisfy { $0 < effective || $0 == Projector.latest }, "seed \(seed)")
            #expect(effective >= min(time.raw, Projector.latestOwn), "seed \(seed)")
            #expect(effective == Projector.effective(time: time, after: earlier.reversed()), "seed \(seed)")
        }
    }

    @Test func blankIsWhatHasNothingToRead() {
        for text in ["", " ", "\t\r\n", "\u{a0}\u{2003}\u{3000}\u{2028}"] {
            #expect(text.isBlank, "\(text.debugDescription)")
        }
        for text in ["a", " a ", "\u{200b}", "\u{1f642}", "\u{0}"] {
            #expect(!text.isBlank, "\(text.debugDescription)")
        }
    }
}
