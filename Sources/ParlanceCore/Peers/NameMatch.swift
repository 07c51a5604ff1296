import ParlanceLetters
import ParlanceRecords

/// How a typed name matches a name: the closer one comes first. Case makes no match closer: it cannot be
/// heard, and few people type it.
enum NameMatch: Int, CaseIterable, Comparable {
    /// In lower case, or by the ID.
    case anyCase
    /// In lower case and without accents, as search compares words.
    case noAccents

    static func < (one: NameMatch, other: NameMatch) -> Bool { one.rawValue < other.rawValue }

    /// A text as it is compared: without spaces at its ends, which nobody sees.
    func form(_ text: String) -> [UInt8] {
        switch self {
        case .anyCase: Array(text.trimmed.lowercased().composed.utf8)
        case .noAccents: Array(text.trimmed.folded.utf8)
        }
    }

    /// The closest match that something has, with all that match so.
    static func closest<Named>(
        _ typed: String,
        among all: [Named],
        names: (Named) -> [String]
    ) -> (match: NameMatch, found: [Named])? {
        for match in allCases {
            let wanted = match.form(typed)
            guard !wanted.isEmpty else { continue }
            let found = all.filter { names($0).contains { match.form($0) == wanted } }
            if !found.isEmpty { return (match, found) }
        }
        return nil
    }
}
