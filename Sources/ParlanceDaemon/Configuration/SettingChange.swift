package import ParlanceControl
package import ParlanceWords

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
        case overridden(by: Phrase)
        /// No daemon runs. One that is started in this environment takes the value of the variable, if one is named.
        case nextStart(unless: String?)
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
    /// Whether the setting has a value now, rather than its default.
    package var isSet = true
    /// What the group that the file had can no longer do, because it could not be kept; nil if nothing was lost.
    package var groupLoss: AtomicFile.GroupLoss?

    /// Why the daemon did not read the file.
    package var failure: ControlFailure? {
        if case .notTold(let failure) = outcome { failure } else { nil }
    }

    package var lines: [String] {
        let result: String? =
            switch outcome {
            case .applied: say("In force now.")
            case .restart: say("\(key) needs a restart of the daemon: stop parlanced and start it again.")
            case .unchanged: say("The daemon had this value already.")
            case .overridden(let place): say("Not in force: \(place) wins over the file.")
            case .nextStart(nil): say("It holds from the next start of parlanced.")
            case .nextStart(let variable?):
                say("It holds from the next start of parlanced, unless \(variable) is set there as it is here.")
            case .otherFile(let other): say("Not in force: the running daemon uses \(other).")
            case .outdated: say("The running daemon is of an older version and must be restarted to read it.")
            case .notTold: nil
            }
        let written = [say("Written to \(file)."), group, result].compactMap { $0 }
        return (written + next).map(VisibleText.line)
    }

    private var group: String? {
        switch groupLoss {
        case nil: nil
        case .reading:
            say("The file's group could not be kept: its former group can no longer read it.")
        case .writing:
            say("The file's group could not be kept: its former group can no longer write to it.")
        }
    }

    /// What to try, where a value of a right form can still be a wrong one.
    private var next: [String] {
        guard isSet, [.applied, .unchanged, .restart].contains(outcome) else { return [] }
        return switch SettingKey(rawValue: key) {
        case .peers: [say("To see whether they answer: parlance doctor")]
        case .listen, .mdnsInterfaces: [say("To see whether this computer has them: parlance doctor")]
        default: []
        }
    }

    /// The same for programs.
    package var json: String {
        var members = [JSON.Member("file", .string(file)), JSON.Member("key", .string(key))]
        let (word, other): (String, String?) =
            switch outcome {
            case .applied: ("applied", nil)
            case .restart: ("restart", nil)
            case .unchanged: ("unchanged", nil)
            case .overridden(let place): ("overridden", place.english)
            case .nextStart(let variable): ("nextStart", variable)
            case .otherFile(let file): ("otherFile", file)
            case .outdated: ("outdated", nil)
            case .notTold: ("notTold", nil)
            }
        members.append(JSON.Member("outcome", .string(word)))
        if let other { members.append(JSON.Member("by", .string(other))) }
        if let groupLoss { members.append(JSON.Member("groupLost", .string(groupLoss == .reading ? "read" : "write"))) }
        return JSONWriter.text(.object(members))
    }
}
