import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceWords

// Who is outside of this node's workspace: in another one, or in none. That is told in a line or two, however many there
// are.
extension Diagnosis {
    /// Whether somebody is not reached because the two nodes are not in one workspace.
    func isOutside(_ person: DoctorView.Person) -> Bool {
        person.view.isWelcome && !person.view.connected && !person.view.isLeftOut
            && person.view.trouble?.isOfOtherWorkspace == true
    }

    /// The people whom the user knows and who are outside, then the nodes of others.
    var outsideProblems: [Problem] {
        // To those who have excluded this node it is the outsider: no code changes that, and the exclusion is told.
        guard view.charter?.excludedBy == nil else { return [] }
        let outsiders = view.people.filter(isOutside)
        // As long as members are reached with this node's key, those who are not have left.
        let isAlone = !view.people.contains { $0.hasBeenHere && $0.view.connected }
        let moved = outsiders.filter { isAlone && $0.hasBeenHere && !$0.ways.contains(where: \.isOpen) }
        let others = outsiders.filter { person in !moved.contains { $0.view.record.id == person.view.record.id } }
        return [movedProblem(moved), othersProblem(others), sightedProblem(besides: outsiders)].compactMap { $0 }
            + [callersProblem(besides: outsiders)].compactMap { $0 }
    }

    /// Members whose key this node does not have: it is the one that was left behind.
    private func movedProblem(_ people: [DoctorView.Person]) -> Problem? {
        guard let workspace = view.workspace, !people.isEmpty else { return nil }
        let names = PeopleText.list(people.map(\.view.displayName))
        return Problem(
            code: "workspace",
            message: people.count == 1
                ? "\(names) has another key of the workspace \(workspace) than this node, or has left it."
                : "\(names) have another key of the workspace \(workspace) than this node, or have left it.",
            advice: view.charter == nil
                ? "\(Self.returning). If they excluded this node from it, only a new workspace lets it in again."
                : Self.returning,
            about: people.count == 1 ? people[0].view.record.id.controlID : nil
        )
    }

    /// How a node that does not have the key of its workspace gets it.
    private static let returning = Phrase(
        "Ask one of them for the present code, then: parlance workspace leave, and parlance workspace join CODE"
    )

    /// People who are known and were never in this workspace.
    private func othersProblem(_ people: [DoctorView.Person]) -> Problem? {
        guard !people.isEmpty else { return nil }
        let (names, count) = (PeopleText.list(people.map(\.view.displayName)), people.count)
        let about = count == 1 ? people[0].view.record.id.controlID : nil
        guard view.workspace != nil else {
            return Problem(
                code: Problem.outside,
                message: count == 1
                    ? "\(names), whom you know, is in a workspace, and this node is in none."
                    : "\(count) people you know are in a workspace, and this node is in none: \(names).",
                advice: "To join them, ask one of them for the code: parlance workspace join CODE",
                severity: .note,
                about: about
            )
        }
        // Whoever is no member has no code to give.
        guard view.charter?.isMember != false else { return nil }
        return Problem(
            code: Problem.outside,
            message: count == 1
                ? "\(names), whom you know, is not in this workspace."
                : "\(count) people you know are not in this workspace: \(names).",
            advice: "Give them the code if they are to come in: parlance workspace invite",
            severity: .note,
            about: about
        )
    }

    /// Nodes in sight of whom nobody is known.
    private func sightedProblem(besides outsiders: [DoctorView.Person]) -> Problem? {
        let foreign = view.foreign - outsiders.count { $0.ways.contains(where: \.isForeign) }
        guard foreign > 0 else { return nil }
        let own = view.workspace.map { Phrase("this one is in \($0)") } ?? Phrase("this one is in none")
        return Problem(
            code: "workspace",
            message: foreign == 1
                ? "1 node in sight is in another workspace or in none; \(own)."
                : "\(foreign) nodes in sight are in another workspace or in none; \(own).",
            advice:
                "Nothing has to be done, unless they are yours: then parlance workspace join CODE puts all into one.",
            severity: .note
        )
    }

    /// Whether somebody at an address is in the workspace of this node by now.
    private func isInside(_ host: String) -> Bool {
        if view.unknown.contains(where: { $0.isInside && $0.leads(to: host) }) { return true }
        return view.people.contains { $0.isInside && $0.isSeen(at: host) }
    }

    /// Computers of others that have called.
    private func callersProblem(besides outsiders: [DoctorView.Person]) -> Problem? {
        let twins = refused.filter { $0.reason == .twin }.map(\.place.host)
        let calls = refused.filter { call in
            let host = call.place.host
            guard call.reason == .otherNetwork, !twins.contains(host) else { return false }
            let isToldOf = outsiders.contains {
                $0.view.trouble?.isOfOtherWorkspace(at: host) == true || $0.isSeen(at: host)
            }
            // Who has joined since then calls no more.
            return !isToldOf && !isInside(host)
        }
        guard !calls.isEmpty else { return nil }
        let places = PeopleText.list(calls.map(\.place.host))
        let count = calls.reduce(0) { $0 + $1.count }
        return Problem(
            code: "stranger",
            message: count == 1
                ? "A computer that is not in the same workspace has called lately, and was not let in: \(places)."
                : """
                Computers that are not in the same workspace have called lately, and were not let in: \(places) \
                (\(count) times).
                """,
            advice:
                "Nothing has to be done, unless they are yours: then parlance workspace join CODE puts all into one.",
            severity: .note
        )
    }
}

extension DoctorView.Person {
    /// Whether it is in the workspace of this node by now, as its link or discovery shows.
    fileprivate var isInside: Bool { view.connected || isBeyond || ways.contains(where: \.isInside) }

    /// Whether it was sighted at an address, is linked from there, or was reached there before.
    fileprivate func isSeen(at host: String) -> Bool {
        ways.contains { $0.leads(to: host) }
            || view.endpoints.contains { $0.isAt(host) }
            || view.record.addresses.contains { $0.isAt(host) }
    }
}

extension DoctorView.Way {
    /// Whether discovery shows a node of this node's workspace.
    fileprivate var isInside: Bool { kind == .sighted && !isForeign }

    fileprivate func leads(to host: String) -> Bool { endpoints.contains { $0.isAt(host) } }
}
