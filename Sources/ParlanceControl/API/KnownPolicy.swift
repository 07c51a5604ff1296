import ParlanceErrorCode
import ParlanceWords

/// The policies that this version knows by name (charter.md, "Policies").
///
/// Others can be signed too, so that later versions can know more; a name that is typed wrong must not look like one of
/// these.
package enum KnownPolicy: String, CaseIterable, Sendable {
    case admission
    case autoAccept = "auto_accept"
    case largestFile = "largest_file"
    case retention, couriers

    /// What is wrong with a policy that an admin wants to sign; `nil` if nothing is.
    ///
    /// - Parameter isCustom: whether the admin says that the name is meant, though it is not known.
    package static func fault(_ name: String, _ value: String, isCustom: Bool) -> ControlError? {
        guard let known = Self(rawValue: name) else {
            guard !isCustom else { return nil }
            let names = allCases.map(\.rawValue)
            let message = Phrase("\"\(NameText.plain(name))\" is not a policy that this version knows.")
            return ControlError(
                .invalidValue,
                Phrase.joined([message, NearestWord.question(name, among: names)].compactMap { $0 }),
                advice: Phrase(
                    "Known are: \(names.joined(separator: ", ")). To suggest something else all the same, add --custom."
                )
            )
        }
        guard let expected = known.expected, !known.takes(value) else { return nil }
        let message = Phrase("\"\(NameText.plain(value))\" is not a value of the policy \(name).")
        return ControlError(
            .invalidValue,
            Phrase.joined([message, NearestWord.question(value, among: known.words)].compactMap { $0 }),
            advice: Phrase("Nothing was changed. Give \(expected).")
        )
    }

    /// The words that it takes, also beside other values.
    package var words: [String] {
        switch self {
        case .admission: CharterInfo.Admission.allCases.map(\.rawValue)
        case .autoAccept: AutoAccept.allCases.map(\.rawValue)
        case .largestFile, .retention: [Self.off]
        case .couriers: []
        }
    }

    private func takes(_ value: String) -> Bool {
        switch self {
        case .admission, .autoAccept: words.contains(value)
        case .largestFile: value == Self.off || SizeText.bytes(of: value) != nil
        case .retention: Self.retention(value)?.isPossible == true
        case .couriers: true
        }
    }

    /// What it takes, for people; `nil`: any text.
    private var expected: Phrase? {
        switch self {
        case .admission, .autoAccept: PeopleText.any(of: words)
        case .largestFile: Phrase("a size such as 100 MiB, or off")
        case .retention: Phrase("a length such as 12h, 90d or 52w, or off")
        case .couriers: nil
        }
    }

    private static let off = "off"

    /// A length as the command `retain` takes it, also with the unit written out: `90 days`.
    private static func retention(_ value: String) -> RetainLength? {
        let words = value.split(separator: " ")
        guard words.count == 2, let unit = words[1].first,
            ["hours", "days", "weeks"].contains(where: { $0 == words[1] })
        else { return RetainLength(value) }
        return RetainLength("\(words[0])\(unit)")
    }
}
