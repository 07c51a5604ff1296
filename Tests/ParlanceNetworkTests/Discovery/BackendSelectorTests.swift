import ParlanceRandom
import ParlanceWords
import Testing

@testable import ParlanceNetwork

@Suite struct BackendSelectorTests {
    private func ticket(_ actions: [BackendSelector.Action]) -> Int? {
        for case .wake(_, let ticket) in actions.reversed() { return ticket }
        return nil
    }

    private func pause(_ actions: [BackendSelector.Action]) -> Duration? {
        for case .wake(let pause, _) in actions.reversed() { return pause }
        return nil
    }

    @Test func theSystemsServiceIsUsedWhereItAnswers() {
        var selector = BackendSelector(mode: .auto)
        #expect(selector.handle(.started) == [.start(.system), .wake(after: .seconds(5), ticket: 1)])
        #expect(selector.handle(.up(.system)) == [.report(.system, reason: "")])
        #expect(selector.handle(.woke(ticket: 1)).isEmpty, "the trial is over")
    }

    @Test func theEmbeddedOneIsUsedWhereItDoesNot() {
        var selector = BackendSelector(mode: .auto)
        _ = selector.handle(.started)
        #expect(selector.handle(.failed(.system, reason: "no")) == [.stop(.system), .start(.embedded)])
        let up = selector.handle(.up(.embedded))
        #expect(up.first == .report(.embedded, reason: ""))
        #expect(pause(up) == .seconds(1), "it is looked for again")
    }

    @Test func aServiceThatHangsIsGivenUp() {
        var selector = BackendSelector(mode: .auto)
        let wake = ticket(selector.handle(.started)) ?? 0
        #expect(selector.handle(.woke(ticket: wake)) == [.stop(.system), .start(.embedded)])
        #expect(selector.handle(.up(.system)).isEmpty, "too late")
    }

    @Test func aServiceThatAppearsIsMovedToOnceItWorks() {
        var selector = BackendSelector(mode: .auto)
        _ = selector.handle(.started)
        _ = selector.handle(.failed(.system, reason: "no"))
        let wake = ticket(selector.handle(.up(.embedded))) ?? 0
        #expect(selector.handle(.woke(ticket: wake)).first == .start(.system))
        #expect(selector.handle(.up(.system)) == [.report(.system, reason: ""), .stop(.embedded)])
        #expect(selector.handle(.failed(.system, reason: "died")) == [.stop(.system), .start(.embedded)])
    }

    @Test func retriesSlowDown() {
        var alone = BackendSelector(mode: .embedded)
        #expect(alone.handle(.started) == [.start(.embedded)])
        var pauses: [Duration] = []
        for _ in 0..<8 {
            let actions = alone.handle(.failed(.embedded, reason: "no"))
            #expect(actions.contains(.report(nil, reason: "no")))
            pauses.append(pause(actions) ?? .zero)
            #expect(alone.handle(.woke(ticket: ticket(actions) ?? 0)) == [.start(.embedded)])
        }
        #expect(pauses == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })

        var both = BackendSelector(mode: .auto)
        _ = both.handle(.started)
        _ = both.handle(.failed(.system, reason: "no"))
        var last = both.handle(.up(.embedded))
        for _ in 0..<20 {
            _ = both.handle(.woke(ticket: ticket(last) ?? 0))
            last = both.handle(.failed(.system, reason: "no"))
        }
        #expect(pause(last) == BackendSelector.longestRecheck)
    }

    @Test func aNewNetworkIsTriedAtOnce() {
        var selector = BackendSelector(mode: .embedded)
        _ = selector.handle(.started)
        let failed = selector.handle(.failed(.embedded, reason: "no"))
        #expect(selector.handle(.networkChanged) == [.start(.embedded)])
        #expect(selector.handle(.woke(ticket: ticket(failed) ?? 0)).isEmpty, "it is under way")
    }

    @Test func offIsOff() {
        var selector = BackendSelector(mode: .off)
        #expect(selector.handle(.started).isEmpty)
        #expect(selector.handle(.networkChanged).isEmpty)
    }

    @Test func oneModeNeverStartsTheOther() {
        for (mode, other) in [(DiscoveryMode.system, BackendSelector.Kind.embedded), (.embedded, .system)] {
            let trace = walk(mode, seed: 1)
            #expect(!trace.contains(.start(other)))
        }
    }

    /// In any order of events, no backend is started twice or stopped twice, and the selector never waits for nothing.
    @Test(arguments: [DiscoveryMode.auto, .system, .embedded])
    func itNeverGetsStuck(mode: DiscoveryMode) {
        let seed = UInt64.random(in: 0...UInt64.max)
        for round in 0..<200 { _ = walk(mode, seed: seed &+ UInt64(round)) }
    }

    private func walk(_ mode: DiscoveryMode, seed: UInt64) -> [BackendSelector.Action] {
        var random = SplitMix(seed: seed)
        var selector = BackendSelector(mode: mode)
        var running: Set<BackendSelector.Kind> = []
        var pending: Int?
        var trace: [BackendSelector.Action] = []
        var input = BackendSelector.Input.started
        for _ in 0..<100 {
            let actions = selector.handle(input)
            if case .woke(let ticket) = input, ticket == pending { pending = nil }
            for action in actions {
                switch action {
                case .start(let kind): #expect(running.insert(kind).inserted, "seed \(seed)")
                case .stop(let kind): #expect(running.remove(kind) != nil, "seed \(seed)")
                case .wake(let pause, let ticket):
                    #expect(pause > .zero && pause <= BackendSelector.longestRecheck, "seed \(seed)")
                    pending = ticket
                case .report(let kind, _):
                    if let kind { #expect(running.contains(kind), "seed \(seed)") }
                }
            }
            trace += actions
            #expect(!running.isEmpty || pending != nil, "seed \(seed): nothing runs and nothing is to be tried")
            let kind = Bool.random(using: &random) ? BackendSelector.Kind.system : .embedded
            switch Int.random(in: 0..<4, using: &random) {
            case 0 where running.contains(kind): input = .up(kind)
            case 1 where running.contains(kind): input = .failed(kind, reason: "no")
            case 2: input = .networkChanged
            default: input = .woke(ticket: pending ?? 0)
            }
        }
        return trace
    }
}
