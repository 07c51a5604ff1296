package import ParlanceControl
package import ParlanceWords

extension PeopleText {
    /// `Ada ✓, Bob and you`.
    ///
    /// - Parameter count: how many people there are in total, if `people` has only the first of them.
    package static func list(_ people: [Person], count: Int? = nil) -> Phrase {
        list(people.map(\.shownName), count: count)
    }

    /// The people to whom something is done: "you" is another word there.
    ///
    /// - Parameter count: how many people there are in total, if `people` has only the first of them.
    package static func whom(_ people: [Person], count: Int? = nil) -> Phrase {
        let names = people.map { $0.me == true ? Phrase("you", hint: "whom") : Phrase(verbatim: $0.shownName) }
        return list(phrases: names, count: count)
    }
}
