package import ParlanceControl
package import ParlanceWords

/// Files in the words of people, the same in all faces.
package enum FileText {
    /// A number of bytes as people read it: `999 B`, `1.2 MiB`, `12 MiB`.
    package static func size(_ bytes: UInt64) -> String { say(phrase(bytes)) }

    /// The same where the reader is not known yet.
    package static func phrase(_ bytes: UInt64) -> Phrase {
        guard bytes >= 1_024 else { return Phrase(verbatim: "\(bytes) B") }
        var (value, unit) = (Double(bytes) / 1_024, 0)
        while value >= 1_023.5, unit < units.count - 1 { (value, unit) = (value / 1_024, unit + 1) }
        if value >= 9.95 { return Phrase(verbatim: "\(Int(value.rounded())) \(units[unit])") }
        let tenths = Int((value * 10).rounded())
        return Phrase("\(tenths / 10).\(tenths % 10) \(units[unit])", hint: "a decimal number")
    }

    private static let units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]

    /// `photo.jpg, 1.2 MiB, 4000 x 3000`; apply `VisibleText` before showing it, as with every name.
    package static func facts(_ file: FileInfo) -> String {
        var parts = [
            file.folder == true ? say("\(NameText.plain(file.name)) (folder)") : NameText.plain(file.name),
            size(file.size),
        ]
        if let width = file.width, let height = file.height { parts.append("\(width) x \(height)") }
        return parts.joined(separator: ", ")
    }

    /// The same with how far it has come, and what to do: `report.pdf, 1.2 MiB (offered: parlance fetch 3f2a91c0)`.
    ///
    /// - Parameter inChat: whether it is fetched by what is typed after a slash.
    package static func line(_ file: FileInfo, mine: Bool, inChat: Bool = false) -> String {
        if mine, file.state == .here { return facts(file) }
        return "\(facts(file)) (\(state(file, inChat: inChat)))"
    }

    /// How far it has come, and what to do: `offered: parlance fetch 3f2a91c0`.
    package static func state(_ file: FileInfo, inChat: Bool = false) -> String {
        let id = file.shortReference
        if inChat, file.state == .offered { return say("offered: /fetch") }
        return switch file.state {
        case .offered: say("offered: parlance fetch \(id)")
        case .fetching: progress(file)
        case .paused: say("paused: parlance files resume \(id)")
        case .here: say("here: parlance fetch \(id)")
        case .cancelled: say("cancelled: parlance fetch \(id)")
        case .failed:
            file.why.map { say("failed: \($0.withoutPeriod); to try again: parlance files retry \(id)") }
                ?? say("failed: parlance files retry \(id)")
        }
    }

    /// `fetching, 40 % here` of a file that is to be fetched.
    private static func progress(_ file: FileInfo) -> String {
        let share = file.bytes.flatMap { $0 > 0 ? percent($0, of: file.size) : nil }
        if file.waits == true, let whom = whom(file) {
            return share.map { say("waiting for \(whom), \($0) % here: nobody sends it at the moment") }
                ?? say("waiting for \(whom): nobody sends it at the moment")
        }
        if file.waits == true {
            return share.map { say("waiting, \($0) % here: nobody sends it at the moment") }
                ?? say("waiting: nobody sends it at the moment")
        }
        return share.map { say("fetching, \($0) % here") } ?? say("fetching")
    }

    /// For whom a file waits: `Bob or others in the group`; `nil` if that is not known.
    package static func whom(_ file: FileInfo) -> Phrase? {
        guard let people = file.waitsFor, let first = people.first else { return nil }
        return people.count == 1
            ? Phrase(verbatim: first.shownName) : Phrase("\(first.shownName) or others in the group")
    }

    /// Whole percent; 100 only if everything is there.
    package static func percent(_ bytes: UInt64, of size: UInt64) -> Int {
        guard bytes < size else { return 100 }
        return min(99, Int(Double(bytes) / Double(size) * 100))
    }

    /// `1.2 of 8.4 MiB`-like progress: `12 MiB of 84 MiB, 2.1 MiB/s, 34 s left`.
    ///
    /// - Parameter rate: bytes a second; nil or 0 if it is not known.
    package static func progress(_ bytes: UInt64, of size: UInt64, rate: UInt64?) -> String {
        let done = say("\(Self.size(bytes)) of \(Self.size(size))", hint: "an amount")
        guard let rate, rate > 0 else { return done }
        let moving = "\(done), \(Self.size(rate))/s"
        guard size > bytes else { return moving }
        let rest = size - bytes
        let left = Int64(clamping: rest / rate + (rest.isMultiple(of: rate) ? 0 : 1))
        return say("\(moving), \(DurationText.words(left)) left", hint: "time")
    }
}

extension FileState {
    package var words: Phrase {
        switch self {
        case .offered: Phrase("offered", hint: "a file")
        case .fetching: Phrase("fetching")
        case .paused: Phrase("paused", hint: "a file")
        case .here: Phrase("here", hint: "a file")
        case .cancelled: Phrase("cancelled", hint: "a file")
        case .failed: Phrase("failed", hint: "a file")
        }
    }
}
