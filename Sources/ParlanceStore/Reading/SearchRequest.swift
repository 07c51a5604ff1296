package import ParlanceCore
package import ParlanceRecords
package import ParlanceWire

/// A query whose names are resolved.
package struct SearchRequest: Equatable, Sendable {
    package enum Order: Equatable, Sendable {
        /// What fits best comes first; of messages that fit alike, the newest.
        case relevance
        case newest
    }

    package var terms: [SearchTerm]
    /// `nil` for everybody.
    package var authors: Set<PeerID>?
    /// `nil` for all.
    package var conversations: Set<ConversationID>?
    /// Milliseconds since 1970: written then or later, and before.
    package var after: Int64?
    package var before: Int64?
    /// Only messages that have files.
    package var hasFile = false
    package var order: Order = .relevance
    /// How many of the messages to skip, and how many to return.
    package var offset = 0
    package var limit: Int
    /// The present time, in milliseconds since 1970.
    package var wall: Int64

    package init(terms: [SearchTerm], limit: Int, at wall: Int64) {
        self.terms = terms
        self.limit = limit
        self.wall = wall
    }

    func hasTime(_ time: Int64) -> Bool { time >= after ?? .min && time < before ?? .max }
}

/// The messages that fit a query.
package struct SearchResults: Equatable, Sendable {
    package struct Found: Equatable, Sendable {
        package var message: ShownMessage
        package var excerpt: SearchExcerpt
    }

    /// A page of them, the best first.
    package var found: [Found] = []
    /// How many fit in all; at most `Limits.searchMatches`, since others are not compared.
    package var count = 0
    /// Whether there are more than those that were compared.
    package var isCut = false
    /// Events that were not searched, because they are not in the index yet.
    package var unsearched = 0
}
