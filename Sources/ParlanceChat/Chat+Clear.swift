import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

// What is in the open conversation is removed: `/clear [--yes]` and `/delete [--yes]`, in the words of the command.
extension Chat {
    private static let clearYes = "--yes"

    /// Asks before anything is removed, or removes it; nil if the line is to stay.
    mutating func clear(_ argument: String, deletes: Bool) -> [ChatEffect]? {
        guard let open, let info = open.info else {
            tell(Phrase("No conversation is open. To open one: /open WHO"), .warning)
            return nil
        }
        let command = (deletes ? "/delete" : "/clear") + " " + Self.clearYes
        guard argument.isEmpty || argument == Self.clearYes else {
            let name = deletes ? "/delete" : "/clear"
            tell(Phrase("Usage: \(name) \(Self.clearYes)"), .warning)
            return nil
        }
        guard argument == Self.clearYes else {
            tell(Phrase("\(ClearText.question(info, deletes: deletes)) To do it: \(command)"), .warning)
            return nil
        }
        composer.draft.finish()
        let purpose = ChatPurpose.cleared(deletes: deletes)
        if deletes { return [.call(ConversationDeleteOperation(who: open.who), purpose)] }
        return [.call(ConversationClearOperation(who: open.who), purpose)]
    }
}
