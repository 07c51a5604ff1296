import ParlanceControl
package import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire

/// A conversation as the engine sees it: with one peer, or a group.
package enum Place: Sendable {
    case peer(PeerView)
    case group(GroupView)

    init?(_ answer: Answer) {
        switch answer {
        case .peer(let view): self = .peer(view)
        case .group(let view): self = .group(view)
        default: return nil
        }
    }

    var conversation: ConversationID {
        switch self {
        case .peer(let view): view.conversation
        case .group(let view): view.conversation
        }
    }

    var title: String {
        switch self {
        case .peer(let view): view.displayName
        case .group(let view): view.title
        }
    }

    var delivery: DeliveryView {
        switch self {
        case .peer(let view): view.delivery
        case .group(let view): view.delivery
        }
    }

    /// How long messages stay for everybody; nil if nobody has said anything about it.
    var disappear: DisappearInfo? {
        let view =
            switch self {
            case .peer(let view): view.lifetime
            case .group(let view): view.lifetime
            }
        guard view.terms.own != nil || view.terms.others != nil else { return nil }
        return DisappearInfo(
            after: view.agreed.map { Int(clamping: $0 / 1_000) },
            since: view.since.map { ControlTime(milliseconds: $0) },
            you: isGroup ? nil : view.terms.own.map { Int(clamping: $0.seconds) },
            others: isGroup ? nil : view.terms.others.map { Int(clamping: $0.seconds) }
        )
    }

    /// What is shown in addition to the projection.
    var overlay: HistoryOverlay {
        switch self {
        case .peer(let view): HistoryOverlay(overdue: view.overdue)
        case .group(let view):
            HistoryOverlay(overdue: view.overdue, doubtfulAfter: view.doubtfulAfter, departures: view.departures)
        }
    }

    /// A WHO that means exactly this conversation.
    var who: String {
        switch self {
        case .peer(let view): view.record.id.controlID
        case .group(let view): view.conversation.text
        }
    }

    var isGroup: Bool { if case .group = self { true } else { false } }

    /// When the node next tries a peer to which it wants a link, in milliseconds of the monotonic clock.
    func nextTry(of peer: PeerID) -> Int64? {
        guard case .peer(let view) = self, view.record.id == peer else { return nil }
        return view.nextTry
    }
}

extension PeerView {
    /// How far first contact has come.
    var contact: ContactState {
        switch record.trust {
        case .blocked: .blocked
        case .unknown: record.request == nil ? .open : .requested
        case .accepted, .verified: awaitsAnswer ? .waiting : .open
        }
    }
}
