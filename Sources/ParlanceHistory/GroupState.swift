/// What is remembered of a group: its membership, and which logs had named what brought their authors back.
package final class GroupState {
    let conversationRow: Int64
    var membership: Membership
    var namings = Namings()

    init(conversationRow: Int64, membership: Membership) {
        self.conversationRow = conversationRow
        self.membership = membership
    }
}
