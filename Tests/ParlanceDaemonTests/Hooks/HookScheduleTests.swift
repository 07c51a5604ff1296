import ParlanceControl
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// Which hook runs when, and what is dropped.
@Suite struct HookScheduleTests {
    private static func hook(_ name: String) -> HookFile {
        // Of the schedule's hooks only name and kind count.
        HookFile(name: name, in: "/nowhere")
    }

    private static func event(_ number: Int, mention: Bool = false, mine: Bool = false) -> MessageEvent {
        var message = MessageInfo(
            id: "\(number)",
            conversation: "c",
            sender: "b",
            senderName: "Bob",
            mine: mine,
            text: "text",
            time: ControlTime(milliseconds: 0)
        )
        message.mentionsMe = mention ? true : nil
        return MessageEvent(message)
    }

    private func schedule(_ names: String..., change: (inout HookLimits) -> Void = { _ in }) -> HookSchedule {
        var limits = HookLimits()
        change(&limits)
        var schedule = HookSchedule(limits)
        schedule.use(names.map { Self.hook($0) })
        return schedule
    }

    private func id(_ job: HookSchedule.Job?) -> String? { (job?.event as? MessageEvent)?.message.id }

    @Test func aHookRunsForWhatItsNameSays() {
        var schedule = schedule("on-message", "on-mention", "on-presence", "on-request")
        let person = ParlanceControl.PresenceEvent(peer: "b", displayName: "Bob", presence: .away)
        let request = RequestEvent(peer: "e", name: "Eve", preview: "", time: ControlTime(milliseconds: 0))
        let events: [(any ControlEvent, [String])] = [
            (Self.event(1), ["on-message"]), (Self.event(2, mention: true), ["on-message", "on-mention"]),
            (person, ["on-presence"]), (request, ["on-request"]), (Self.event(3, mine: true), []),
            (WithdrawnEvent(id: "1"), []),
        ]
        for (event, names) in events {
            #expect(schedule.offer(event, at: 0) == 0)
            var ran: [String] = []
            while let job = schedule.next() { ran.append(job.hook.name) }
            #expect(ran == names, "\(event)")
            for name in ran { schedule.ended(name, isFailure: false) }
        }
    }

    @Test func aHookRunsOnceAtATimeAndInOrder() {
        var schedule = schedule("on-message-a", "on-message-b")
        _ = schedule.offer(Self.event(1), at: 0)
        _ = schedule.offer(Self.event(2), at: 0)
        #expect(id(schedule.next()) == "1" && id(schedule.next()) == "1")
        #expect(schedule.next() == nil && schedule.runningCount == 2)
        schedule.ended("on-message-b", isFailure: true)
        let second = schedule.next()
        #expect(id(second) == "2" && second?.hook.name == "on-message-b")
        schedule.ended("on-message-a", isFailure: false)
        #expect(schedule.next()?.hook.name == "on-message-a")
        #expect(schedule.counts == HookSchedule.Counts(runs: 4, failures: 1, dropped: 0))
    }

    @Test func aFloodIsBoundedAndCounted() {
        var schedule = schedule("on-message-a", "on-message-b", "on-message-c") { $0.atOnce = 2 }
        let limits = HookLimits()
        var dropped = 0
        for number in 1...1_000 {
            dropped += schedule.offer(Self.event(number), at: 0)
            while schedule.next() != nil {}
            #expect(schedule.runningCount <= 2 && schedule.waitingCount <= limits.waiting)
        }
        #expect(schedule.counts.dropped == dropped)
        #expect(dropped == 3_000 - schedule.waitingCount - 2)
    }

    @Test func aHookMayRunOnceASecondAfterABurst() {
        var schedule = schedule("on-message") { $0.waiting = 10_000 }
        let limits = HookLimits()
        func taken(_ times: Int, at now: Int64) -> Int {
            (0..<times).reduce(0) { sum, number in sum + 1 - schedule.offer(Self.event(number), at: now) }
        }
        #expect(taken(100, at: 5_000) == limits.burst)
        #expect(taken(1, at: 5_000 + limits.pause - 1) == 0)
        #expect(taken(5, at: 5_000 + limits.pause) == 1)
        #expect(taken(5, at: 5_000 + 4 * limits.pause) == 3)
        #expect(taken(100, at: 1_000_000) == limits.burst)
        #expect(taken(1, at: 0) == 0, "a clock that goes back gives nothing")
    }

    @Test func whatWaitsForAHookThatIsGoneIsForgotten() {
        var schedule = schedule("on-message-a", "on-message-b")
        for number in 1...3 { _ = schedule.offer(Self.event(number), at: 0) }
        schedule.use([Self.hook("on-message-b")])
        #expect(schedule.waitingCount == 3)
        schedule.use([])
        #expect(schedule.waitingCount == 0 && schedule.next() == nil)
        #expect(schedule.offer(Self.event(4), at: 0) == 0)
    }

    @Test(
        arguments: [
            ("on-message", .hook(.message)), ("on-message-echo", .hook(.message)), ("on-mention.py", .hook(.mention)),
            ("on-request-", .hook(.request)), ("on-presence", .hook(.presence)), ("on-mesage", .unknown),
            ("on-", .unknown),
            ("on-message~", .other), ("message", .other), ("README.on-message", .other), (".on-message.swp", .other),
        ] as [(String, HookKind.FileName)]
    )
    func aNameSaysWhatAFileIs(_ name: String, _ meaning: HookKind.FileName) {
        #expect(HookKind.FileName(name) == meaning)
    }
}
