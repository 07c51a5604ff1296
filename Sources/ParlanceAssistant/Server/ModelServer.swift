/// How the assistant reaches a model server: an OpenAI-compatible one, for example Ollama, llama.cpp or vLLM.
package struct ModelServer: Hashable, Sendable {
    package var address: ModelAddress
    /// The model that answers questions. Without it there is no chat.
    package var chatModel: String?
    /// The model that makes embeddings of texts. Without it there are none.
    package var embeddingModel: String?
    /// Whether the server may have an address outside of this machine and the local network.
    package var allowsPublic: Bool
    package var timeLimits: ModelTimeLimits
    /// How many tokens a question and its answer may have together (the context window of the chat model).
    package var tokenBudget: Int

    package init(
        address: ModelAddress,
        chatModel: String? = nil,
        embeddingModel: String? = nil,
        allowsPublic: Bool = false,
        timeLimits: ModelTimeLimits = ModelTimeLimits(),
        tokenBudget: Int = ModelServerLimits.tokenBudget
    ) {
        self.address = address
        self.chatModel = chatModel
        self.embeddingModel = embeddingModel
        self.allowsPublic = allowsPublic
        self.timeLimits = timeLimits
        self.tokenBudget = tokenBudget
    }
}
