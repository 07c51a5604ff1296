import ParlanceCore
import ParlanceWire

/// What the writer remembers of a group: its membership, and which logs had named what brought their authors back.
final class GroupState {
    let conversationRow: Int64
    var membership: Membership

    var namings = Namings()

    init(conversationRow: Int64, membership: Membership) {
        self.conversationRow = conversationRow
        self.membership = membership
    }
}
