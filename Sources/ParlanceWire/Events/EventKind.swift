/// The kind of an event. An event of an unknown kind is kept, counted and passed on, and not shown.
package enum EventKind: Equatable, Hashable, Sendable {
    case message, withdraw, link
    case edit, delete, reaction
    case create, members, title, topic, lifetime
    case unknown(Int)

    private static let known: [EventKind] = [
        .message, .withdraw, .link, .edit, .delete, .reaction, .create, .members, .title, .topic,
        .lifetime,
    ]

    package init(number: Int) {
        self = (1...Self.known.count).contains(number) ? Self.known[number - 1] : .unknown(number)
    }

    package var number: Int {
        switch self {
        case .message: 1
        case .withdraw: 2
        case .link: 3
        case .edit: 4
        case .delete: 5
        case .reaction: 6
        case .create: 7
        case .members: 8
        case .title: 9
        case .topic: 10
        case .lifetime: 11
        case .unknown(let number): number
        }
    }

    /// Whether it says who is in a group: such an event is always a head, and known by itself (groups.md,
    /// "Membership events").
    package var isMembership: Bool { self == .create || self == .members }

    /// Whether it may travel without its body: only a text can be dropped.
    package var mayLackBody: Bool {
        switch self {
        case .message, .edit, .unknown: true
        default: false
        }
    }

    /// Whether it is about a message, which its header names as the target. A message may have a target: the one it
    /// answers.
    package var needsTarget: Bool { self == .edit || self == .delete || self == .reaction }

    /// Whether it may need an admin's right: a lifetime always does in a group, a deletion only of somebody else's message.
    package var needsAdmin: Bool { self == .delete || self == .lifetime }

    init(_ wire: WireKind) { self.init(number: wire.rawValue) }
    var wire: WireKind { WireKind(rawValue: number) ?? .unspecified }
}
