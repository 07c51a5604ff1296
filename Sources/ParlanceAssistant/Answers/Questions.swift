import ParlanceControl
import Synchronization

/// The questions that are under way, so that they can be cancelled.
final class Questions: Sendable {
    private struct Question {
        var label: String?
        var isCancelled = false
        /// Ends what is done for it now.
        var signal: AsyncStream<Void>.Continuation?
    }

    private struct State {
        var last = 0
        var questions: [Int: Question] = [:]
    }

    /// A question that is under way.
    struct Ticket: Sendable {
        let number: Int
        fileprivate let questions: Questions

        /// Does something until the question is cancelled; nil if it is. One thing is done after the other.
        func unlessCancelled<Value: Sendable>(
            _ body: @escaping @Sendable () async throws -> Value
        ) async throws -> Value? {
            guard let cancelled = questions.signal(self) else { return nil }
            return try await withThrowingTaskGroup(of: Value?.self) { group in
                group.addTask { try await body() }
                group.addTask {
                    for await _ in cancelled {}
                    return nil
                }
                defer { group.cancelAll() }
                return try await group.next() ?? nil
            }
        }
    }

    private let state = Mutex(State())

    /// Begins a question.
    ///
    /// - Parameter label: nil: only `cancelAll` cancels it.
    func begin(_ label: String?) throws(ControlError) -> Ticket {
        if let label, !(1...AskOperation.labelBytes).contains(label.utf8.count) { throw .questionLabel() }
        return try state.withLock { state throws(ControlError) in
            guard state.questions.count < AssistantLimits.questionsUnderWay else { throw .assistantBusy }
            if let label, state.questions.values.contains(where: { $0.label == label }) {
                throw .questionUnderWay(label)
            }
            state.last += 1
            state.questions[state.last] = Question(label: label)
            return Ticket(number: state.last, questions: self)
        }
    }

    /// What ends when the question is cancelled; nil if it is. A stream that was waited for in vain is of no use any more.
    private func signal(_ ticket: Ticket) -> AsyncStream<Void>? {
        let (stream, signal) = AsyncStream.makeStream(of: Void.self)
        return state.withLock { state in
            guard state.questions[ticket.number]?.isCancelled == false else { return nil }
            state.questions[ticket.number]?.signal = signal
            return stream
        }
    }

    /// Ends a question: from now on it cannot be cancelled. It may have ended already.
    ///
    /// - Returns: whether it was cancelled before.
    @discardableResult
    func end(_ ticket: Ticket) -> Bool {
        let question = state.withLock { $0.questions.removeValue(forKey: ticket.number) }
        question?.signal?.finish()
        return question?.isCancelled == true
    }

    /// Cancels the question with that label; false if there is none.
    func cancel(_ label: String) -> Bool {
        state.withLock { state in
            guard let number = state.questions.first(where: { $0.value.label == label })?.key else { return false }
            state.questions[number]?.isCancelled = true
            state.questions[number]?.signal?.finish()
            return true
        }
    }

    func cancelAll() {
        state.withLock { state in
            for number in state.questions.keys {
                state.questions[number]?.isCancelled = true
                state.questions[number]?.signal?.finish()
            }
        }
    }
}
