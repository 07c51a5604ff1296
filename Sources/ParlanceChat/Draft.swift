import ParlanceControl
import ParlanceTerminal

/// What is being written in one conversation: the line, what it is for, and what stood there before.
struct Draft: Equatable, Sendable {
    private(set) var aim = DraftAim.message
    var editor = LineEditor()
    /// The message that stood in the line before the aim changed.
    private var setAside = LineEditor()
    /// The text with which the aim began.
    private var begun = ""
    /// What was sent here, and what was given up.
    var sent = InputHistory()
    /// The message that `/reply`, `/react` or `/fetch` is about, from the moment that it was typed.
    var target: String?
    /// How many characters at the beginning came back from the daemon, since the last key.
    private var returned = 0

    var isEmpty: Bool { self == Draft() }

    /// Whether nothing stands in the line, and it is for a message.
    var isBlank: Bool { editor.isEmpty && aim == .message }

    /// Uses the line for something else, and keeps what stood there.
    mutating func begin(_ aim: DraftAim, with text: String = "") {
        endAim()
        setAside = editor
        (editor, begun) = (LineEditor(text), text)
        self.aim = aim
    }

    /// The line is for a message again. A text that was written is kept among those that were sent.
    ///
    /// - Returns: whether there was such a text.
    @discardableResult
    mutating func endAim() -> Bool {
        guard aim != .message else { return false }
        let isLost = aim.isText && editor.text != begun && !editor.text.allSatisfy(\.isWhitespace)
        let text = editor.text
        resume()
        if isLost { sent.add(text) }
        return isLost
    }

    /// The user clears the line.
    mutating func clear() {
        if !editor.text.allSatisfy(\.isWhitespace) { sent.add(editor.text) }
        editor = LineEditor()
        target = nil
    }

    /// The text is on its way.
    mutating func finish() {
        if aim.isText { sent.add(editor.text) }
        if aim == .message { (editor, target) = (LineEditor(), nil) } else { resume() }
    }

    /// The line above; from the first, what was sent before.
    ///
    /// - Parameter inText: whether it moves in the text at all.
    mutating func moveUp(inText: Bool) {
        if inText, editor.moveUp() { return }
        if aim.isText, let text = sent.older(than: editor.text) { editor = LineEditor(text) }
    }

    mutating func moveDown(inText: Bool) {
        if inText, editor.moveDown() { return }
        if aim.isText, let text = sent.newer(than: editor.text) { editor = LineEditor(text) }
    }

    private mutating func resume() {
        (aim, editor, begun) = (.message, setAside, "")
        setAside = LineEditor()
    }

    // MARK: - What comes back

    /// A key was pressed: what comes back from now on stands before everything.
    mutating func keyPressed() {
        returned = 0
    }

    /// A text was not sent: it stands in the line again, before what was written since.
    mutating func comeBack(_ text: String, _ aim: DraftAim) {
        if aim == self.aim {
            Self.put(text, in: &editor, behind: &returned)
        } else if self.aim == .message, aim.isText {
            begin(aim)
            editor = LineEditor(text)
        } else if aim.isText {
            // Two answers cannot be written at once.
            Self.put(text, in: &setAside, behind: &returned)
        }
    }

    /// A command was refused: its line can be corrected, and is about the same message as before. If something else has
    /// been written meanwhile, the line is only among those that were sent.
    mutating func comeBack(refused line: String, about target: String?) {
        guard editor.isEmpty, aim == .message else { return }
        comeBack(line, .message)
        self.target = target
    }

    private static func put(_ text: String, in editor: inout LineEditor, behind returned: inout Int) {
        let separator = editor.isEmpty ? "" : "\n"
        if returned == 0 {
            editor.insert(text + separator, at: 0)
            returned = text.count
        } else {
            editor.insert("\n" + text, at: returned)
            returned += text.count + 1
        }
    }

    /// The same draft for a conversation that has got another name, before what was written there.
    func joined(with other: Draft) -> Draft {
        if isEmpty { return other }
        if other.editor.isEmpty, other.setAside.isEmpty { return self }
        if other.aim == .message {
            var result = self
            if aim == .message {
                Self.add(other.editor, to: &result.editor)
            } else {
                Self.add(other.editor, to: &result.setAside)
            }
            return result
        }
        // Two answers cannot be written at once: the later one goes on.
        var result = other
        result.setAside = aim == .message ? editor : setAside
        Self.add(other.setAside, to: &result.setAside)
        if aim.isText, aim != .message { result.sent.add(editor.text) }
        return result
    }

    private static func add(_ new: LineEditor, to editor: inout LineEditor) {
        guard !new.isEmpty else { return }
        editor.insert((editor.isEmpty ? "" : "\n") + new.text, at: editor.count)
    }

    // MARK: - What is kept when the screen is left

    init() {}

    init(_ kept: KeptDraft) {
        if let id = kept.answers { aim = .answer(to: id) } else if let id = kept.edits { aim = .edit(of: id) }
        editor = LineEditor(kept.text)
        setAside = LineEditor(kept.aside ?? "")
        target = kept.about
    }

    /// What was begun here, for the next screen.
    func kept(for who: String) -> KeptDraft {
        let message = KeptDraft(who: who, text: setAside.text)
        let aside = setAside.isEmpty ? nil : setAside.text
        switch aim {
        case .message: return KeptDraft(who: who, text: editor.text, about: target)
        case .answer where editor.isEmpty, .edit where editor.isEmpty || editor.text == begun: return message
        case .answer(let id): return KeptDraft(who: who, text: editor.text, answers: id, aside: aside)
        case .edit(let id): return KeptDraft(who: who, text: editor.text, edits: id, aside: aside)
        case .reaction, .deletion: return message
        }
    }
}
