import ParlanceWire
import Synchronization

/// The effective times of messages at which pages ended recently, by ID.
///
/// Messages are stored in the order shown, without an index by ID, which would slow every write. A request for an older
/// page names the oldest message of the page before. Remembering those makes each page as fast as the first, and keeps
/// the place even if that message is withdrawn meanwhile.
final class PageMarks: Sendable {
    private static let capacity = 1024
    private let marks = Mutex(Marks())

    private struct Place {
        let conversation: ConversationID
        let effective: UInt64
    }

    private struct Marks {
        var places: [EventID: Place] = [:]
        var order: [EventID] = []
        var next = 0
    }

    func remember(_ id: EventID, effective: UInt64, in conversation: ConversationID) {
        let place = Place(conversation: conversation, effective: effective)
        marks.withLock { marks in
            guard marks.places.updateValue(place, forKey: id) == nil else { return }
            if marks.order.count < Self.capacity {
                marks.order.append(id)
            } else {
                marks.places[marks.order[marks.next]] = nil
                marks.order[marks.next] = id
                marks.next = (marks.next + 1) % Self.capacity
            }
        }
    }

    func effective(of id: EventID, in conversation: ConversationID) -> UInt64? {
        marks.withLock { $0.places[id] }.flatMap { $0.conversation == conversation ? $0.effective : nil }
    }
}
