package import ParlanceControl

/// What became of a changed setting, once it is written.
package struct SettingChange: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        /// It took effect.
        case applied
        /// It takes effect when the daemon starts again.
        case restart
        /// The daemon had this value already.
        case unchanged
        /// The value of a flag or a variable holds instead.
        case overridden(by: String)
        /// No daemon runs.
        case nextStart
        /// The running daemon uses another file.
        case otherFile(String)
        /// The running daemon is of an older version.
        case outdated
        /// The running daemon did not read the file.
        case notTold(ControlFailure)
    }

    package var file: String
    package var key: String
    package var outcome: Outcome

    /// Why the daemon did not read the file.
    package var failure: ControlFailure? {
        if case .notTold(let failure) = outcome { failure } else { nil }
    }

    package var lines: [String] {
        let result: String? =
            switch outcome {
            case .applied: "In force now."
            case .restart: "\(key) needs a restart of the daemon: stop parlanced and start it again."
            case .unchanged: "The daemon had this value already."
            case .overridden(let place): "Not in force: \(place) wins over the file."
            case .nextStart: "It holds from the next start of parlanced."
            case .otherFile(let other): "Not in force: the running daemon uses \(other)."
            case .outdated: "The running daemon is of an older version and must be restarted to read it."
            case .notTold: nil
            }
        return (["Written to \(file)."] + (result.map { [$0] } ?? [])).map(VisibleText.line)
    }

    /// The same for programs.
    package var json: String {
        var members = [JSON.Member("file", .string(file)), JSON.Member("key", .string(key))]
        let (word, other): (String, String?) =
            switch outcome {
            case .applied: ("applied", nil)
            case .restart: ("restart", nil)
            case .unchanged: ("unchanged", nil)
            case .overridden(let place): ("overridden", place)
            case .nextStart: ("nextStart", nil)
            case .otherFile(let file): ("otherFile", file)
            case .outdated: ("outdated", nil)
            case .notTold: ("notTold", nil)
            }
        members.append(JSON.Member("outcome", .string(word)))
        if let other { members.append(JSON.Member("by", .string(other))) }
        return JSONWriter.text(.object(members))
    }
}
