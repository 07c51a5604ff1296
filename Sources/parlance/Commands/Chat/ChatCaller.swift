import ParlanceChat
import ParlanceControl

/// Performs the operations that the chat asks for, and hands their replies back as inputs.
struct ChatCaller {
    /// The connection; nil while there is none.
    var client: ControlClient?
    private let places = UploadPlaces()
    private let sink: AsyncStream<ChatShell.Input>.Continuation

    init(_ sink: AsyncStream<ChatShell.Input>.Continuation) {
        self.sink = sink
    }

    /// Sends a file or folder of the user.
    func sendFile(_ path: String, to who: String, _ purpose: ChatPurpose) {
        guard let client else {
            sink.yield(.chat(.replied(purpose, .failure(.connectionLost))))
            return
        }
        ChatUpload(client: client, places: places).send(path, to: who) { [sink] result in
            sink.yield(.chat(.replied(purpose, result.map { $0 as any Sendable })))
        }
    }

    /// The user leaves: what is not sent yet is removed.
    func leave() { places.leave() }

    func call<Operation: ControlOperation>(_ operation: Operation, _ purpose: ChatPurpose) {
        guard let client else {
            sink.yield(.chat(.replied(purpose, .failure(.connectionLost))))
            return
        }
        client.send(operation) { [sink] result in
            sink.yield(.chat(.replied(purpose, result.map { $0 as any Sendable })))
        }
    }
}
