import ParlanceControl
import ParlanceTerminal
import ParlanceWords

/// The line that is written, and what was begun in other conversations.
///
/// A conversation is named by its ID, or by what the user typed until that is known.
struct Composer: Sendable {
    var draft = Draft()
    /// What was begun in other conversations.
    var drafts: [String: Draft] = [:]
    /// Texts that are on their way to the daemon: they are kept as drafts until it has them.
    private var unanswered: [SentText] = []
    /// The IDs of the conversations that the user named.
    private var typedNames: [String: String] = [:]
    private var lastTyping: ControlTime?
    /// The rows of the line, as they were laid out.
    private(set) var rows = [""]
    private(set) var cursor = Picture.Position(row: 0, column: 0)

    /// Whether drafts outlive the screen.
    private let keepsDrafts: Bool
    /// What is kept of them; nil until that was read.
    private var kept: [String: KeptDraft]?
    /// When drafts that may have changed have to be kept.
    private(set) var due: ControlTime?

    init(keepsDrafts: Bool) {
        self.keepsDrafts = keepsDrafts
    }

    /// Whether a command is being typed.
    var isCommand: Bool { draft.aim == .message && draft.editor.text.hasPrefix("/") }

    /// Lays the line out; what cannot be shown as it is counts as wide as it is drawn.
    mutating func layOut(width: Int) {
        (rows, cursor) = draft.editor.rows(width: width) { VisibleText.line(String($0)) }
    }

    // MARK: - What goes out and comes back

    /// Milliseconds between two signs that the user types; others show it for 3 s after the last.
    private static let typingEvery: Int64 = 1500

    /// The user types: whether others are to be told now.
    mutating func typed(at now: ControlTime) -> Bool {
        if let lastTyping, now.milliseconds - lastTyping.milliseconds < Self.typingEvery { return false }
        lastTyping = now
        return true
    }

    /// The text of the line is on its way.
    mutating func sent() {
        draft.finish()
        lastTyping = nil
    }

    /// - Returns: whether something is sent.
    mutating func asked(_ purpose: ChatPurpose) -> Bool {
        guard let sent = SentText(purpose) else { return false }
        unanswered.append(sent)
        return true
    }

    mutating func answered(_ purpose: ChatPurpose) {
        guard let sent = SentText(purpose), let place = unanswered.firstIndex(of: sent) else { return }
        unanswered.remove(at: place)
    }

    /// A text was not sent: it stands in its conversation again.
    mutating func comeBack(_ text: String, _ aim: DraftAim, to named: String, open: String?) {
        change(typedNames[named] ?? named, open: open) { $0.comeBack(text, aim) }
    }

    /// A line that was refused comes back to its conversation. One that was written while none was open names whom it
    /// is about, so it comes back wherever the user is.
    mutating func comeBack(refused line: String, about target: String?, to named: String?, open: String?) {
        change(named.map { typedNames[$0] ?? $0 } ?? open, open: open) { $0.comeBack(refused: line, about: target) }
    }

    private mutating func change(_ who: String?, open: String?, _ body: (inout Draft) -> Void) {
        if let who, who != open { body(&drafts[who, default: Draft()]) } else { body(&draft) }
    }

    // MARK: - Conversations

    /// Another conversation is opened. What was begun stays with the old one, if there is one.
    mutating func turn(from old: String?, to who: String) {
        let begun = drafts.removeValue(forKey: who) ?? Draft()
        guard let old else {
            draft = begun.joined(with: draft)
            return
        }
        drafts[old] = draft.isEmpty ? nil : draft
        draft = begun
    }

    /// The daemon says whom the user meant.
    mutating func name(_ typed: String, _ who: String) {
        typedNames[typed] = who
        draft = (drafts.removeValue(forKey: who) ?? Draft()).joined(with: draft)
    }

    // MARK: - What is kept when the screen is left

    /// Milliseconds after a key until what was begun is kept.
    private static let keptAfter: Int64 = 1_000

    /// Milliseconds until a write that failed is tried again.
    private static let keptAgain: Int64 = 5_000

    /// Whether it has to be known which node this is, since each has its drafts.
    var wantsKept: Bool { keepsDrafts && kept == nil }

    /// What is begun at present, by conversation.
    ///
    /// - Parameter own: the conversation to which the line belongs.
    private func begun(in own: String) -> [String: KeptDraft] {
        var all = drafts
        all[own] = draft
        for sent in unanswered { all[typedNames[sent.who] ?? sent.who, default: Draft()].comeBack(sent.text, sent.aim) }
        return Dictionary(uniqueKeysWithValues: all.map { ($0, $1.kept(for: $0)) }).filter { !$1.isEmpty }
    }

    /// What an earlier screen has kept. It stands before what was typed meanwhile.
    mutating func read(_ found: [KeptDraft], own: String, at now: ControlTime) {
        guard kept == nil else { return }
        kept = Dictionary(found.map { ($0.who, $0) }) { $1 }
        for old in found {
            let who = typedNames[old.who] ?? old.who
            if who == own || who.isEmpty {
                draft = Draft(old).joined(with: draft)
            } else {
                drafts[who] = Draft(old).joined(with: drafts[who] ?? Draft())
            }
        }
        due = now
    }

    /// Something may have changed: what was begun is kept soon, and what was sent or emptied is forgotten at once.
    mutating func noteChange(own: String, at now: ControlTime) {
        guard let kept else { return }
        let isGone = draft.kept(for: "").isEmpty && kept[own] != nil
        due = isGone ? now : due ?? now + Self.keptAfter
    }

    /// What could not be kept is tried again.
    mutating func failedToKeep(_ changes: [KeptDraft], at now: ControlTime) {
        // What is on the disk is neither the former draft nor this one, as far as is known.
        for change in changes { kept?[change.who] = KeptDraft(who: change.who) }
        due = now + Self.keptAgain
    }

    /// What has to be kept now.
    mutating func unkeptIfDue(own: String, at now: ControlTime) -> [KeptDraft] {
        guard let due, due <= now else { return [] }
        return unkept(own: own)
    }

    /// What has to be kept before the screen is left. Drafts that are gone are empty ones.
    mutating func unkept(own: String) -> [KeptDraft] {
        guard let old = kept else { return [] }
        due = nil
        let begun = begun(in: own)
        kept = begun
        let gone = old.keys.filter { begun[$0] == nil }.map { KeptDraft(who: $0) }
        return (begun.values.filter { old[$0.who] != $0 } + gone).sorted { $0.who < $1.who }
    }
}
