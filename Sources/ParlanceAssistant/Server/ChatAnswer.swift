/// What a chat model answered.
package struct ChatAnswer: Equatable, Sendable {
    /// The whole text, which can be empty.
    package var text: String
    /// The model that the server says has answered, if it says so.
    package var model: String?
    /// Why the answer ended, if the server says so.
    package var finishReason: FinishReason?

    package enum FinishReason: Equatable, Sendable {
        /// The model was done.
        case stop
        /// The token limit came first, so the text is only a beginning.
        case length
        case other(String)

        init?(_ name: String?) {
            switch name {
            case nil, "": return nil
            case "stop": self = .stop
            case "length": self = .length
            case .some(let name): self = .other(ServerText.bounded(name))
            }
        }
    }

    package init(text: String, model: String?, finishReason: FinishReason?) {
        self.text = text
        self.model = model
        self.finishReason = finishReason
    }
}
