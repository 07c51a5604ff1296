/// `outbox`: what has not reached everybody it is for.
package struct OutboxOperation: BareOperation {
    package typealias Reply = OutboxReply
    package static let method = "outbox"

    package init() {}
}

/// What has not reached everybody it is for, oldest first.
package struct OutboxReply: Codable, Equatable, Sendable {
    package var items: [OutboxItem]
    /// How many items wait in total; more than `items` holds if the list was cut.
    package var total: Int

    package init(items: [OutboxItem], total: Int) {
        self.items = items
        self.total = total
    }
}

/// `outbox.retry`: tries again now; the reply is the message as it is now.
package struct OutboxRetryOperation: ControlOperation {
    package typealias Reply = MessageInfo
    package static let method = "outbox.retry"

    /// The ID of the message, or an unambiguous prefix of 8 or more characters of one that is in the outbox.
    package var id: String

    package init(id: String) {
        self.id = id
    }
}

/// `outbox.cancel`: withdraws a waiting message; the reply is the message as it is now.
package struct OutboxCancelOperation: ControlOperation {
    package typealias Reply = MessageInfo
    package static let method = "outbox.cancel"

    /// The ID of the message, or an unambiguous prefix of 8 or more characters of one that is in the outbox.
    package var id: String

    package init(id: String) {
        self.id = id
    }
}
