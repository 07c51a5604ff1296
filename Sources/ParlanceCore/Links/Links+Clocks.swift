import Foundation
import ParlanceWire

// Telling what is durable here: whole clocks, and the entries that changed (sync.md, "Clock", "Have").
extension Links {
    /// Acknowledges: these entries of our clock are durable.
    mutating func sendHave(_ logs: Set<LogID>, of conversation: Conversation, on id: LinkID, _ turn: inout Turn) {
        change(conversation.id, on: id) { $0.told(logs) }
        let told = Clock(entries: conversation.durableClock.entries.filter { logs.contains($0.key) })
        for portion in told.portions where !portion.isEmpty {
            send(.have(have(conversation.id, portion)), on: id, &turn)
        }
    }

    /// Sends our whole clock of a conversation, once for each link unless there is a gap to mend.
    mutating func sendClock(
        _ ours: Clock,
        of conversation: ConversationID,
        on id: LinkID,
        again: Bool = false,
        _ turn: inout Turn
    ) {
        guard again || session(of: conversation, on: id)?.hasOurClock != true else { return }
        begin(conversation, on: id) { $0.toldOurClock() }
        let portions = ours.portions
        var clock = WireClock()
        clock.conversation = Data(conversation.bytes)
        clock.entries = portions[0]
        send(.clock(clock), on: id, &turn)
        for portion in portions.dropFirst() { send(.have(have(conversation, portion)), on: id, &turn) }
    }

    /// Asks for a log from an earlier place on.
    func ask(for key: LogKey, after sequence: UInt64, on id: LinkID, _ turn: inout Turn) {
        var want = WireWant()
        want.conversation = Data(key.conversation.bytes)
        want.log = key.log.wire
        want.after = sequence
        send(.want(want), on: id, &turn)
    }

    private func have(_ conversation: ConversationID, _ entries: [WireClockEntry]) -> WireHave {
        var have = WireHave()
        have.conversation = Data(conversation.bytes)
        have.entries = entries
        return have
    }
}
