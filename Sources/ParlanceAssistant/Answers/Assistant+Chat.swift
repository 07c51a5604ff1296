package import ParlanceControl
import ParlanceWords

// A chat model on a server that the user has named (protocol/assistant.md, "A chat model").
extension Assistant {
    /// Takes a server, if it answers; or none.
    package func use(_ operation: ModelServerOperation, _ node: any NodeControl) async throws(ControlError)
        -> AssistantInfo
    {
        let store = try opened()
        guard let text = operation.address else {
            try kept { try store.setServer(nil) }
            return try turn(nil, node)
        }
        let address: ModelAddress
        do throws(ModelAddressError) {
            address = try ModelAddress(parsing: text)
        } catch {
            throw .serverAddress(text, error)
        }
        let outside = operation.outside == true
        let models: [String]
        do {
            models = try await ModelClient(ModelServer(address: address, allowsPublic: outside)).models()
        } catch {
            throw .server(address, error)
        }
        guard !models.isEmpty else { throw .server(address, ModelServerError.noModel(.chat)) }
        guard let model = operation.model ?? models.first, models.contains(model) else {
            throw .serverModel(operation.model ?? "", models, address)
        }
        try kept {
            try store.setServer(AssistantStore.Server(address: text, model: model, allowsPublic: outside))
        }
        return try turn(nil, node)
    }

    /// Has the chat model answer from the sources, if there is one. If it does not, the sources stand for themselves.
    func answer(_ question: String, _ found: AskReply, _ store: AssistantStore) async -> AskReply {
        guard let server = try? store.server(), let address = try? ModelAddress(parsing: server.address),
            !found.sources.isEmpty
        else { return found }
        var reply = found
        let request = AnswerPrompt.request(
            question,
            found.sources.map { (NameText.plain($0.sender.displayName), $0.time.description, $0.excerpt) }
        )
        let client = ModelClient(
            ModelServer(address: address, chatModel: server.model, allowsPublic: server.allowsPublic)
        )
        do {
            // Streamed: a slow server says that it works long before it is done.
            let answer = try await client.chat(request) { _ in }
            let text = AnswerPrompt.cited(answer.text, sources: found.sources.count)
            if !text.allSatisfy(\.isWhitespace) {
                reply.answer = text
                reply.model = ModelInfo(name: server.model, address: server.address)
            }
            if reply.answer == nil {
                reply.problem = Phrase("The model gave no answer.")
            } else if answer.finishReason == .length {
                reply.problem = Phrase("The answer was too long, so this is its beginning.")
            }
        } catch {
            reply.problem = ControlError.server(address, error).message
        }
        return reply
    }
}

extension ControlError {
    fileprivate static func serverAddress(_ text: String, _ error: ModelAddressError) -> ControlError {
        let message: Phrase =
            switch error {
            case .encryptionNotSupported:
                Phrase("\"\(text)\" is an address for HTTPS, which the assistant does not speak.")
            case .hasUserInfo, .hasQuery: Phrase("\"\(text)\" has more in it than a host and a port.")
            default: Phrase("\"\(text)\" is no address of a model server.")
            }
        return ControlError(.invalidValue, message, advice: Phrase("Say it like this: http://192.0.2.7:11434"))
    }

    fileprivate static func serverModel(_ model: String, _ models: [String], _ address: ModelAddress) -> ControlError {
        ControlError(
            .invalidValue,
            Phrase("The server at \(address.description) has no model \"\(model)\"."),
            advice: Phrase("It has: \(models.prefix(AssistantLimits.namedModels).joined(separator: ", "))")
        )
    }

    fileprivate static func server(_ address: ModelAddress, _ error: any Error) -> ControlError {
        let name = address.description
        let message: Phrase =
            switch error as? ModelServerError {
            case .publicAddress:
                Phrase("\(name) is outside of this computer and your network, so it was not asked.")
            case .unresolvable: Phrase("Nobody knows the address of \(name).")
            case .unreachable: Phrase("No server answers at \(name).")
            case .timedOut: Phrase("The server at \(name) took too long.")
            case .redirected: Phrase("The server at \(name) points to another address, which is not asked.")
            case .busy: Phrase("The server at \(name) has too much to do.")
            case .cut: Phrase("The answer of the server at \(name) was cut.")
            case .overBudget: Phrase("The question and its messages are too long for the model at \(name).")
            default: Phrase("The server at \(name) gave an error, or no answer of a chat model.")
            }
        return ControlError(
            .notYet,
            message,
            advice: Phrase("Check that the server runs. To use none: parlance assistant server --none")
        )
    }
}
