internal import CParlanceCatalogue

/// The texts of one language, by their English ones.
struct Catalogue: Sendable {
    private let texts: [Key: String]

    private struct Key: Hashable {
        let text: String
        let hint: String?
    }

    init(_ entries: [CatalogueFile.Entry]) {
        texts = Dictionary(entries.map { (Key(text: $0.english, hint: $0.hint), $0.text) }) { first, _ in first }
    }

    func text(for key: String, hint: String?) -> String? {
        guard let text = texts[Key(text: key, hint: hint)], !text.isEmpty else { return nil }
        return text
    }

    /// The catalogue of a language; nil for English, which needs none.
    static func of(_ language: Language) -> Catalogue? {
        switch language {
        case .english: nil
        case .german: german
        }
    }

    /// Read at its first use, and never by a program that speaks English.
    private static let german: Catalogue = {
        let bytes = UnsafeBufferPointer(start: parlance_catalogue_de(), count: parlance_catalogue_de_size())
        return Catalogue((try? CatalogueFile.entries(Array(bytes))) ?? [])
    }()
}
