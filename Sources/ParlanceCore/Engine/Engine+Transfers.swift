import ParlanceWire

// Fetching and serving files (files.md, "Asking").
extension Engine {
    mutating func fetch(_ mention: FileMention, in conversation: ConversationID, _ id: CommandID) {
        guard conversations[conversation] != nil else { return turn.refuse(id, .message(.unknownConversation)) }
        transfers.fetch(mention, in: conversation, id, &turn)
    }
}
