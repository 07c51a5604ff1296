// What operations take if nothing else is said, and at most.

extension ModelServerOperation {
    /// Characters (code points) of a text that a server embeds: they fit the 512 tokens that many models have in most
    /// languages, and no more of a text is sent than that.
    package static let sentCharacters = 1_024
}

extension AskOperation {
    /// How many messages are given if nothing else is said, and at most.
    package static let sources = 5

    package static let maximumSources = 50

    /// Bytes of a label: a UUID has 36.
    package static let labelBytes = 64
}

extension SummaryOperation {
    /// How many messages stand for the conversation.
    package static let points = 7
}

extension HistoryOperation {
    /// The page size if none is given.
    package static let defaultLimit = 50

    /// The largest page: 200 texts of ordinary length stay far under the limit of a line.
    package static let maximumLimit = 200
}

extension SearchOperation {
    /// The page size if none is given.
    package static let defaultLimit = 20

    /// The largest page: as many as a page of history.
    package static let maximumLimit = 200
}

extension FilesOperation {
    package static let defaultLimit = 100

    package static let maximumLimit = 1_000
}

extension PictureOperation {
    /// Bytes of a file that can be sent to the node: cameras add much that is removed there.
    package static let mostBytes = 512 * 1024
}

extension RetainOperation {
    /// The lengths that the node takes, in seconds (`Limits.leastRetentionMilliseconds`, `retentionMilliseconds`).
    package static let lengths = 3_600...315_360_000
}
