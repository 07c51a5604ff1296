import ParlanceControl
import ParlanceWords
import Synchronization

/// Prints the answer of a chat model as it is written.
final class AnswerPrinter: Sendable {
    /// What of an answer stands on the terminal.
    enum Shown {
        case nothing
        case whole
        /// Something that the answer in the end does not have.
        case other
    }

    private struct State {
        /// What the model has written.
        var text = ""
        /// What of it is on the terminal, as it is shown there.
        var printed = ""
        var hasEnded = false
    }

    private let put: @Sendable (String) -> Void
    private let state = Mutex(State())

    init(_ put: @escaping @Sendable (String) -> Void) {
        self.put = put
    }

    func add(_ piece: String) {
        state.withLock { state in
            guard !state.hasEnded else { return }
            state.text += piece
            show(state.text, &state)
        }
    }

    /// Prints what is left of the answer, and ends its line.
    ///
    /// - Parameter answer: as the reply has it; nil if there is none in the end.
    func end(_ answer: String?) -> Shown {
        state.withLock { state in
            state.hasEnded = true
            guard !state.printed.isEmpty else { return .nothing }
            let isWhole = answer.map { show($0, &state) } ?? true
            put("\n\n")
            return isWhole ? .whole : .other
        }
    }

    /// Prints what a text has more than what stands there.
    ///
    /// - Returns: whether it begins with that.
    @discardableResult
    private func show(_ text: String, _ state: inout State) -> Bool {
        let shown = VisibleText.lines(text).joined(separator: "\n")
        // A mark may join the last character, so characters are not compared.
        guard shown.utf8.starts(with: state.printed.utf8) else { return false }
        put(String(decoding: shown.utf8.dropFirst(state.printed.utf8.count), as: UTF8.self))
        state.printed = shown
        return true
    }
}
