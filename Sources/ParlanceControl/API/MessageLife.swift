/// What is known of a message's life.
package struct MessageLife: Codable, Equatable, Sendable {
    package var message: MessageInfo
    /// The conversation's title, or the name of the one it is with.
    package var title: String
    /// How far the one it is with is trusted; direct conversations only.
    package var trust: Trust?
    /// Whom an own message is for; empty for a message of somebody else, since who has that is not told here.
    package var recipients: [Receipt]
    /// All versions of its text, the oldest first; one if it was never edited, none of a line about the group.
    package var versions: [Version]
    /// Through whom a message of somebody else came; absent if its author sent it.
    package var via: Person?

    package init(message: MessageInfo, title: String, recipients: [Receipt], versions: [Version]) {
        self.message = message
        self.title = title
        self.recipients = recipients
        self.versions = versions
    }

    /// How far an own message has come to one recipient.
    package struct Receipt: Codable, Equatable, Sendable {
        package var person: Person
        /// Whether its device holds the message durably.
        package var delivered: Bool
        /// Whether it has read the message.
        package var read: Bool
        /// It was delivered at this moment at the latest: then this node learnt how far the recipient had got.
        package var deliveredAt: ControlTime?
        /// It was read at this moment at the latest.
        package var readAt: ControlTime?
        /// Why it waits, in one sentence, where it does.
        package var why: String?
        /// When it is tried next, where it waits.
        package var nextTry: ControlTime?
        /// Who handed its receipt on, because it was not here itself when this node learnt it.
        package var via: Person?

        package init(
            person: Person,
            delivered: Bool,
            read: Bool,
            deliveredAt: ControlTime? = nil,
            readAt: ControlTime? = nil,
            why: String? = nil,
            nextTry: ControlTime? = nil
        ) {
            self.person = person
            self.delivered = delivered
            self.read = read
            self.deliveredAt = deliveredAt
            self.readAt = readAt
            self.why = why
            self.nextTry = nextTry
        }
    }

    /// One version of a text.
    package struct Version: Codable, Equatable, Sendable {
        /// By its author's clock.
        package var time: ControlTime
        /// Absent once it was deleted, or while it has not arrived.
        package var text: String?

        package init(time: ControlTime, text: String?) {
            self.time = time
            self.text = text
        }
    }
}
