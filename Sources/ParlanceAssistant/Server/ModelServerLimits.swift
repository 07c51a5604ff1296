/// What is the most that the client takes from a model server, or gives to it.
package enum ModelServerLimits {
    /// All headers of a response together. Servers send a few hundred bytes.
    package static let headBytes = 16 * 1024
    /// The number of headers of a response. Servers send about ten.
    package static let headFields = 64
    /// A plain response: the list of models, or an answer that is not streamed. The largest are embeddings: 32 of 4,096
    /// numbers of about 22 bytes are 2.9 million bytes.
    package static let bodyBytes = 4 * 1024 * 1024
    /// The body of a response that reports a failure, of which only the message is kept.
    package static let failureBytes = 64 * 1024
    /// One line of a stream, and all data lines of one event together. A delta has a few hundred bytes.
    package static let lineBytes = 256 * 1024
    /// A whole stream: each token costs about 250 bytes of JSON, so this is room for 60 thousand tokens.
    package static let streamBytes = 16 * 1024 * 1024
    /// The longest answer in tokens, whatever a request asks for.
    package static let answerTokens = 4096
    /// The most text that one token stands for, on average over an answer. Longer answers ignored their token limit.
    package static let answerBytesPerToken = 16
    /// The question and its answer, if the settings say nothing: the smallest default window of common servers.
    package static let tokenBudget = 4096
    /// Texts of one request for embeddings: its response stays below `bodyBytes`, and a slow machine within the time limits.
    package static let embeddingBatch = 32
    /// Numbers of an embedding. Common models have 384 to 4,096.
    package static let dimensions = 1...4_096
    /// The longest wait that a busy server can ask for and still be asked a second time.
    package static let retryWait: Duration = .seconds(10)
    /// The wait if a busy server names none.
    package static let retryWaitUnnamed: Duration = .seconds(1)
    /// Letters kept of a server's message, model name, redirect target or reason to finish.
    package static let messageLetters = 500
}
