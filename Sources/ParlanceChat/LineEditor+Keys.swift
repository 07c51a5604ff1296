import ParlanceTerminal

extension LineEditor {
    /// The usual keys of a line.
    ///
    /// - Returns: whether it is one of them.
    mutating func press(_ key: Key) -> Bool {
        switch key {
        case .named(.backspace, .alt), .named(.backspace, .control), .control("w"): deleteWordBackward()
        case .named(.backspace, _): deleteBackward()
        case .named(.delete, .control), .alt("d"): deleteWordForward()
        case .named(.delete, _), .control("d"): deleteForward()
        case .named(.left, let modifiers):
            if modifiers.isEmpty { moveLeft() } else { moveWordLeft() }
        case .named(.right, let modifiers):
            if modifiers.isEmpty { moveRight() } else { moveWordRight() }
        case .alt("b"): moveWordLeft()
        case .alt("f"): moveWordRight()
        case .named(.home, _), .control("a"): moveToLineStart()
        case .named(.end, _), .control("e"): moveToLineEnd()
        case .control("b"): moveLeft()
        case .control("u"): deleteToLineStart()
        case .control("k"): deleteToLineEnd()
        default: return false
        }
        return true
    }
}
