/// What an event is. A kind this version does not know is kept, counted and passed on, and not shown.
package enum EventKind: Equatable, Sendable {
    case message
    case withdraw
    case link
    case unknown(Int)

    package init(number: Int) {
        switch number {
        case 1: self = .message
        case 2: self = .withdraw
        case 3: self = .link
        default: self = .unknown(number)
        }
    }

    package var number: Int {
        switch self {
        case .message: 1
        case .withdraw: 2
        case .link: 3
        case .unknown(let number): number
        }
    }

    init(_ wire: WireKind) { self.init(number: wire.rawValue) }
    var wire: WireKind { WireKind(rawValue: number) ?? .unspecified }
}
