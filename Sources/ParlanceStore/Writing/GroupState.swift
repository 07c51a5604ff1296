import ParlanceCore
import ParlanceWire

/// What the writer remembers of a group: who is in it, and what members who came back had seen when.
final class GroupState {
    let conversationRow: Int64
    var membership: Membership

    /// That a log had named a gain.
    struct NamingKey: Hashable {
        let log: Int64
        let gain: EventID
    }

    /// From which event on it had; what is not found yet need not be looked through again.
    struct Naming {
        var first: UInt64?
        var lookedThrough: UInt64 = 0
    }

    var namings: [NamingKey: Naming] = [:]

    init(conversationRow: Int64, membership: Membership) {
        self.conversationRow = conversationRow
        self.membership = membership
    }
}
