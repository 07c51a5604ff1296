import ParlanceChat
import ParlanceControl

/// Performs the operations that the chat asks for, and hands their replies back as inputs.
struct ChatCaller {
    /// The connection; nil while there is none.
    var client: ControlClient?
    private let sink: AsyncStream<ChatShell.Input>.Continuation

    init(_ sink: AsyncStream<ChatShell.Input>.Continuation) {
        self.sink = sink
    }

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
