import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceWords

// Other nodes that run with the identity of this one: a copied folder, or the clone of a machine.
extension Diagnosis {
    /// The last caller that proved this node's identity.
    var twinProblems: [Problem] { Self.twinProblems(of: refused) }

    static func twinProblems(of refused: [RefusedCall]) -> [Problem] {
        refused.filter { $0.reason == .twin }.map { call in
            let time = DurationText.words(call.ago / 1_000)
            var twin = Problem(
                code: "twin",
                message: call.ago < twinIsNow
                    ? "Another node runs with your identity: it called from \(call.place.named)."
                    : "Another node runs with your identity: it called from \(call.place.named), \(time) ago.",
                advice: """
                    If that is a clone or a copy of this computer, give it an identity of its own: stop it, move its data folder away, and \
                    start it again. How: "Become somebody else" in the manual for administrators.
                    """
            )
            twin.since = ControlTime(milliseconds: call.since)
            return twin
        }
    }

    /// The code of what others say of a twin.
    static let stale = LinkTrouble.Cause.stale.code

    /// The findings about people without those that follow from a twin, which is told once.
    func withoutTwin(_ findings: [Problem]) -> [Problem] {
        twinProblems.isEmpty ? findings : findings.filter { $0.code != Self.stale }
    }

    /// How long ago the last call may be for its time not to be said, in milliseconds. A node that is refused calls again
    /// only after `Limits.backoffRefusedMilliseconds`, so until then it still runs as far as can be told.
    private static let twinIsNow: Int64 = 60_000
}
