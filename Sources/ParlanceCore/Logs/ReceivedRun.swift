import ParlanceWire

/// A run of one log as a peer sent it, decoded once at the edge. Nothing of it is verified.
struct ReceivedRun: Equatable, Sendable {
    let conversation: ConversationID
    /// The log that the first header names.
    let named: LogID
    /// Where the peer keeps it, if the peer says so.
    let place: Place
    private(set) var events: [ReceivedEvent]

    enum Place: Equatable, Sendable {
        /// The peer does not say: it knows of no fork, or there is none.
        case unsaid
        case log(LogID)
        /// What the peer says is no log.
        case malformed
    }

    /// - Returns: `nil` if there is no first header that can be read.
    init?(_ wire: WireEvents, of conversation: ConversationID) {
        events = wire.events.map { ReceivedEvent($0) }
        guard let named = events.first?.header?.log else { return nil }
        self.conversation = conversation
        self.named = named
        place = wire.hasLog ? LogID(wire.log).map { .log($0) } ?? .malformed : .unsaid
    }

    /// The run in two, parted after a sequence number: what is up to there and what is beyond. `nil` if there are not both.
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
