/// How long each part of a request may take.
package struct ModelTimeLimits: Hashable, Sendable {
    /// To look up the name and to connect. A server of the same network takes milliseconds, and seconds if a model has all
    /// its processors.
    package var connecting: Duration = .seconds(10)
    /// From there to the first part of the answer. A small machine reads a long question for a minute or two.
    package var firstByte: Duration = .seconds(120)
    /// Between two parts of a streamed answer, or for all the rest of a plain one.
    package var idle: Duration = .seconds(30)
    /// For the whole request. Without it, an answer of many empty parts would have no end.
    package var whole: Duration = .seconds(600)

    /// For the embedding of a question, for which a person waits: time enough for a server to load a small model.
    package var question: Duration = .seconds(30)
    /// For that of a search, whose hits by words are there already: a server that is at work takes less than a second.
    package var search: Duration = .seconds(3)

    package init() {}

    /// The limits for the embedding of a question.
    ///
    /// - Parameter isAside: whether it is that of a search.
    func ofQuestion(isAside: Bool) -> ModelTimeLimits {
        var limits = self
        limits.whole = min(whole, isAside ? search : question)
        return limits
    }

    func limit(of phase: ModelServerError.Phase) -> Duration {
        switch phase {
        case .connecting: connecting
        case .firstByte: firstByte
        case .idle: idle
        case .whole: whole
        }
    }

    /// A watch that wakes this often sees each limit pass on time.
    var shortest: Duration { min(connecting, firstByte, idle, whole) }
}
