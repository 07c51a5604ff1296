import ParlanceControl

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

    func run() async throws {
        let sources = try await Sources(node)
        var last: AssistantStore.Lacking?
        while true {
            let lacking = try store.lacking(after: last, limit: AssistantLimits.lacking)
            guard !lacking.isEmpty else { return }
            for start in stride(from: 0, to: lacking.count, by: ModelServerLimits.embeddingBatch) {
                try Task.checkCancellation()
                try await make(Array(lacking[start...].prefix(ModelServerLimits.embeddingBatch)), sources)
            }
            last = lacking.last
        }
    }

    private func make(_ lacking: [AssistantStore.Lacking], _ sources: Sources) async throws {
        var texts: [String: String] = [:]
        for one in lacking where texts[one.message] == nil {
            let near = await sources.messages(around: one.message, in: one.conversation, limit: 2 * lacking.count)
            for message in near { texts[message.id] = message.text }
        }
        // What is gone, or has another text by now, is read first.
        let whole = lacking.compactMap { one in
            texts[one.message].flatMap { Int64(bitPattern: StableHash.of($0)) == one.digest ? (one, $0) : nil }
        }
        guard !whole.isEmpty else { return }
        let vectors = try await embed(whole.map(\.1))
        try store.put(Array(zip(whole.map(\.0), vectors)), of: maker.identity)
        changed()
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
            // It is this text only if the server embeds another.
            _ = try await request([VectorMaker.sample])
            return [[]]
        }
    }

    private func request(_ texts: [String]) async throws -> [Int8Vector] {
        guard let vectors = try await ticket.unlessCancelled({ [maker] in try await maker.embed(texts) }) else {
            throw CancellationError()
        }
        return vectors
    }
}
