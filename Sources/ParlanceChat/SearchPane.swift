import ParlanceControl
import ParlanceTerminal
import ParlanceWords

/// The search: the query, what was found, and which of it is chosen. It stays as it is while it is closed.
struct SearchPane: Equatable, Sendable {
    var isOpen = false
    var editor = LineEditor()
    /// What was asked last.
    private var asked: SearchOperation?
    /// The answer to that, with the hits of all pages so far; nil while it is awaited, or if it did not come.
    private(set) var reply: SearchReply?
    private var isAsking = false
    /// Messages that were deleted, edited or taken back since it was asked.
    private var stale: Set<String> = []
    /// The place of the chosen hit.
    private(set) var chosen = 0

    init() {}

    init(_ query: String) {
        isOpen = true
        editor = LineEditor(query)
    }

    private var query: String { String(editor.text.drop { $0 == " " }) }

    /// Whether the answer is one to what is written.
    var isAnswered: Bool { reply != nil && asked?.query == query }

    /// The hit that Enter opens.
    var hit: SearchHit? {
        guard isAnswered, let hits = reply?.hits, hits.indices.contains(chosen) else { return nil }
        return hits[chosen]
    }

    /// What to ask the daemon for what is written; nil if that is nothing.
    mutating func ask() -> SearchOperation? {
        guard !query.isEmpty else { return nil }
        return ask(SearchOperation(query: query))
    }

    /// What to ask so that what was found is up to date; nil if nothing was found.
    mutating func askAgain() -> SearchOperation? {
        guard isAnswered, !isAsking else { return nil }
        let place = chosen
        defer { chosen = place }
        return ask()
    }

    /// What to ask for the next page; nil if there is none.
    mutating func askForMore() -> SearchOperation? {
        guard isAnswered, let reply, reply.more, !isAsking else { return nil }
        return ask(SearchOperation(query: query, offset: reply.hits.count))
    }

    private mutating func ask(_ operation: SearchOperation) -> SearchOperation {
        if operation.offset == nil { (reply, chosen) = (nil, 0) }
        (asked, isAsking, stale) = (operation, true, [])
        return operation
    }

    /// A page has come; one that was not asked for last changes nothing.
    mutating func found(_ page: SearchReply, _ operation: SearchOperation) {
        guard operation == asked else { return }
        isAsking = false
        let known = stale.union(reply?.hits.map(\.id) ?? [])
        var all = page
        all.hits = (reply?.hits ?? []) + page.hits.filter { !known.contains($0.id) }
        reply = all
        choose(0)
    }

    mutating func failed(_ operation: SearchOperation) {
        guard operation == asked else { return }
        isAsking = false
        if reply == nil { asked = nil }
    }

    /// Something about a message has changed, which may only be a reaction.
    mutating func changed(_ message: MessageInfo) {
        let scalars = message.text.unicodeScalars
        let hit = reply?.hits.first { $0.id == message.id }
        let isThere = hit.map { scalars.contains($0.excerpt.text.unicodeScalars) } ?? false
        if message.deleted != nil || !isThere { forget(message.id) }
    }

    /// Nothing is known any more: texts may be deleted until the connection is back.
    mutating func disconnected() {
        (reply, asked, isAsking) = (nil, nil, false)
    }

    /// The text of a message has changed: its excerpt is not shown any more.
    mutating func forget(_ message: String) {
        stale.insert(message)
        guard let place = reply?.hits.firstIndex(where: { $0.id == message }) else { return }
        reply?.hits.remove(at: place)
        reply?.found -= 1
        if place < chosen { chosen -= 1 }
        chosen = max(0, min(chosen, (reply?.hits.count ?? 0) - 1))
    }

    mutating func choose(_ step: Int) {
        chosen = max(0, min((reply?.hits.count ?? 0) - 1, chosen + step))
    }

    /// Whether the end of what was found is near.
    var isNearEnd: Bool { chosen + 3 >= reply?.hits.count ?? 0 }

    /// What is said of what was found, or of what to do.
    var state: Phrase {
        if isAsking, !isAnswered { return Phrase("Searching…") }
        guard isAnswered, let reply else {
            return Phrase(
                "Enter: search. Words, \"a phrase\", from:NAME in:NAME before:DAY after:DAY"
            )
        }
        guard !reply.hits.isEmpty else {
            return reply.why.map { Phrase("No message found. \($0)") } ?? Phrase("No message found.")
        }
        let all =
            reply.atLeast == true
            ? Phrase("\(chosen + 1) of more than \(reply.found)") : Phrase("\(chosen + 1) of \(reply.found)")
        return Phrase("\(all). Up, Down: choose; Enter: go there; Esc: back")
    }
}
