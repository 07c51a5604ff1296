import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// The lines of `parlance doctor`.
struct DoctorText {
    let findings: Findings
    let clock: LocalClock
    let style: TextStyle

    init(findings: Findings, clock: LocalClock, style: TextStyle) {
        self.findings = findings
        self.clock = clock
        self.style = style
    }

    var lines: [String] {
        let problems = ProblemText(findings.problems, clock: clock, style: style)
        let isFine = findings.person == nil ? !problems.hasProblem : findings.problems.isEmpty
        var lines = isFine && findings.forks.isEmpty ? [style(.good, fine)] : []
        lines += problems.lines + findings.forks.map { fork($0) }
        if let ways = findings.ways { lines += self.ways(ways) }
        lines += findings.looked.map { style(.faint, "  " + VisibleText.line(say($0))) }
        if let unchecked = findings.unchecked {
            lines += [say("This could not be checked:")] + unchecked.map { "  " + VisibleText.line(say($0)) }
        }
        return lines
    }

    private var fine: String {
        guard let person = findings.person else { return say("No problems in what was looked at:") }
        let name = VisibleText.line(person.shownName)
        return findings.unchecked == nil ? say("No problems with \(name).") : say("No problems with \(name) so far.")
    }

    private func ways(_ ways: [WayInfo]) -> [String] {
        ways.map { way in
            let what =
                switch way.kind {
                case .fixed: say("static address")
                case .sighted: say("seen by mDNS")
                case .remembered: say("remembered or told")
                }
            var parts = ["\(what): \(way.addresses.joined(separator: ", "))"]
            if let error = way.lastError { parts.append(say("last try failed: \(error)")) }
            if let next = way.nextTry {
                let due = ControlTime(milliseconds: max(next.milliseconds, clock.now.milliseconds))
                parts.append(say("next try \(clock.relative(due))"))
            }
            return "  " + VisibleText.line(parts.joined(separator: "; "))
        }
    }

    private func fork(_ fork: ForkInfo) -> String {
        let firsts = fork.branches.map { String($0.first.prefix(12)) }.joined(separator: ", ")
        let place = fork.after == 0 ? Phrase("from the first on") : Phrase("after entry \(fork.after)")
        let (count, name) = (fork.branches.count, fork.author.shownName)
        let what =
            fork.author.me == true
            ? Phrase("Your messages of one device go on in \(count) branches \(place) (\(firsts)).")
            : Phrase("\(name)'s messages of one device go on in \(count) branches \(place) (\(firsts)).")
        let rest = Phrase("All are kept and shown; the proof: parlance doctor --json")
        return VisibleText.line("\(NameText.plain(fork.title)): \(say(what)) \(say(rest))")
    }
}
