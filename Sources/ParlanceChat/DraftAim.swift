/// What the line at the bottom is for.
package enum DraftAim: Equatable, Sendable {
    case message
    case answer(to: String)
    case edit(of: String)
    case reaction(to: String)
    case deletion(of: String)

    /// Whether the line holds a text that others will read.
    var isText: Bool {
        switch self {
        case .message, .answer, .edit: true
        case .reaction, .deletion: false
        }
    }
}
