import ParlanceControl
import ParlanceCore

/// What is known besides the view of one person and changes what is said of them.
struct Surroundings {
    /// That another node has called with this node's identity; `nil` if none has.
    var twin: NodeStatus.Problem?
    /// Why this computer has no network; `nil` if it has one.
    var offline: NodeStatus.Problem?
    /// The time, in milliseconds since 1970.
    var now: Int64

    /// Whether a finding of a person's view may read otherwise in the light of this.
    static func mayChange(_ finding: NodeStatus.Problem) -> Bool {
        Diagnosis.ofTheWay.contains(finding.code) || finding.code == Diagnosis.stale
    }

    /// The findings of a person's view in the light of this.
    func findings(about view: PeerView) -> [NodeStatus.Problem] { seen(view.findings, of: view) }

    /// The same of findings that are here already, all those of the view.
    func seen(_ findings: [NodeStatus.Problem], of view: PeerView) -> [NodeStatus.Problem] {
        let found = findings.map { seen($0, view) }
        // Until a link counts as lost it says nothing: without a network nothing passes on it.
        guard view.standing == nil, let offline = offline(for: view) else { return found }
        return [offline] + found.filter { !Diagnosis.ofTheWay.contains($0.code) }
    }

    /// Why this computer reaches somebody by no network; `nil` if it has one, or the link is within this computer.
    func offline(for view: PeerView) -> NodeStatus.Problem? { view.isLinkedWithinComputer ? nil : offline }

    /// Where the other copy of this node has called, its advice is the one that helps; and whoever has just left is
    /// away, as is usual.
    private func seen(_ finding: NodeStatus.Problem, _ view: PeerView) -> NodeStatus.Problem {
        var finding = finding
        if finding.code == "unreached", Diagnosis.hasJustLeft(view, at: now) { finding.severity = .note }
        guard finding.code == Diagnosis.stale, let twin else { return finding }
        (finding.severity, finding.advice) = (.problem, twin.advice)
        return finding
    }
}

extension Diagnosis {
    var surroundings: Surroundings { Surroundings(twin: twinProblems.first, offline: machine.offline, now: now) }
}

extension NodeFacts {
    var surroundings: Surroundings {
        Surroundings(
            twin: Diagnosis.twinProblems(of: refusedCalls()).first,
            offline: offline(),
            now: Moment.now().wall
        )
    }
}
