import ParlanceControl
import ParlanceWords

/// Reads whole conversations page by page, from their beginning, and passes them on: memory holds one page.
struct Export {
    let client: ControlClient
    var renderer: any ExportRenderer
    /// Takes lines of the export in order.
    let write: ([String]) throws -> Void
    var progress: ProgressLine
    private(set) var count = ExportCount()

    init(
        client: ControlClient,
        renderer: any ExportRenderer,
        progress: ProgressLine,
        write: @escaping ([String]) throws -> Void
    ) {
        self.client = client
        self.renderer = renderer
        self.progress = progress
        self.write = write
    }

    /// - Parameter people: the conversations as they were typed; empty for all.
    mutating func run(_ people: [String], at now: ControlTime) async throws {
        defer { progress.clear() }
        let me = try await client.call(IDOperation())
        var pages: [HistoryReply] = []
        // Somebody whom nobody knows is reported before anything is written.
        for who in people {
            let page = try await client.call(HistoryOperation(who: who, limit: 1))
            if !pages.contains(where: { $0.conversation.id == page.conversation.id }) { pages.append(page) }
        }
        var chosen = pages.map(\.conversation)
        if people.isEmpty {
            // A request to talk is no conversation yet.
            chosen = try await client.call(ConversationsOperation()).conversations.filter { $0.contact != .requested }
        }
        try write(renderer.begin(ExportHeader(made: now, id: me.id, name: me.name)))
        for conversation in chosen { try await run(conversation) }
        try write(renderer.end(count))
    }

    private mutating func run(_ conversation: ConversationInfo) async throws {
        let who = conversation.peer ?? conversation.id
        var after = ""
        var isFirst = true
        while true {
            let operation = HistoryOperation(who: who, after: after, limit: HistoryOperation.maximumLimit)
            let page = try await client.call(operation)
            if isFirst { try write(renderer.begin(page.conversation)) }
            isFirst = false
            for message in page.messages { try write(renderer.message(message)) }
            count.messages += page.messages.count
            progress.show(say("\(count.messages) messages…"))
            guard page.more, let last = page.messages.last else { break }
            after = last.id
        }
        count.conversations += 1
        try write(renderer.endConversation())
    }
}
