import ParlanceHistory
import ParlanceWire

/// What a user searches for. A found message fits all of it.
///
/// A query is words, separated by spaces: `lunch friday`. A word that ends with `*` finds longer ones, a word between two
/// `*` finds it inside of others, words between quotation marks stand behind one another. `from:`, `in:`, `before:`,
/// `after:` and `has:` say who wrote it, where and when; a value with spaces stands between quotation marks.
package struct SearchQuery: Equatable, Sendable {
    package var terms: [SearchTerm] = []
    /// The names of people, as typed; one of them wrote the message.
    package var from: [String] = []
    /// The names of conversations, as typed; the message is in one of them.
    package var within: [String] = []
    /// The message was written on this day or later.
    package var after: SearchDay?
    /// The message was written before this day.
    package var before: SearchDay?
    /// Whether the message has a file.
    package var hasFile = false
    /// Words before a colon that are not names of fields.
    package private(set) var otherFields: [String] = []
    /// Whether it is words alone, as in a question: no fields, phrases or parts of words.
    package private(set) var isPlain = true

    /// Reads a query as typed.
    package init(parsing typed: String) throws(SearchFault) {
        guard typed.utf8.count <= Limits.searchQueryBytes else { throw .tooLong }
        for item in try Self.items(typed) { try add(item) }
        guard terms.count <= Limits.searchTerms, from.count <= Limits.searchTerms, within.count <= Limits.searchTerms
        else {
            throw .tooManyTerms
        }
        if self == SearchQuery() { throw .nothing }
    }

    private init() {}

    /// Something between two spaces that are outside quotation marks.
    private struct Item {
        var text = ""
        /// The number of bytes of `text` before the first quotation mark; `nil` if there is none.
        var quotedFrom: Int?
        /// Whether the last character stands between quotation marks.
        var endsQuoted = false

        /// What stands before and behind the first colon, if that is not between quotation marks.
        var parts: (field: String, value: String)? {
            guard let colon = text.firstIndex(of: ":") else { return nil }
            let before = text[..<colon]
            if let quotedFrom, before.utf8.count >= quotedFrom { return nil }
            return (before.lowercased(), String(text[text.index(after: colon)...]))
        }
    }

    private static func items(_ typed: String) throws(SearchFault) -> [Item] {
        var items: [Item] = []
        var item = Item()
        var isQuoted = false
        var isOpen = false
        for character in typed {
            if isQuotationMark(character) {
                isQuoted.toggle()
                if item.quotedFrom == nil { item.quotedFrom = item.text.utf8.count }
                isOpen = true
                item.endsQuoted = true
            } else if !isQuoted, character.isWhitespace {
                if isOpen { items.append(item) }
                (item, isOpen) = (Item(), false)
            } else {
                item.text.append(character)
                isOpen = true
                item.endsQuoted = isQuoted
            }
        }
        guard !isQuoted else { throw .openQuotation }
        return isOpen ? items + [item] : items
    }

    /// Keyboards and phones write several.
    private static func isQuotationMark(_ character: Character) -> Bool {
        switch character {
        case "\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{AB}", "\u{BB}": true
        default: false
        }
    }

    private mutating func add(_ item: Item) throws(SearchFault) {
        guard let (field, value) = item.parts else { return try addTerm(item) }
        if Self.fields.contains(field) { isPlain = false }
        switch field {
        case "from": from.append(try nonEmpty(value, of: field))
        case "in": within.append(try nonEmpty(value, of: field))
        case "after": after = try day(value, of: field, known: after)
        case "before": before = try day(value, of: field, known: before)
        case "has":
            guard try nonEmpty(value, of: field).lowercased() == "file" else { throw .unknownThing(value) }
            hasFile = true
        // A time or an address, or a misspelt field.
        default:
            otherFields.append(field)
            try addTerm(item)
        }
    }

    /// The names of the fields, before a colon.
    package static let fields = ["from", "in", "after", "before", "has"]

    private func nonEmpty(_ value: String, of field: String) throws(SearchFault) -> String {
        guard !value.isBlank else { throw .emptyField(field) }
        return value
    }

    private func day(_ value: String, of field: String, known: SearchDay?) throws(SearchFault) -> SearchDay {
        guard known == nil else { throw .twice(field) }
        guard let day = SearchDay(try nonEmpty(value, of: field)) else { throw .notADay(field, value) }
        return day
    }

    private mutating func addTerm(_ item: Item) throws(SearchFault) {
        var text = Substring(item.text)
        let isPart = text.first == "*" && item.quotedFrom != 0
        let isBeginning = text.last == "*" && !item.endsQuoted
        if isPart || isBeginning || item.quotedFrom != nil { isPlain = false }
        if isBeginning { text.removeLast() }
        if isPart, !text.isEmpty { text.removeFirst() }
        guard let term = SearchTerm(String(text), isBeginning: isBeginning) else { throw .noWord(item.text) }
        guard isPart else { return terms.append(term) }
        guard let part = SearchTerm(part: String(text)) else { throw .badPart(item.text) }
        terms.append(part)
    }
}

/// Why a text is not a query.
package enum SearchFault: Error, Equatable, Sendable {
    case tooLong
    case tooManyTerms
    /// There is nothing to search for.
    case nothing
    /// A quotation mark is not closed.
    case openQuotation
    /// A field, such as `from`, without a value.
    case emptyField(String)
    /// A field that can stand only once.
    case twice(String)
    /// The value of `before` or `after`.
    case notADay(String, String)
    /// A value of `has` other than `file`.
    case unknownThing(String)
    /// Something typed without a letter, digit or symbol.
    case noWord(String)
    /// A part of a word that is too short or of several words.
    case badPart(String)
}
