import ParlanceAssistant
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import ParlanceWords

// Searching: the query is read here, its names are found by the engine, and the store is searched.

extension NodeOperations {
    static let search: [any NodeOperation.Type] = [SearchOperation.self]
}

extension SearchOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> SearchReply {
        let limit = limit ?? Self.defaultLimit
        let offset = offset ?? 0
        guard (1...Self.maximumLimit).contains(limit), offset >= 0 else {
            throw .searchPage(limit, offset)
        }
        let parsed: SearchQuery
        do throws(SearchFault) {
            parsed = try SearchQuery(parsing: query)
        } catch {
            throw ControlError(error)
        }
        let wall = WallClock.milliseconds()
        var request = SearchRequest(terms: parsed.terms, limit: limit, at: wall)
        request.order = order == .newest ? .newest : .relevance
        request.offset = offset
        let today = CivilDay(at: wall)
        request.after = parsed.after.map { $0.day(on: today).start }
        request.before = parsed.before.map { $0.day(on: today).start }
        request.hasFile = parsed.hasFile
        var found = try await node.search(parsed, request)
        if found.hits.isEmpty, offset == 0 { found.why = found.why ?? parsed.misspeltField }
        let isNear = near == true && parsed.isPlain && offset == 0 && node.assistant.findsByMeaning
        return isNear ? await node.addNear(query, to: found) : found
    }
}

extension SearchQuery {
    /// What is said of a word before a colon that is almost a field, if nothing was found with it.
    fileprivate var misspeltField: Phrase? {
        for typed in otherFields where typed.count > Self.shortest {
            guard let meant = NearestWord.of(typed, among: Self.fields, within: 1) else { continue }
            return Phrase("A search has no field \"\(typed.withoutControlCharacters):\". Did you mean \(meant):?")
        }
        return nil
    }

    /// Longer words are taken for misspelt fields: with one letter changed, many a short word is one.
    private static let shortest = 3
}

extension LocalControl {
    /// Adds what is near in meaning to the words of a query. What was found by the words stands, whatever becomes of that.
    fileprivate func addNear(_ query: String, to found: SearchReply) async -> SearchReply {
        let question = AskOperation(question: query, limit: AskOperation.sources)
        var both = found
        both.near = try? await assistant.ask(question, isAside: true) { _ in }
        let hits = Set(found.hits.map(\.id))
        both.near?.sources.removeAll { hits.contains($0.id) }
        // By words alone it is found already.
        if both.near?.sources.isEmpty == true || both.near?.model == .rules { both.near = nil }
        return both
    }

    /// Replaces the names in a query by the people and conversations that they mean, then searches.
    fileprivate func search(_ query: SearchQuery, _ request: SearchRequest) async throws(ControlError) -> SearchReply {
        var request = request
        for who in query.from { request.authors = (request.authors ?? []).union([try await author(who)]) }
        for who in query.within {
            let place = try await ask(.findConversation(who: who), \.place)
            request.conversations = (request.conversations ?? []).union([place.conversation])
        }
        let places = try await places()
        return try await read { [self, request] in describe(try store.search(request), request, places) }
    }

    /// Finds the person that a query names; `me` is this user.
    private func author(_ who: String) async throws(ControlError) -> PeerID {
        if who.lowercased() == "me" { return store.identity }
        switch await result(of: .find(who: who)) {
        case .success(let answer):
            guard let view = answer.peer else { throw .defect }
            return view.record.id
        case .failure(.naming(.ownIdentity)): return store.identity
        case .failure(let refusal): throw explain(refusal)
        }
    }

    private func describe(_ results: SearchResults, _ request: SearchRequest, _ places: [Place]) -> SearchReply {
        let known = Dictionary(places.map { ($0.conversation, $0) }) { $1 }
        let hits = results.found.map { found in
            let place = known[found.message.conversation]
            return SearchHit(
                id: found.message.id.text,
                conversation: found.message.conversation.text,
                kind: place?.isGroup == true ? .group : .direct,
                title: place?.title ?? "",
                sender: hub.person(found.message.log.author),
                time: ControlTime(milliseconds: found.message.time.shown(at: request.wall)),
                excerpt: SearchHit.Excerpt(
                    text: found.excerpt.text,
                    marks: found.excerpt.marks.map { SearchHit.Mark(from: $0.lowerBound, to: $0.upperBound) },
                    cutBefore: found.excerpt.isCutBefore,
                    cutAfter: found.excerpt.isCutAfter
                )
            )
        }
        let end = request.offset.addingReportingOverflow(hits.count).partialValue
        var reply = SearchReply(hits: hits, found: results.count, more: !hits.isEmpty && end < results.count)
        if results.isCut { reply.atLeast = true }
        if results.unsearched > 0 { reply.unsearched = results.unsearched }
        return reply
    }
}

extension ControlError {
    fileprivate static func searchPage(_ limit: Int, _ offset: Int) -> ControlError {
        guard offset >= 0 else {
            return ControlError(
                .invalidValue,
                "A search cannot skip \(offset) messages.",
                advice: "Skip 0 or more."
            )
        }
        return ControlError(
            .invalidValue,
            "A search shows 1 to \(SearchOperation.maximumLimit) messages at a time, not \(limit).",
            advice: "Ask for fewer, and for further ones with an offset."
        )
    }

    fileprivate init(_ fault: SearchFault) {
        let message: Phrase
        let advice: Phrase
        switch fault {
        case .tooLong:
            message = Phrase("The query is longer than \(Limits.searchQueryBytes) bytes.")
            advice = Phrase("Leave words out.")
        case .tooManyTerms:
            message = Phrase("The query has more than \(Limits.searchTerms) words, people or conversations.")
            advice = Phrase("Leave some out, or put words that follow each other between quotation marks.")
        case .nothing:
            message = Phrase("The query is empty.")
            advice = Phrase("Give a word, or a field such as from:NAME.")
        case .openQuotation:
            message = Phrase("A quotation mark in the query is not closed.")
            advice = Phrase("Add the second one, or leave the first one out.")
        case .emptyField(let field):
            message = Phrase("Nothing follows \"\(field):\" in the query.")
            advice = Phrase("Write the value directly after the colon: \(field):VALUE")
        case .twice(let field):
            message = Phrase("The query has \"\(field):\" twice.")
            advice = Phrase("Give it once.")
        case .notADay(let field, let value):
            message = Phrase("\"\(field):\" needs a day, and \"\(value.withoutControlCharacters)\" is none.")
            advice = Phrase("Write a day as 2026-11-24, a month as 2026-11, or today or yesterday.")
        case .unknownThing(let value):
            message = Phrase("\"\(value.withoutControlCharacters)\" is nothing that a message can have.")
            advice = Phrase("The only such field is has:file.")
        case .noWord(let typed):
            message = Phrase("\"\(typed.withoutControlCharacters)\" has no letter, digit or symbol to search for.")
            advice = Phrase("Leave it out.")
        case .badPart(let typed):
            message = Phrase("\"\(typed.withoutControlCharacters)\" cannot be searched as a part of a word.")
            advice = Phrase("Put one word of \(SearchTerm.partCharacters) or more characters between the stars.")
        }
        self.init(.invalidValue, message, advice: advice)
    }
}
