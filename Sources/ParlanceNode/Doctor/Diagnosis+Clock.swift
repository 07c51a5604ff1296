import ParlanceControl
import ParlanceCore
import ParlanceWire
import ParlanceWords

extension Diagnosis {
    /// What the clocks of others say against this machine's.
    struct ClockDoubt: Equatable {
        /// Whether this machine's clock is behind theirs; otherwise it is ahead.
        var isBehind: Bool
        /// How far, in milliseconds: the middle one of those who contradict.
        var apart: Int64
        /// How many contradict, and how many were compared.
        var against: Int
        var compared: Int
    }

    /// Whether two or more of those who are connected, and most of them, contradict this machine's clock in the same
    /// direction: then it is the likeliest to be wrong.
    var ownClockDoubt: ClockDoubt? {
        let skews = view.skews
        let limit = UInt64(Limits.clockSkewMilliseconds)
        let wrong = skews.filter { $0.magnitude > limit }.sorted()
        for against in [wrong.filter { $0 > 0 }, wrong.filter { $0 < 0 }]
        where against.count >= 2 && against.count * 2 > skews.count {
            let middle = against[against.count / 2]
            return ClockDoubt(
                isBehind: middle > 0,
                apart: Int64(clamping: middle.magnitude),
                against: against.count,
                compared: skews.count
            )
        }
        return nil
    }

    /// The problems of this machine's clock, as far as others contradict it, or the node's keys show that it jumped.
    var ownClockProblems: [Problem] { [doubtProblem, jumpProblem].compactMap { $0 } }

    private var doubtProblem: Problem? {
        guard let doubt = ownClockDoubt else { return nil }
        let apart = DurationText.words(doubt.apart / 1_000)
        return Problem(
            code: "clock",
            message: doubt.isBehind
                ? """
                This computer's clock is probably wrong: it is about \(apart) behind those of \(doubt.against) of \
                \(doubt.compared) people.
                """
                : """
                This computer's clock is probably wrong: it is about \(apart) ahead of those of \(doubt.against) of \
                \(doubt.compared) people.
                """,
            advice: """
                Set it, or have it set by the network (timedatectl set-ntp true); until then times look odd, though \
                nothing is lost or out of order.
                """
        )
    }

    private var jumpProblem: Problem? {
        guard let back = view.clockWentBack else { return nil }
        return Problem(
            code: "clock",
            message: "This machine's clock was \(DurationText.words(back / 1_000)) ahead of what it shows now.",
            advice: """
                Compare it with a clock that is right, or have it set by the network (timedatectl set-ntp true). Keys \
                made under the wrong time are replaced by themselves.
                """
        )
    }
}
