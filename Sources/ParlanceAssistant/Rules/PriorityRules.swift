/// Rates unread messages for a reader.
enum PriorityRules {
    /// A deadline within this many days makes a task of the reader urgent.
    private static let soonDays = 1

    /// How urgent a message is to a reader.
    ///
    /// High: urgent words, a task of the reader due by tomorrow, or a question that names the reader.
    /// Low: messages of the reader, and messages that say they can wait. Normal: all others.
    static func priority(of message: ReadMessage, to reader: String, members: [String]) -> Priority {
        guard message.sender != reader else { return .low }
        let tokens = Tokenizer.tokens(of: message.text)
        let whole = tokens.indices
        if Lexicon.calm.isFound(in: whole, of: tokens) { return .low }
        if Lexicon.urgent.isFound(in: whole, of: tokens) { return .high }
        let names = MemberNames(members, mentioned: message.mentions)
        let isNamed = whole.contains { index in
            tokens[index].kind != .lineEnd && names.name(at: index, in: tokens, before: tokens.count)?.name == reader
        }
        let isPair = names.other(than: message.sender) == reader
        let asks = Sentence.sentences(of: tokens).contains { $0.isQuestion }
        if isNamed, asks { return .high }
        let today = DeadlineReader(tokens: [], time: message.time, offset: message.offset)?.today
        let actions = Rules.actions(in: message, members: members)
        let isDue = actions.contains { action in
            guard !action.isDone, action.assignee == reader, let deadline = action.deadline, let today else {
                return false
            }
            return deadline.day.number <= today.number + soonDays
        }
        if isDue { return .high }
        if isNamed || isPair || asks || !actions.isEmpty { return .normal }
        return tokens.count(where: { $0.kind == .word }) <= wordsOfReply ? .low : .normal
    }

    /// A message of no more words that asks and orders nothing is a mere reply, such as "thanks".
    private static let wordsOfReply = 3
}
