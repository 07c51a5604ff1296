package import ParlanceControl
import ParlanceTerminal

// What is begun in each conversation, and is kept when the screen is left.
extension Chat {
    /// Milliseconds after a key until what was begun is kept.
    private static let draftsAfter: Int64 = 1_000

    /// Milliseconds until a write that failed is tried again.
    private static let draftsAgain: Int64 = 5_000

    /// The conversation to which the line belongs: its ID, or what the user typed until that is known. Nothing if none is
    /// open; then the line goes on to the next conversation that is opened.
    private var draftKey: String { open.flatMap { $0.failure == nil ? $0.who : nil } ?? "" }

    /// What is begun at present, by conversation.
    private var begun: [String: KeptDraft] {
        var all = drafts
        all[draftKey] = draft
        for sent in unanswered { all[typedNames[sent.who] ?? sent.who, default: Draft()].comeBack(sent.text, sent.aim) }
        return Dictionary(uniqueKeysWithValues: all.map { ($0, $1.kept(for: $0)) }).filter { !$1.isEmpty }
    }

    /// Asks which node this is, since each has its drafts.
    func askForDrafts() -> [ChatEffect] {
        keepsDrafts && keptDrafts == nil ? [.call(IDOperation(), .identity)] : []
    }

    /// What an earlier screen has kept. It stands before what was typed meanwhile.
    mutating func read(_ found: [KeptDraft]) {
        guard keptDrafts == nil else { return }
        keptDrafts = Dictionary(found.map { ($0.who, $0) }) { $1 }
        for kept in found {
            let who = typedNames[kept.who] ?? kept.who
            if who == draftKey || who.isEmpty {
                draft = Draft(kept).joined(with: draft)
            } else {
                drafts[who] = Draft(kept).joined(with: drafts[who] ?? Draft())
            }
        }
        draftsDue = clock.now
    }

    /// Something may have changed: what was begun is kept soon, and what was sent or emptied is forgotten at once.
    mutating func noteDrafts() {
        guard let keptDrafts else { return }
        let isGone = draft.kept(for: "").isEmpty && keptDrafts[draftKey] != nil
        draftsDue = isGone ? clock.now : draftsDue ?? clock.now + Self.draftsAfter
    }

    /// What could not be kept is tried again.
    mutating func draftsFailed(_ failure: ControlFailure, _ changes: [KeptDraft]) {
        tell(said(failure), .bad, stays: true)
        // What is on the disk is neither the former draft nor this one, as far as is known.
        for change in changes { keptDrafts?[change.who] = KeptDraft(who: change.who) }
        draftsDue = clock.now + Self.draftsAgain
    }

    mutating func keepDraftsIfDue() -> [ChatEffect] {
        guard let draftsDue, draftsDue <= clock.now else { return [] }
        let changes = unkeptDrafts()
        return changes.isEmpty ? [] : [.keepDrafts(changes)]
    }

    /// What has to be kept before the screen is left. Drafts that are gone are empty ones.
    package mutating func unkeptDrafts() -> [KeptDraft] {
        guard let kept = keptDrafts else { return [] }
        draftsDue = nil
        let begun = begun
        keptDrafts = begun
        let gone = kept.keys.filter { begun[$0] == nil }.map { KeptDraft(who: $0) }
        return (begun.values.filter { kept[$0.who] != $0 } + gone).sorted { $0.who < $1.who }
    }
}
