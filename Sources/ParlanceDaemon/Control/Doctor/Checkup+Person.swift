import ParlanceControl
import ParlanceCore
import ParlanceWire

// What stands between this node and one person.
extension Checkup {
    func problems(with person: DoctorView.Person) -> [Problem] {
        let (view, name) = (person.view, person.view.displayName)
        var found = standing(of: person)
        if found.isEmpty, view.delivery.reason == .waitsForAcceptance {
            found.append(
                Problem(
                    code: "asked",
                    message: "\(name) has been asked and has not accepted you yet; what you wrote waits for that.",
                    advice: "Ask \(name) to look at: parlance requests"
                )
            )
        }
        if view.connected { return found + portProblems + clockProblems }
        guard found.isEmpty else { return found }
        if person.isBeyond {
            return [
                Problem(
                    code: "beyond",
                    message: "There are so many members that \(name) and you hear each other through others.",
                    advice: "Nothing has to be done. Writing to \(name) makes a link of your own."
                )
            ]
        }
        if person.ways.contains(where: \.isForeign) {
            found.append(
                Problem(
                    code: "workspace",
                    message: "\(name)'s node is in sight, in another workspace than this one, or in none.",
                    advice: "Compare on both machines: parlance workspace show"
                )
            )
        }
        found += unreached(person)
        if person.ways.isEmpty {
            found.append(
                Problem(
                    code: "nowhere",
                    message: "No address of \(name) is known, and mDNS does not show one.",
                    advice: "Does parlanced run there, on the same network? From another subnet give an address once: "
                        + "parlanced --peer HOST:PORT"
                )
            )
        }
        return found
    }

    /// What was looked at of one person: whether what one writes while they are away can be left with somebody.
    func looked(at person: DoctorView.Person) -> [String] {
        guard person.isWelcome else { return [] }
        let who = person.view.displayName
        guard person.sealableUntil != nil else {
            return ["couriers: \(who)'s keys are not here; they come a second after you connect"]
        }
        guard !person.couriers.isEmpty else {
            return ["couriers: nobody who is connected would carry to \(who); to name somebody: parlance courier WHO"]
        }
        return ["couriers: \(person.couriers.map(name).joined(separator: ", ")) would carry to \(who)"]
    }

    /// What people have decided that keeps the two apart.
    private func standing(of person: DoctorView.Person) -> [Problem] {
        let (view, name) = (person.view, person.view.displayName)
        if view.record.trust == .blocked {
            return [
                Problem(
                    code: "blocked",
                    message: "You have blocked \(name), so there is no link.",
                    advice: "To end that: parlance unblock \(view.record.id.prefix)"
                )
            ]
        }
        if person.isLeftOut {
            return [
                Problem(
                    code: "leftOut",
                    message: "\(name) was left out of the workspace when its key was changed, so there is no link.",
                    advice: "That cannot be undone: to let \(name) in again, create a new workspace."
                )
            ]
        }
        if view.record.refusedThrough != nil {
            return [
                Problem(
                    code: "refused",
                    message: "\(name) does not take your messages.",
                    advice: "Talk to \(name) in another way; to try again: parlance outbox retry ID"
                )
            ]
        }
        guard !person.isWelcome else { return [] }
        return [
            Problem(
                code: "notAccepted",
                message: "You have not accepted \(name): nodes that do not know each other part after a minute.",
                advice: "To accept: parlance accept \(view.record.id.prefix)"
            )
        ]
    }
}
