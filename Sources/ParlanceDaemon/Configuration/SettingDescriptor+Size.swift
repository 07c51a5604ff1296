import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceWords

extension SettingDescriptor {
    /// What switches a setting off.
    static let none = "off"

    /// A setting that takes a port, or `off`.
    static func port(
        _ path: any WritableKeyPath<Settings, UInt16?> & Sendable,
        _ effect: SettingInfo.Effect,
        _ meaning: Phrase,
        read: @escaping @Sendable ([String]) throws(SettingFault) -> UInt16?
    ) -> SettingDescriptor {
        SettingDescriptor(path, .text, effect, meaning, texts: { [$0.map { "\($0)" } ?? none] }, read: read)
    }

    /// A setting that takes a number of bytes.
    ///
    /// - Parameters:
    ///   - range: the bytes that are allowed.
    ///   - off: the value that `off` stands for; `nil` if it is not allowed.
    static func size(
        _ path: any WritableKeyPath<Settings, UInt64> & Sendable,
        _ range: ClosedRange<UInt64>,
        off: UInt64? = nil,
        _ meaning: Phrase
    ) -> SettingDescriptor {
        let read: @Sendable ([String]) throws(SettingFault) -> UInt64 = { given throws(SettingFault) in
            let text = try SettingFault.one(given)
            if let off, text.lowercased() == none { return off }
            guard let bytes = SizeText.bytes(of: text) else {
                throw .value(
                    Phrase("\"\(text.withoutControlCharacters)\" is not a size."),
                    advice: off == nil
                        ? Phrase("Write a number with B, KiB, MiB, GiB or TiB, such as 10 MiB or 1.5 GiB.")
                        : Phrase("Write a number with B, KiB, MiB, GiB or TiB, such as 10 MiB or 1.5 GiB, or off.")
                )
            }
            try check(bytes, range)
            return bytes
        }
        return SettingDescriptor(
            path,
            .text,
            .reload,
            meaning,
            texts: { [$0 == off ? none : SizeText.typed($0)] },
            read: read
        )
    }

    /// A setting that takes a number of bytes a second, with hours or without, or `off`.
    static func rate(
        _ path: any WritableKeyPath<Settings, FileRate?> & Sendable,
        _ range: ClosedRange<UInt64>,
        _ meaning: Phrase
    ) -> SettingDescriptor {
        let read: @Sendable ([String]) throws(SettingFault) -> FileRate? = { given throws(SettingFault) in
            let text = try SettingFault.one(given)
            if text.lowercased() == none { return nil }
            guard let rate = FileRate(text) else {
                throw .value(
                    Phrase("\"\(text.withoutControlCharacters)\" is not a valid rate."),
                    advice: Phrase(
                        "Write a number of bytes a second, such as 2 MiB, with hours, such as 2 MiB 8:00-18:00, or off."
                    )
                )
            }
            try check(rate.bytes, range)
            return rate
        }
        return SettingDescriptor(path, .text, .reload, meaning, texts: { [$0?.text ?? none] }, read: read)
    }

    private static func check(_ bytes: UInt64, _ range: ClosedRange<UInt64>) throws(SettingFault) {
        guard range.contains(bytes) else {
            throw .value(
                Phrase("\(SizeText.typed(bytes)) is too small or too large."),
                advice: Phrase(
                    "Give a size from \(SizeText.typed(range.lowerBound)) to \(SizeText.typed(range.upperBound))."
                )
            )
        }
    }
}
