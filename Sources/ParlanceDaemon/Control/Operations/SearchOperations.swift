import ParlanceAssistant
import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import ParlanceWords

// Searching: the query is read here, its names are found by the engine, and the store is searched.

extension NodeOperations {
    static let search: [any NodeOperation.Type] = [SearchOperation.self]
}

extension SearchOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<SearchReply>) {
        let limit = limit ?? Self.defaultLimit
        let offset = offset ?? 0
        guard (1...Self.maximumLimit).contains(limit), offset >= 0 else {
            return reply(.failure(.searchPage(limit, offset)))
        }
        let parsed: SearchQuery
        do throws(SearchFault) {
            parsed = try SearchQuery(parsing: query)
        } catch {
            return reply(.failure(ControlError(error)))
        }
        let wall = WallClock.milliseconds()
        var request = SearchRequest(terms: parsed.terms, limit: limit, at: wall)
        request.order = order == .newest ? .newest : .relevance
        request.offset = offset
        let today = CivilDay(at: wall)
        request.after = parsed.after.map { $0.day(on: today).start }
        request.before = parsed.before.map { $0.day(on: today).start }
        request.hasFile = parsed.hasFile
        // Authors need names even if they have left the group.
        node.learnPeople()
        let isNear = near == true && parsed.isPlain && offset == 0 && node.assistant.findsByMeaning
        guard isNear else { return node.resolve(parsed, request, reply) }
        node.resolve(parsed, request) { found in node.addNear(query, to: found, reply) }
    }
}

extension LocalControl {
    /// Adds what is near in meaning to the words of a query. What was found by the words stands, whatever becomes of that.
    fileprivate func addNear(
        _ query: String,
        to result: Result<SearchReply, ControlError>,
        _ reply: @escaping Completion<SearchReply>
    ) {
        guard case .success(let found) = result else { return reply(result) }
        let question = AskOperation(question: query, limit: AskOperation.sources)
        assistant.ask(
            question,
            isAside: true,
            tell: { _ in },
            reply: { near in
                var both = found
                both.near = try? near.get()
                let hits = Set(found.hits.map(\.id))
                both.near?.sources.removeAll { hits.contains($0.id) }
                // By words alone it is found already.
                if both.near?.sources.isEmpty == true || both.near?.model == .rules { both.near = nil }
                reply(.success(both))
            }
        )
    }

    /// Replaces the names in a query by the people and conversations that they mean, one after the other, then searches.
    fileprivate func resolve(_ query: SearchQuery, _ request: SearchRequest, _ reply: @escaping Completion<SearchReply>)
    {
        var (query, request) = (query, request)
        if let who = query.from.popLast() {
            return author(who, reply) { [self, query, request] author in
                var request = request
                request.authors = (request.authors ?? []).union([author])
                resolve(query, request, reply)
            }
        }
        guard let who = query.within.popLast() else {
            return readAll(reply) { [self, request] places throws(StoreError) in
                .success(describe(try store.search(request), request, places))
            }
        }
        request.conversations = request.conversations ?? []
        ask(.findConversation(who: who), \.place, reply) { [self, query, request] place in
            var request = request
            request.conversations?.insert(place.conversation)
            resolve(query, request, reply)
        }
    }

    /// Finds the person that a query names; `me` is this user.
    private func author(
        _ who: String,
        _ reply: @escaping Completion<SearchReply>,
        _ body: @escaping @Sendable (PeerID) -> Void
    ) {
        if who.lowercased() == "me" { return body(store.identity) }
        inbox.offer(.find(who: who)) { [self] result in
            switch result {
            case .success(let answer): answer.peer.map { body($0.record.id) } ?? reply(.failure(.defect))
            case .failure(.naming(.ownIdentity)): body(store.identity)
            case .failure(let refusal): reply(.failure(explain(refusal)))
            }
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
            advice = Phrase("Write the value right behind the colon: \(field):VALUE")
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
