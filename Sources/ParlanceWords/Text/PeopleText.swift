/// Lists of people in a sentence.
package enum PeopleText {
    /// Names shown at most; a longer list ends with the number of the others.
    private static let shown = 5

    /// `Ada, Bob and you`.
    ///
    /// - Parameter count: how many people there are in total, if `names` has only the first of them.
    package static func list(_ names: [String], count: Int? = nil) -> Phrase {
        list(phrases: names.map { Phrase(verbatim: $0) }, count: count)
    }

    /// The same where one of them is another word in other languages, such as "you".
    package static func list(phrases names: [Phrase], count: Int? = nil) -> Phrase {
        list(names, count: max(count ?? 0, names.count), most: shown)
    }

    /// The same with all names, however many.
    package static func all(_ names: [String]) -> Phrase {
        list(names.map { Phrase(verbatim: $0) }, count: names.count, most: names.count)
    }

    /// `"Crew", "Night watch" and 2 more`.
    package static func list(quoting names: [String]) -> Phrase {
        list(names.map(quoted), count: names.count, most: shown)
    }

    /// Names, each with the beginning of its ID where another one looks the same.
    package static func distinct(_ people: [(name: String, id: String)]) -> [String] {
        let counts = people.reduce(into: [String: Int]()) { $0[$1.name.lowercased(), default: 0] += 1 }
        return people.map { person in
            counts[person.name.lowercased()] == 1 ? person.name : "\(person.name) (\(person.id.prefix(8)))"
        }
    }

    private static func list(_ names: [Phrase], count all: Int, most: Int) -> Phrase {
        var parts = Array(names.prefix(most))
        let left = all - parts.count
        if left > 0 { parts.append(left == 1 ? Phrase("1 more") : Phrase("\(left) more")) }
        guard let last = parts.popLast() else { return Phrase("nobody") }
        return parts.isEmpty ? last : Phrase("\(Phrase.joined(parts, by: ", ")) and \(last)")
    }

    /// `Ada, Bob or Cleo`.
    package static func any(of names: [String]) -> Phrase { any(of: names.map { Phrase(verbatim: $0) }) }

    /// `"Ada", "Bob" or "Cleo"`.
    package static func any(quoting names: [String]) -> Phrase { any(of: names.map(quoted)) }

    /// A name between the quotation marks of the reader's language.
    private static func quoted(_ name: String) -> Phrase { Phrase("\"\(name)\"", hint: "quote") }

    private static func any(of parts: [Phrase]) -> Phrase {
        guard let last = parts.last, parts.count > 1 else { return parts.last ?? Phrase("nobody") }
        return Phrase("\(Phrase.joined(parts.dropLast(), by: ", ")) or \(last)")
    }
}
