/// What a person did at the keyboard.
package enum Key: Equatable, Sendable {
    /// A part of a character: a mark may follow the letter to which it belongs.
    case text(Unicode.Scalar)
    /// A paste; its lines end with line feeds. If it was longer than a message can be, the rest was left out.
    case paste(String, isCut: Bool = false)
    case named(Name, Modifiers = [])
    /// A character that was typed with Alt.
    case alt(Unicode.Scalar)
    /// A letter that was typed with Ctrl, in lower case.
    case control(Character)
    /// A key that has no meaning here.
    case unknown

    package enum Name: Equatable, Sendable {
        case enter, tab, backTab, escape, backspace, delete
        case up, down, left, right, home, end, pageUp, pageDown
        case f1, f2
    }

    package struct Modifiers: OptionSet, Sendable {
        package let rawValue: Int
        package static let shift = Modifiers(rawValue: 1)
        package static let alt = Modifiers(rawValue: 2)
        package static let control = Modifiers(rawValue: 4)
        /// It came in one read with the text before it: from a paste without marks, or from somebody who types ahead.
        package static let atOnce = Modifiers(rawValue: 8)

        package init(rawValue: Int) {
            self.rawValue = rawValue
        }
    }
}
