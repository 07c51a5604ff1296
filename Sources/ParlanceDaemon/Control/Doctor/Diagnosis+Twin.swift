import ParlanceControl
import ParlanceNetwork
import ParlanceWords

// Other nodes that run with the identity of this one: a copied folder, or the clone of a machine.
extension Diagnosis {
    /// The last caller that proved this node's identity.
    var twinProblems: [Problem] {
        refused.filter { $0.reason == .twin }.map { call in
            var twin = Problem(
                code: "twin",
                message: "Another node runs with your identity: it called from \(call.place.named).",
                advice: """
                    If that is a clone or a copy of this computer, give it an identity of its own: stop it, move its data folder away, and \
                    start it again. How: "Become somebody else" in the manual for administrators.
                    """
            )
            twin.since = ControlTime(milliseconds: call.since)
            return twin
        }
    }
}
