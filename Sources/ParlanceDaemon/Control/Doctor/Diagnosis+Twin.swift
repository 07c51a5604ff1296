import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceWire
import ParlanceWords

// Other nodes that run with the identity of this one: a copied folder, or the clone of a machine.
extension Diagnosis {
    /// Places at which somebody proved this node's identity, and that are not this node's own.
    var twinProblems: [Problem] {
        let twins = view.unknown.filter { isTwin($0) }
        return twins.prefix(1).map { way in
            let place = way.failed?.place?.named.description ?? ""
            var problem = Problem(
                code: "twin",
                message: "Another node runs with your identity, at \(place).",
                advice: """
                    If that is a clone or a copy, give it an identity of its own: stop it, move its data folder away, and \
                    start it again. How: "Become somebody else" in the manual for administrators.
                    """
            )
            problem.since = way.failed?.since.map { ControlTime(milliseconds: $0) }
            return problem
        }
    }

    /// Whether this node's identity was proved at a place that is not its own.
    func isTwin(_ way: DoctorView.Way) -> Bool {
        guard case .failed(.ownIdentity, let place)? = way.failed?.cause else { return false }
        return !isOwn(place)
    }

    private func isOwn(_ place: Endpoint) -> Bool {
        guard Int(place.port) == port, let address = ZonedAddress(place.host)?.address else { return false }
        return address.range == .loopback || machine.addresses.contains { $0.address == address }
    }
}

extension LinkTrouble {
    /// Where the attempt failed, if it was one.
    fileprivate var place: Endpoint? {
        if case .failed(_, let place) = cause { place } else { nil }
    }
}
