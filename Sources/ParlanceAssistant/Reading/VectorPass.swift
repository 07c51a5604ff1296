import ParlanceControl
import ParlanceEmbedding

/// Makes the embeddings of all messages that lack one, the newest first.
///
/// It keeps them in batches, so that the next pass goes on where one ended.
struct VectorPass {
    let node: any NodeControl
    let store: AssistantStore
    let maker: VectorMaker
    /// What cancels a request that is under way.
    let ticket: Questions.Ticket
    /// Told after each change of what is kept.
    let changed: @Sendable () -> Void

    /// - Returns: whether the model was asked for something.
    func run() async throws -> Bool {
        var last: AssistantStore.Lacking?
        var batch = ModelServerLimits.embeddingBatch
        var hasAsked = false
        var lacking = try store.lacking(after: nil, limit: AssistantLimits.lacking)
        guard !lacking.isEmpty else { return false }
        let sources = try await Sources(node)
        while !lacking.isEmpty {
            var rest = lacking[...]
            while !rest.isEmpty {
                try Task.checkCancellation()
                do {
                    if try await make(Array(rest.prefix(batch)), sources) { hasAsked = true }
                    rest = rest.dropFirst(batch)
                } catch ModelServerError.timedOut where batch > 1 {
                    // It may be too slow for as many texts at once.
                    batch /= 2
                }
            }
            last = lacking.last
            lacking = try store.lacking(after: last, limit: AssistantLimits.lacking)
        }
        return hasAsked
    }

    /// Asks the model for an embedding that nobody needs.
    func probe() async throws { _ = try await request([VectorMaker.sample]) }

    /// - Returns: whether the model was asked.
    private func make(_ lacking: [AssistantStore.Lacking], _ sources: Sources) async throws -> Bool {
        var texts: [String: String] = [:]
        for one in lacking where texts[one.message] == nil {
            let near = await sources.messages(around: one.message, in: one.conversation, limit: 2 * lacking.count)
            for message in near { texts[message.id] = message.text }
        }
        // What is gone, or has another text by now, is read first.
        let whole = lacking.compactMap { one in
            texts[one.message].flatMap { Int64(bitPattern: StableHash.of($0)) == one.digest ? (one, $0) : nil }
        }
        guard !whole.isEmpty else { return false }
        let vectors = try await embed(whole.map(\.1))
        try store.put(Array(zip(whole.map(\.0), vectors)), of: maker.identity)
        changed()
        return true
    }

    /// The embedding of each text as bytes; none for a text that the server refuses.
    private func embed(_ texts: [String]) async throws -> [[UInt8]] {
        do {
            return try await request(texts).map(\.bytes)
        } catch let error as ModelServerError where error.isRefusal {
            guard texts.count == 1 else {
                var vectors: [[UInt8]] = []
                for text in texts { vectors += try await embed([text]) }
                return vectors
            }
            // It is this text only if the server embeds another, and refuses this one again.
            try await probe()
            do {
                return try await request(texts).map(\.bytes)
            } catch let error as ModelServerError where error.isRefusal {
                return [[]]
            }
        }
    }

    private func request(_ texts: [String]) async throws -> [Int8Vector] {
        guard let vectors = try await ticket.unlessCancelled({ [maker] in try await maker.embed(texts) }) else {
            throw CancellationError()
        }
        return vectors
    }
}
