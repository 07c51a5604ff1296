import ParlanceControl
import ParlanceWords

extension Diagnosis {
    /// Messages that the disk has changed, as far as they were read since the start.
    var damageProblems: [Problem] {
        guard damaged.all > 0 else { return [] }
        let message: Phrase =
            damaged.all == 1
            ? Phrase("A stored message was damaged.") : Phrase("\(damaged.all) stored messages were damaged.")
        let outcome: Phrase =
            damaged.textsLost == 0
            ? Phrase("Nothing is missing: all was restored.")
            : Phrase(
                "The texts of \(damaged.textsLost) of them are asked for from others, as they connect; the rest was restored."
            )
        return [
            Problem(
                code: "damage",
                message: "\(message) \(outcome)",
                advice: "Check the disk and the memory of this machine, and make a backup: parlance backup FILE"
            )
        ]
    }
}
