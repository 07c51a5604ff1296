import ParlanceWords
import Testing

@testable import ParlanceAssistant

@Suite struct VectorScheduleTests {
    private let start = ContinuousClock.now
    private let pause = AssistantLimits.vectorPause

    private func fail(_ schedule: inout VectorSchedule, after time: Duration) {
        schedule.want()
        // It does not begin twice.
        let begun = [schedule.begin(), schedule.begin()]
        let taken = schedule.take()
        #expect(begun == [true, false] && taken)
        schedule.failed("No.", at: start + time)
        #expect(!schedule.isActive && schedule.problem == "No.")
    }

    /// Whether it is tried again after a time.
    private func isTried(_ schedule: VectorSchedule, after time: Duration) -> Bool {
        var schedule = schedule
        schedule.passed(start + time)
        return schedule.isActive
    }

    @Test func eachPauseIsLongerThanTheOneBefore() {
        var schedule = VectorSchedule()
        fail(&schedule, after: .zero)
        // A message has it tried in between, which is no reason to wait longer.
        fail(&schedule, after: pause * 0.5)
        #expect(!isTried(schedule, after: pause * 0.9) && isTried(schedule, after: pause))
        fail(&schedule, after: pause)
        #expect(!isTried(schedule, after: pause * 2.9) && isTried(schedule, after: pause * 3))
    }

    @Test func noPauseIsLongerThanTheLimit() {
        let longest = AssistantLimits.longestVectorPause
        var schedule = VectorSchedule()
        for number in 0..<20 { fail(&schedule, after: longest * number) }
        #expect(!isTried(schedule, after: longest * 19.9) && isTried(schedule, after: longest * 20))
    }

    @Test func successEndsThePauses() {
        var schedule = VectorSchedule()
        fail(&schedule, after: .zero)
        fail(&schedule, after: pause)
        schedule.want()
        let isRunning = schedule.begin() && schedule.take()
        #expect(isRunning)
        schedule.succeeded()
        #expect(schedule.problem == nil && schedule.isActive)
        // What came meanwhile is done first.
        schedule.want()
        let taken = [schedule.take(), schedule.take()]
        #expect(taken == [true, false] && !schedule.isActive)
        #expect(!isTried(schedule, after: pause * 99))
        fail(&schedule, after: .zero)
        #expect(isTried(schedule, after: pause))
    }
}
