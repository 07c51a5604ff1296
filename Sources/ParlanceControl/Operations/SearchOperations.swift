package import ParlanceWords

/// `search`: the messages that fit a query.
package struct SearchOperation: ControlOperation {
    package typealias Reply = SearchReply
    package static let method = "search"

    /// The page size if none is given.
    package static let defaultLimit = 20
    /// The largest page: as many as a page of history.
    package static let maximumLimit = 200

    package enum Order: String, Codable, JSONWord, Sendable {
        /// What fits best comes first; of messages that fit alike, the newest.
        case relevance
        case newest
    }

    /// Words, phrases and fields (protocol/control.md, "Search").
    package var query: String
    /// Absent means by relevance.
    package var order: Order?
    /// How many of the first messages to skip; absent means none.
    package var offset: Int?
    /// How many messages at most, 1 to `maximumLimit`; absent means `defaultLimit`.
    package var limit: Int?
    /// True: also what is near in meaning (`SearchReply.near`).
    package var near: Bool?

    package init(query: String, order: Order? = nil, offset: Int? = nil, limit: Int? = nil, near: Bool? = nil) {
        self.query = query
        self.order = order
        self.offset = offset
        self.limit = limit
        self.near = near
    }
}

/// A page of the messages that fit a query, the best first.
package struct SearchReply: Codable, Equatable, Sendable {
    package var hits: [SearchHit]
    /// How many messages fit; with `atLeast`, as many were compared.
    package var found: Int
    /// Whether more messages may fit than were compared, which are those that came last; absent if not.
    package var atLeast: Bool?
    /// Whether there are hits after these.
    package var more: Bool
    /// How many events were not searched, because the index has not reached them yet; absent if none.
    package var unsearched: Int?
    /// Why nothing can be found, if that is so.
    package var why: Phrase?
    /// What is near in meaning, besides these hits. Absent unless it was wanted, the assistant is on with its embedding
    /// model, the query is words without fields and phrases, and this is the first page.
    package var near: AskReply?

    package init(hits: [SearchHit], found: Int, more: Bool) {
        self.hits = hits
        self.found = found
        self.more = more
    }
}

/// A message that fits a query.
package struct SearchHit: Codable, Equatable, Sendable {
    /// The ID of the message.
    package var id: String
    package var conversation: String
    package var kind: ConversationKind
    /// The name of the conversation: the group's title or the peer's name.
    package var title: String
    package var sender: Person
    /// The time to show.
    package var time: ControlTime
    package var excerpt: Excerpt

    package init(
        id: String,
        conversation: String,
        kind: ConversationKind,
        title: String,
        sender: Person,
        time: ControlTime,
        excerpt: Excerpt
    ) {
        self.id = id
        self.conversation = conversation
        self.kind = kind
        self.title = title
        self.sender = sender
        self.time = time
        self.excerpt = excerpt
    }

    /// A part of the text, with what fits.
    package struct Excerpt: Codable, Equatable, Sendable {
        package var text: String
        /// The places that fit, ascending and apart.
        package var marks: [Mark]
        /// Whether the whole text goes on before or after it; absent if not.
        package var cutBefore: Bool?
        package var cutAfter: Bool?

        package init(text: String, marks: [Mark], cutBefore: Bool = false, cutAfter: Bool = false) {
            self.text = text
            self.marks = marks
            self.cutBefore = cutBefore ? true : nil
            self.cutAfter = cutAfter ? true : nil
        }

        /// The text in pieces, each with whether it is marked. Marks that do not fit the text are left out.
        package var pieces: [(text: String, isMarked: Bool)] {
            let scalars = Array(text.unicodeScalars)
            var pieces: [(String, Bool)] = []
            var end = 0
            let piece = { (range: Range<Int>) in String(String.UnicodeScalarView(scalars[range])) }
            for mark in marks where mark.from >= end && mark.to > mark.from && mark.to <= scalars.count {
                if mark.from > end { pieces.append((piece(end..<mark.from), false)) }
                pieces.append((piece(mark.from..<mark.to), true))
                end = mark.to
            }
            if end < scalars.count { pieces.append((piece(end..<scalars.count), false)) }
            return pieces
        }
    }

    /// A place in an excerpt, in code points (Unicode scalars): from one up to, and without, another.
    package struct Mark: Codable, Equatable, Sendable {
        package var from: Int
        package var to: Int

        package init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }
}
