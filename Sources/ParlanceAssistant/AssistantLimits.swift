/// Limits of the assistant, with their reasons.
package enum AssistantLimits {
    /// Questions and other work that wait: more than a person asks for.
    package static let jobs = 64
    /// Questions and other work at once: one of them may read all messages, and some may wait for a model server.
    package static let jobsAtOnce = 9
    /// Messages that wait to be read; with more of them everything is looked at again.
    package static let news = 1_000
    /// After two readings that failed, the next begins with a message that comes later than this: a disk that is full may
    /// stay so for days, and each reading reads all conversations.
    package static let readingPause: Duration = .seconds(60)
    /// Characters of a text that are embedded: more than the 256 tokens that the model reads.
    package static let embeddedCharacters = 4_096
    /// Messages without an embedding that are looked up at once: a look takes a while if there are many messages.
    package static let lacking = 1_000
    /// The first pause after a model made no embeddings, and the longest: a server that comes back is noticed soon, and one
    /// that is gone for good costs little.
    package static let vectorPause: Duration = .seconds(60)
    package static let longestVectorPause: Duration = .seconds(240)
    /// Seconds after which the model is dropped from memory, if nobody has needed it.
    package static let modelSeconds = 300
    /// Messages that are compared because they are near to a question.
    package static let nearest = 50
    /// What the words of a question count beside the cosine. Reciprocal rank fusion harmed paraphrases.
    package static let wordWeight = 0.3
    /// The least cosine of a message that is given for a question of whose words it has none.
    package static let leastCosine = 0.25
    /// Models of a server that an error names.
    package static let namedModels = 10
    /// Tokens of the answer of a chat model: a few paragraphs.
    package static let answerTokens = 1_024
    /// Questions under way, in all clients together: fewer than the work at once, so that a model server that hangs keeps
    /// nobody from turning the assistant off, and what is deleted from being forgotten.
    package static let questionsUnderWay = 5
    /// Pieces of one answer that are told one by one: as many as the tokens of an honest one. A server that cuts its answer
    /// into more has them told in pieces of `answerPieceBytes`, so that no subscriber is flooded.
    package static let answerPieces = answerTokens
    package static let answerPieceBytes = 256
    /// Turns of a talk that are kept: a long conversation, that still fits one reply.
    package static let turns = 100
    /// Bytes of a turn's question and answer that are kept: the longest that there can be, and some room for citations.
    package static let turnBytes = 24 << 10
    /// Bytes of all turns of a talk: with every character escaped, and their sources, they fit one reply.
    package static let talkBytes = 1 << 20
    /// Turns that a chat model gets with a question: what a person still has in mind.
    package static let earlierTurns = 10
    /// Characters of an earlier answer that it gets: the beginning says what it was about.
    package static let earlierCharacters = 640
    /// Messages that a turn may rest on, with those of the turns before it: as many as are worth a look at each showing.
    package static let turnMessages = 200
    /// Bytes of a question: a few sentences.
    package static let questionBytes = 2_048
    /// Words of a question that are looked for: those that stand first.
    package static let questionWords = 8
    /// Messages that are compared for each word of a question.
    package static let matches = 100
    /// The least score of a message that is given for a question: it has almost a third of the question's weight.
    package static let leastScore = 0.3
    /// Characters of the excerpt of a source: four lines of a terminal.
    package static let excerptCharacters = 320
    /// Actions and decisions in one answer: more than anybody reads.
    package static let answers = 500
    /// Messages that are read for a summary: a busy week of a group.
    package static let summarized = 5_000
    /// Unread messages that are compared for `priority`, of each conversation.
    package static let unread = 50
}
