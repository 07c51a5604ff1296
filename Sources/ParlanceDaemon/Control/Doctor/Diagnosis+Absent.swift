import ParlanceControl
import ParlanceCore
import ParlanceWords

// People who are away.
extension Diagnosis {
    /// The findings, with those about several people who do not answer as one: an office has some who are away each day.
    func absentTogether(_ findings: [Problem]) -> [Problem] {
        let absent = findings.filter(\.isAbsence)
        guard absent.count > 1 else { return findings }
        let away = Set(absent.compactMap(\.about))
        let names = view.people.filter { away.contains($0.view.record.id.controlID) }
            .map { NameText.plain($0.view.displayName) }.sorted { $0.folded < $1.folded }
        let together = Problem(
            code: "absent",
            message: "\(absent.count) people do not answer where they were last: \(PeopleText.list(names)).",
            advice: """
                Their computers are off, asleep or elsewhere; what you write waits for them. About one of them: parlance \
                doctor WHO
                """,
            severity: .note
        )
        return findings.filter { !$0.isAbsence } + [together]
    }
}

extension NodeStatus.Problem {
    /// Whether somebody is away, as far as anybody can tell.
    fileprivate var isAbsence: Bool { code == "unreached" && severity == .note && about != nil }
}
