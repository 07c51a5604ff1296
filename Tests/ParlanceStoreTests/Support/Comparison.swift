import ParlanceAudit
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceTestKit
import ParlanceWire
import Testing

/// Compares every answer of a store with what the auditor finds.
struct Comparison {
    let store: Store
    let audit: Audit
    let own: LogID
    let note: Comment

    func check(_ findings: Findings, _ random: inout SeededGenerator) throws {
        let snapshot = try store.snapshot()
        let logs = snapshot.logs.sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
        #expect(logs == audit.records(findings), note)
        #expect(snapshot.conversations == audit.conversations, note)
        #expect(snapshot.watermarks.count == audit.watermarks.count, note)
        #expect(snapshot.watermarks.allSatisfy { audit.watermarks[$0.key] == $0 }, note)
        #expect(try store.messageCount() == findings.messages.values.count { $0.note == nil }, note)
        #expect(Set(snapshot.membership.map(\.id)) == audit.heldMembership, note)
        #expect(snapshot.labels == audit.conversations.compactMap { findings.labels[$0.id] }, note)
        #expect(snapshot.lifetimes == findings.lifetimes.values.sorted { $0.conversation < $1.conversation }, note)
        let summaries = try store.conversations()
        #expect(summaries.count == audit.conversations.count, note)
        for summary in summaries { try check(summary, findings, &random) }
        for key in audit.logs.keys { try checkEvents(key, findings.gone, &random) }
    }

    private func check(
        _ summary: ConversationSummary,
        _ findings: Findings,
        _ random: inout SeededGenerator
    ) throws {
        let conversation = summary.record.id
        let history = findings.lines[conversation] ?? []
        #expect(try pages(conversation, size: Int.random(in: 1...40, using: &random)) == history, note)
        let messages = history.filter { $0.note == nil }
        #expect(summary.lastMessage == messages.last ?? history.last, note)
        #expect(summary.messages == messages.count, note)
        let unread = audit.unread(history)
        #expect(summary.unread == unread.count, note)
        #expect(summary.mentions == unread.count { $0.rich?.mentions.contains(audit.me) == true }, note)
        let page = try store.page(of: conversation, limit: .max)
        #expect(page.unread == Set(unread.map(\.id)) && page.summary == summary, note)
        let firstUnread = page.messages.first { page.unread.contains($0.id) }?.id
        #expect(try store.firstUnread(in: conversation) == firstUnread, note)
        #expect(try store.messageCount(in: conversation) == messages.count, note)
        try checkWaiting(conversation)
        try checkSearch(conversation, messages.filter { $0.rich?.deletion == nil }, &random)
        let after = UInt64.random(in: 0...20, using: &random)
        let waiting = messages.filter { $0.log == own && $0.sequence > after && $0.rich?.deletion == nil }
            .sorted { $0.sequence < $1.sequence }
        let changes = try store.ownChanges(conversation, log: own, after: after, limit: .max)
        let (first, second) = (after + UInt64.random(in: 0...5, using: &random), after + 9)
        let places = waiting.map(\.sequence) + changes.map(\.line.sequence)
        #expect(
            try store.waitingCounts(conversation, log: own, after: [after, first, second]) == [
                places.count { $0 <= first }, places.count { $0 > first && $0 <= second }, places.count { $0 > second },
            ],
            note
        )
        #expect(
            try store.ownMessages(conversation, log: own, after: after, limit: 15) == Array(waiting.prefix(15)),
            note
        )
        if let message = history.randomElement(using: &random) {
            let prefix = String(message.id.text.prefix(Int.random(in: 8...52, using: &random)))
            let found = message.note == nil ? [message] : []
            #expect(try store.findMessages(idPrefix: prefix, in: conversation) == found, note)
            #expect(try store.findMessages(idPrefix: prefix.uppercased()) == found, note)
            #expect(try store.findMessages(idPrefix: prefix, includingNotes: true) == [message], note)
        }
        for message in history {
            #expect(try store.message(message.reference, in: conversation) == message, note)
            let versions = try store.versions(of: message.reference, in: conversation)
            #expect(versions.map { $0.text.map { Array($0.utf8) } } == findings.versions[message.id] ?? [], note)
        }
    }

    /// What waits is shown where it would be without what has not come.
    private func checkWaiting(_ conversation: ConversationID) throws {
        var plain = audit.plain(conversation)
        let wanted = plain.waiting(of: Set(plain.logs))
        let found = try store.waitingMessages(of: Set(plain.logs), in: conversation).messages
        #expect(found.map(\.id) == wanted.map(\.id), note)
        #expect(found.map(\.effective) == wanted.map(\.effective), note)
        #expect(found.map(\.text) == wanted.map(\.text) && found.allSatisfy(\.isProvisional), note)
    }

    /// Searching finds each message by its text, and nothing else.
    private func checkSearch(
        _ conversation: ConversationID,
        _ messages: [ShownMessage],
        _ random: inout SeededGenerator
    ) throws {
        var request = SearchRequest(terms: [], limit: .max, at: 0)
        request.conversations = [conversation]
        let all = try store.search(request)
        #expect(Set(all.found.map(\.message.id)) == Set(messages.map(\.id)) && all.unsearched == 0, note)
        for _ in 0..<min(5, messages.count) {
            guard let message = messages.randomElement(using: &random), let term = SearchTerm(message.text) else {
                continue
            }
            request.terms = [term]
            let found = try store.search(request).found
            #expect(found.first { $0.message.id == message.id }?.message == message, note)
            #expect(found.allSatisfy { SearchMatch([term], in: $0.message.text) != nil }, note)
        }
    }

    /// The whole history, page by page from the newest.
    private func pages(_ conversation: ConversationID, size: Int) throws -> [ShownMessage] {
        var all: [ShownMessage] = []
        while true {
            let page = try store.history(conversation, before: all.first?.id, limit: size)
            if page.isEmpty { return all }
            all = page + all
        }
    }

    private func checkEvents(_ key: LogKey, _ gone: Set<EventID>, _ random: inout SeededGenerator) throws {
        let expected = audit.logs[key] ?? []
        let from = UInt64.random(in: 1...UInt64(expected.count) + 1, using: &random)
        var found: [StoredEvent] = []
        while true {
            let request = ReadRequest(
                conversation: key.conversation,
                log: key.log,
                from: from + UInt64(found.count),
                through: .max,
                byteLimit: Int.random(in: 1...3000, using: &random)
            )
            let run = try store.events(request)
            let size = run.reduce(0) { $0 + $1.headerBytes.count + ($1.body?.count ?? 0) }
            #expect(run.count <= 1 || size <= request.byteLimit, note)
            if run.isEmpty { break }
            found += run
        }
        for (event, wanted) in zip(found, expected.dropFirst(Int(from) - 1)) {
            let body = gone.contains(wanted.id) ? nil : wanted.body
            #expect(event.id == wanted.id && event.body == body && event.header == wanted.header, note)
        }
        #expect(found.count == expected.count - Int(from) + 1, note)
    }
}
