import ParlanceCore
import ParlanceWire
import Testing

/// Who is shown as present, in virtual time.
@Suite struct PresenceTests {
    private let bob: RemotePeer

    init() throws { bob = try RemotePeer() }

    private func linked() throws -> EngineBench {
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = bench.takeEffects()
        return bench
    }

    private func heartbeats(_ frames: [WireFrame.OneOf_Kind]) -> [WireHeartbeat] {
        frames.compactMap { if case .heartbeat(let heartbeat) = $0 { heartbeat } else { nil } }
    }

    /// A node that ends without a word knows afterwards that the others were here.
    @Test func whoWasHereIsKnownAfterARestart() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let came = bench.now.wall
        bench.pass(5_000)
        var crashed = bench
        crashed.restart()
        #expect(try crashed.view(of: bob.identity).presence.lastSeen == came)
        bench.received(bob.hello().asHeartbeat, on: 1)
        let heard = bench.now.wall
        bench.pass(3_000)
        bench.stop()
        bench.restart()
        #expect(try bench.view(of: bob.identity).presence.lastSeen == heard)
    }

    /// A cable was pulled: the link stays up for a while, and nothing comes over it.
    @Test func whoIsSilentWasSeenWhenSomethingLastCame() throws {
        var bench = try linked()
        bench.pass(10_000)
        bench.received(bob.hello().asHeartbeat, on: 1)
        let heard = bench.now.wall
        bench.pass(Limits.heartbeatMilliseconds + 5_000)
        let silent = try bench.view(of: bob.identity)
        #expect(silent.connected && silent.presence.lastSeen == heard)
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        let cutOff = try bench.view(of: bob.identity)
        #expect(cutOff.presence.activity == .online && cutOff.presence.lastSeen == heard)
        bench.pass(Limits.offlineGraceMilliseconds)
        let gone = try bench.view(of: bob.identity)
        #expect(gone.presence.activity == nil && gone.presence.lastSeen == heard)
        #expect(gone.record.lastSeen == heard)
    }

    /// Any frame counts, also one of a kind that a later version knows.
    @Test func anyFrameIsASignOfLife() throws {
        var bench = try linked()
        bench.pass(10_000)
        bench.feed(.frameReceived(LinkID(1), WireFrame(), bytes: 0))
        #expect(try bench.view(of: bob.identity).presence.lastSeen == bench.now.wall)
    }

    /// Each copy of an identity has its own link; the one heard later may end first.
    @Test func ofTwoCopiesTheLatestSignCounts() throws {
        var bench = try linked()
        let copy = try RemotePeer(replica: 0x43)
        bench.open(2, with: copy)
        bench.pass(10_000)
        bench.received(bob.hello().asHeartbeat, on: 1)
        let heard = bench.now.wall
        bench.pass(5_000)
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        #expect(try bench.view(of: bob.identity).presence.lastSeen == heard)
        bench.feed(.linkClosed(LinkID(2), .cutOff))
        bench.pass(Limits.offlineGraceMilliseconds)
        #expect(try bench.view(of: bob.identity).presence.lastSeen == heard)
    }

    /// It is noted every hour that the others are here.
    @Test func whoIsHereForLongIsKnownAfterARestart() throws {
        var bench = try linked()
        let start = bench.now.wall
        for _ in 0..<(Limits.sweepMilliseconds / 30_000 + 2) {
            bench.pass(30_000)
            bench.received(bob.hello().asHeartbeat, on: 1)
        }
        bench.restart()
        let seen = try #require(try bench.view(of: bob.identity).presence.lastSeen)
        #expect(seen >= start + Limits.sweepMilliseconds - 30_000)
    }

    @Test func aHeartbeatGoesOutEveryThirtySeconds() throws {
        var bench = try linked()
        bench.pass(Limits.heartbeatMilliseconds - 1)
        #expect(heartbeats(bench.takeFrames(on: 1)).isEmpty)
        bench.pass(1)
        #expect(heartbeats(bench.takeFrames(on: 1)).count == 1)
        bench.received(bob.hello().asHeartbeat, on: 1)
        bench.pass(30_000)
        #expect(heartbeats(bench.takeFrames(on: 1)).count == 1)
    }

    @Test func aSilentLinkIsClosedAfterAMinuteAndItsPeerIsOfflineAfterTheGrace() throws {
        var bench = try linked()
        bench.pass(40_000)
        bench.received(bob.hello().asHeartbeat, on: 1)
        let seen = bench.now.wall
        bench.pass(Limits.silenceMilliseconds - 1)
        #expect(bench.closed.isEmpty)
        #expect(try bench.view(of: bob.identity).presence.activity == .online)
        bench.pass(1)
        #expect(bench.closed == [LinkID(1)])
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        bench.pass(Limits.offlineGraceMilliseconds - 1)
        #expect(try bench.view(of: bob.identity).presence.activity == .online)
        bench.pass(1)
        let presence = try bench.view(of: bob.identity).presence
        #expect(presence.activity == nil)
        #expect(presence.lastSeen == seen)
    }

    @Test func aReconnectWithinTheGraceDoesNotFlicker() throws {
        var bench = try linked()
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        bench.pass(4_000)
        bench.opened(2, with: bob)
        bench.received(bob.hello(), on: 2)
        bench.pass(20_000)
        let shown = bench.takeEffects().compactMap { effect -> Activity?? in
            if case .notify(.peer(let view)) = effect { view.presence.activity } else { nil }
        }
        #expect(!shown.isEmpty)
        #expect(shown.allSatisfy { $0 == .online })
    }

    /// A link without a hello shows nobody as present, and keeps nobody present.
    @Test func aLinkWithoutHelloIsNoPresence() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.opened(1, with: bob)
        #expect(try bench.view(of: bob.identity).presence.activity == nil)
    }

    @Test func whatAPeerSaysOfItselfIsTakenWithinLimits() throws {
        var bench = try linked()
        var heartbeat = WireHeartbeat()
        heartbeat.presence.activity = .busy
        heartbeat.presence.statusText = "\u{1b}]0;x\u{7}" + String(repeating: "ä", count: 100)
        heartbeat.name = "Bob\u{202e}" + String(repeating: "b", count: 100)
        bench.received(.heartbeat(heartbeat), on: 1)
        let view = try bench.view(of: bob.identity)
        #expect(view.presence.activity == .busy)
        #expect(view.presence.statusText.utf8.count <= Limits.statusTextBytes)
        #expect(view.presence.statusText.hasPrefix("]0;x"))
        #expect(view.record.announcedName.utf8.count == Limits.nameBytes)
        #expect(view.record.announcedName.hasPrefix("Bobb"))
        heartbeat.presence.activity = .UNRECOGNIZED(9)
        bench.received(.heartbeat(heartbeat), on: 1)
        #expect(try bench.view(of: bob.identity).presence.activity == .online)
    }

    /// Lets time pass while Bob gives signs of life.
    private func pass(_ milliseconds: Int64, _ bench: inout EngineBench) {
        var left = milliseconds
        while left > 0 {
            let step = min(left, Limits.heartbeatMilliseconds)
            bench.pass(step)
            bench.received(bob.hello().asHeartbeat, on: 1)
            left -= step
        }
    }

    /// What was announced since the last call.
    private func announced(_ bench: inout EngineBench) -> [WireActivity] {
        heartbeats(bench.takeFrames(on: 1)).map(\.presence.activity)
    }

    @Test func nobodyIsAwayForGivingNoCommand() throws {
        var bench = try linked()
        pass(3 * Limits.awayMilliseconds, &bench)
        #expect(announced(&bench).allSatisfy { $0 == .online })
    }

    @Test func oneIsAwayOnceTheDesktopWasIdleForTenMinutes() throws {
        var bench = try linked()
        let since = bench.now
        pass(120_000, &bench)
        bench.feed(.userSeen(.idle(since: since), by: .session))
        pass(Limits.awayMilliseconds - 120_001, &bench)
        #expect(announced(&bench).allSatisfy { $0 == .online })
        bench.pass(1)
        #expect(announced(&bench).last == .away, "told at once")
        _ = try bench.ask(.read(who: "Bob"))
        #expect(announced(&bench).isEmpty, "a command shows nobody at the desktop")
        bench.feed(.settingsChanged(fixed: [], acceptsMembers: false))
        #expect(announced(&bench).isEmpty, "a reload of the settings is no sign of the user")
        guard case .success(.status(let view)) = try bench.ask(.status) else {
            Issue.record("no status")
            return
        }
        #expect(view.profile.absence?.since == since.wall)
        #expect(view.profile.absence?.isLocked == false)
        bench.feed(.userSeen(.active, by: .session))
        #expect(announced(&bench) == [.online])
    }

    @Test func oneIsHereWhileAnyObserverSeesIt() throws {
        var bench = try linked()
        bench.feed(.userSeen(.locked(since: bench.now), by: .session))
        #expect(announced(&bench) == [.away], "a locked screen counts at once")
        bench.feed(.userSeen(.active, by: .face(1)))
        #expect(announced(&bench) == [.online], "on another machine, say")
        let since = bench.now
        pass(60_000, &bench)
        bench.feed(.userSeen(.idle(since: since), by: .face(1)))
        #expect(announced(&bench).last == .away, "the lock counts again")
        bench.feed(.userSeen(nil, by: .session))
        #expect(announced(&bench) == [.online])
        pass(Limits.awayMilliseconds - 60_000, &bench)
        #expect(announced(&bench).last == .away)
        bench.feed(.userSeen(nil, by: .face(1)))
        #expect(announced(&bench) == [.online], "nobody looks any more")
    }

    /// The last input at any observer begins the ten minutes.
    @Test func idlenessCountsFromTheLastInputAnywhere() throws {
        var bench = try linked()
        bench.feed(.userSeen(.idle(since: bench.now), by: .session))
        bench.feed(.userSeen(.active, by: .face(1)))
        pass(Limits.awayMilliseconds, &bench)
        bench.feed(.userSeen(.idle(since: bench.now), by: .face(1)))
        pass(Limits.awayMilliseconds - 1, &bench)
        #expect(announced(&bench).allSatisfy { $0 == .online })
        bench.pass(1)
        #expect(announced(&bench).last == .away)
    }

    @Test func aTimeInTheFutureIsNow() throws {
        var bench = try linked()
        let later = Instant(monotonic: bench.now.monotonic + 9_000_000, wall: .max)
        bench.feed(.userSeen(.locked(since: later), by: .session))
        #expect(announced(&bench) == [.away])
    }

    @Test func saidToBeOnlineOneIsThatUntilTheNextIdleness() throws {
        var bench = try linked()
        bench.feed(.userSeen(.locked(since: bench.now), by: .session))
        _ = announced(&bench)
        bench.pass(1_000)
        _ = try bench.ask(.setPresence(.online, text: nil))
        #expect(announced(&bench) == [.online])
        pass(2 * Limits.awayMilliseconds, &bench)
        #expect(announced(&bench).allSatisfy { $0 == .online })
        bench.feed(.userSeen(.active, by: .session))
        bench.feed(.userSeen(.locked(since: bench.now), by: .session))
        #expect(announced(&bench).last == .away)
    }

    /// Others learn it with the profile; if that is not stored, nothing has changed.
    @Test func saidToBeOnlineCountsOnceItIsDurable() throws {
        var bench = try linked()
        bench.feed(.userSeen(.locked(since: bench.now), by: .session))
        #expect(announced(&bench) == [.away])
        bench.diskFails = true
        guard case .failure(.notStored) = try bench.ask(.setPresence(.online, text: nil)) else {
            throw EngineBench.Unexpected(what: "it was stored")
        }
        bench.diskFails = false
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.open(1, with: bob)
        bench.pass(Limits.heartbeatMilliseconds)
        #expect(announced(&bench).last == .away)
        bench.received(bob.hello().asHeartbeat, on: 1)
        bench.writesWait = true
        let command = bench.give(.setPresence(.online, text: nil))
        bench.pass(Limits.heartbeatMilliseconds)
        #expect(announced(&bench).allSatisfy { $0 == .away })
        bench.writesWait = false
        bench.settle()
        guard case .success(.profile(let view)) = bench.takeAnswers()[command] else {
            throw EngineBench.Unexpected(what: "no profile")
        }
        #expect(view.record.activity == .online && view.absence == nil)
        #expect(announced(&bench) == [.online])
    }

    @Test func whatOneSetWinsOverIdleness() throws {
        var bench = try linked()
        _ = try bench.ask(.setPresence(.away, text: nil))
        bench.feed(.userSeen(.locked(since: bench.now), by: .session))
        _ = try bench.ask(.setPresence(.busy, text: nil))
        #expect(announced(&bench) == [.away, .busy])
    }

    @Test func whatOneSetsIsToldAtOnceAndStaysWhenIdle() throws {
        var bench = try linked()
        _ = try bench.ask(.setPresence(.busy, text: "in a meeting"))
        let told = try #require(heartbeats(bench.takeFrames(on: 1)).last)
        #expect((told.presence.activity, told.presence.statusText) == (.busy, "in a meeting"))
        bench.feed(.userSeen(.idle(since: bench.now), by: .session))
        pass(900_000, &bench)
        #expect(announced(&bench).allSatisfy { $0 == .busy })
    }

    // Typing.

    private func typing(_ effects: [Effect]) -> [Bool] {
        effects.compactMap { if case .notify(.typing(_, _, let active)) = $0 { active } else { nil } }
    }

    @Test func typingIsShownForThreeSecondsAfterTheLastSign() throws {
        var bench = try linked()
        let conversation = bob.conversation(with: bench.identity)
        bench.received(bob.typing(conversation), on: 1)
        bench.pass(2_000)
        bench.received(bob.typing(conversation), on: 1)
        bench.pass(Limits.typingShownMilliseconds - 1)
        #expect(typing(bench.takeEffects()) == [true])
        #expect(try bench.view(of: bob.identity).typing)
        bench.pass(1)
        #expect(typing(bench.takeEffects()) == [false])
        #expect(try !bench.view(of: bob.identity).typing)
    }

    @Test func typingEndsWithTheMessage() throws {
        var (bench, bob) = (try linked(), bob)
        let conversation = bob.conversation(with: bench.identity)
        bench.received(bob.typing(conversation), on: 1)
        let event = bob.write("done", to: bench.identity)
        bench.received(bob.events(conversation, [event]), on: 1)
        #expect(typing(bench.takeEffects()) == [true, false])
        bench.pass(5_000)
        #expect(typing(bench.takeEffects()).isEmpty)
    }

    @Test func typingIsSentAtMostTwiceASecond() throws {
        var bench = try linked()
        var sent: [Int64] = []
        for _ in 0..<40 {
            _ = try bench.ask(.typing(who: "Bob"))
            let signs = bench.takeFrames(on: 1).filter { if case .typing = $0 { true } else { false } }
            sent += signs.map { _ in bench.now.monotonic }
            bench.pass(50)
        }
        #expect(zip(sent, sent.dropFirst()).allSatisfy { $1 - $0 >= Limits.typingSentMilliseconds })
        #expect(sent.count == 4)
    }

    @Test func typingOfAnotherConversationIsNotShown() throws {
        var bench = try linked()
        bench.received(bob.typing(bob.conversation(with: try EngineBench.peer(3))), on: 1)
        #expect(typing(bench.takeEffects()).isEmpty)
    }
}
