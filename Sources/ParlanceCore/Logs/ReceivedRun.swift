import ParlanceWire

/// A run of one log as a peer sent it, decoded once at the edge. Nothing in it is verified.
struct ReceivedRun: Equatable, Sendable {
    let conversation: ConversationID
    /// The log that the first header names.
    let named: LogID
    /// The log in which the peer keeps it, if the peer names one.
    var place: Place
    private(set) var events: [ReceivedEvent]

    enum Place: Equatable, Sendable {
        /// The peer names no log: it knows of no fork, or there is none.
        case unsaid
        case log(LogID)
        /// The peer names a log ID that cannot be decoded.
        case malformed
    }

    /// - Returns: `nil` if the run does not begin with a readable header.
    init?(_ wire: WireEvents, of conversation: ConversationID) {
        events = wire.events.map { ReceivedEvent($0) }
        guard let named = events.first?.header?.log else { return nil }
        self.conversation = conversation
        self.named = named
        place = wire.hasLog ? LogID(wire.log).map { .log($0) } ?? .malformed : .unsaid
    }

    /// The log in which it is, as far as the peer knows; `nil` if that cannot be decoded.
    var log: LogID? {
        switch place {
        case .unsaid: named
        case .log(let log): log
        case .malformed: nil
        }
    }

    /// Splits the run after a sequence: the events through it, and those beyond. `nil` if either part is empty.
    func parted(after sequence: UInt64) -> (common: ReceivedRun, beyond: ReceivedRun)? {
        guard let end = events.firstIndex(where: { $0.header.map { $0.sequence > sequence } == true }), end > 0 else {
            return nil
        }
        var (common, beyond) = (self, self)
        common.events = Array(events[..<end])
        beyond.events = Array(events[end...])
        return (common, beyond)
    }
}
