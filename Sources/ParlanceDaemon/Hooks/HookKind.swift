import ParlanceControl

/// What a hook is run for.
enum HookKind: String, CaseIterable, Sendable {
    /// Any message of somebody else, mentions too.
    case message
    /// A message that mentions the user.
    case mention
    case presence
    case request

    /// The hooks for an event that means this to the user.
    static func kinds(for occasion: Occasion) -> Set<HookKind> {
        switch occasion {
        case .mention: [.message, .mention]
        case .direct, .group: [.message]
        case .request: [.request]
        case .presence: [.presence]
        }
    }

    /// The kind of event that such a hook needs.
    var event: ControlEventKind {
        switch self {
        case .message, .mention: MessageEvent.kind
        case .presence: PresenceEvent.kind
        case .request: RequestEvent.kind
        }
    }

    /// What the name of a file in the folder of hooks says.
    enum FileName: Equatable {
        case hook(HookKind)
        /// It is meant to be a hook, for something that does not happen.
        case unknown
        /// It is something else, such as a file that a hook uses.
        case other

        /// Reads `on-message`, `on-message-NAME` or `on-message.sh`.
        init(_ name: String) {
            guard name.hasPrefix("on-"), !name.hasSuffix("~") else {
                self = .other
                return
            }
            let word = name.dropFirst(3).prefix { $0 != "-" && $0 != "." }
            self = HookKind(rawValue: String(word)).map { .hook($0) } ?? .unknown
        }
    }
}
