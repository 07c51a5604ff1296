import ParlanceControl
import ParlanceCore
import ParlanceWords

extension Diagnosis {
    /// The problems of this machine's clock, as far as the node's keys show that it jumped.
    var ownClockProblems: [Problem] {
        guard let back = view.clockWentBack else { return [] }
        return [
            Problem(
                code: "clock",
                message: "This machine's clock was \(DurationText.words(back / 1_000)) ahead of what it shows now.",
                advice:
                    """
                    Compare it with a clock that is right, or have it set by the network (timedatectl set-ntp true). \
                    Keys made under the wrong time are replaced by themselves.
                    """
            )
        ]
    }
}
