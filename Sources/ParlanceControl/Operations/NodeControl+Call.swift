extension NodeControl {
    /// Performs an operation within this process, as a client would.
    package func call<Operation: ControlOperation>(_ operation: Operation) async throws(ControlError) -> Operation.Reply
    {
        let result: Result<Operation.Reply, ControlError> = await withCheckedContinuation { continuation in
            methods.perform(operation) { continuation.resume(returning: $0) }
        }
        return try result.get()
    }
}
