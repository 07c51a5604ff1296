import ParlanceEmbedding
import Synchronization

/// Makes the embeddings of texts. The model is loaded when it is needed, and dropped when it has not been for a while.
final class Embedder: Sendable {
    private struct Loaded {
        var model: MiniLM
        var tokenizer: WordPieceTokenizer
    }

    private struct State {
        var loaded: Loaded?
        /// Why it could not be loaded: it is not tried again before `drop`.
        var failure: ModelError?
        var lastUsed = ContinuousClock.now
    }

    /// Where the files of the model are.
    let folder: String
    private let state = Mutex(State())

    init(folder: String) {
        self.folder = folder
    }

    /// Whether the files are there. That they are whole is known when they are loaded.
    var isInstalled: Bool { ModelFile.all.allSatisfy { FileSize.of("\(folder)/\($0.name)") == UInt64($0.byteCount) } }

    /// The embedding of the beginning of a text. It takes some 5 ms for 20 words, and blocks.
    func embed(_ text: String) throws(ModelError) -> Int8Vector {
        let loaded = try load()
        let beginning = String(text.prefix(AssistantLimits.embeddedCharacters))
        return Int8Vector(loaded.model.embed(tokens: loaded.tokenizer.tokens(of: beginning)))
    }

    private func load() throws(ModelError) -> Loaded {
        try state.withLock { state throws(ModelError) in
            state.lastUsed = .now
            if let loaded = state.loaded { return loaded }
            if let failure = state.failure { throw failure }
            do throws(ModelError) {
                let loaded = Loaded(
                    model: try MiniLM(path: "\(folder)/\(ModelFile.weights.name)"),
                    tokenizer: try WordPieceTokenizer(vocabulary: ModelBundle.vocabulary(folder: folder))
                )
                state.loaded = loaded
                return loaded
            } catch {
                state.failure = error
                throw error
            }
        }
    }

    /// Drops the model if it has not been needed for a while.
    ///
    /// - Returns: whether it dropped it.
    func rest(at now: ContinuousClock.Instant) -> Bool {
        state.withLock { state in
            guard state.loaded != nil, now - state.lastUsed >= .seconds(AssistantLimits.modelSeconds) else {
                return false
            }
            state.loaded = nil
            return true
        }
    }

    /// Drops the model. It is tried again, if it could not be loaded.
    func drop() { state.withLock { ($0.loaded, $0.failure) = (nil, nil) } }
}
