package import ParlanceControl
import ParlanceWords

extension ControlFailure {
    /// The lines for people: what went wrong, who may be meant, and what to do.
    ///
    /// - Parameter head: the beginning of the first line, such as `parlance: `.
    package func lines(after head: String) -> [String] {
        let people = candidates.map { candidate in
            let trust = candidate.trust?.words ?? Phrase("group")
            let what = say(candidate.aliased == true ? Phrase("\(trust); you gave them this name") : trust)
            let name = NameText.plain(candidate.displayName)
            return "  " + VisibleText.line("\(candidate.id.prefix(8))  \(name) (\(what))")
        }
        let remedy = advice.isEmpty ? [] : [VisibleText.line(say(advice))]
        return [head + VisibleText.line(say(message))] + people + remedy
    }
}
