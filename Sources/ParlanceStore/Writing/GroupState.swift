import ParlanceCore
import ParlanceWire

/// What the writer remembers of a group: who is in it, and what members who came back had seen when.
final class GroupState {
    let conversationRow: Int64
    var membership: Membership

    var namings = Namings()

    init(conversationRow: Int64, membership: Membership) {
        self.conversationRow = conversationRow
        self.membership = membership
    }
}
