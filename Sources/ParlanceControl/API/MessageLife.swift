package import ParlanceWords

/// The delivery of a message and the versions of its text.
package struct MessageLife: Codable, Equatable, Sendable {
    package var message: MessageInfo
    /// The group's title or the peer's name.
    package var title: String
    /// How far the peer is trusted; direct conversations only.
    package var trust: Trust?
    /// The recipients of a message of this user; empty for a message of somebody else, whose delivery is not known
    /// here.
    package var recipients: [Receipt]
    /// All versions of the text, oldest first; one if it was never edited, none for a line about the group.
    package var versions: [Version]
    /// The peer that passed on a message of somebody else; absent if its author sent it.
    package var via: Person?

    /// What others have of the files of a message of this user, as far as they have told; absent if nothing is known.
    package var holders: [FileHolder]?

    package init(message: MessageInfo, title: String, recipients: [Receipt], versions: [Version]) {
        self.message = message
        self.title = title
        self.recipients = recipients
        self.versions = versions
    }

    /// How far a message of this user has come for one recipient.
    package struct Receipt: Codable, Equatable, Sendable {
        package var person: Person
        /// Whether the recipient's device holds the message durably.
        package var delivered: Bool
        /// Whether the recipient has read the message.
        package var read: Bool
        /// The latest possible time of delivery: when this node learned of it.
        package var deliveredAt: ControlTime?
        /// The latest possible time of reading: when this node learned of it.
        package var readAt: ControlTime?
        /// Why the message waits, in one sentence; absent if it does not.
        package var why: Phrase?
        /// The next attempt; absent if the message does not wait.
        package var nextTry: ControlTime?
        /// The peer that passed on the recipient's watermark; absent if the recipient sent it itself.
        package var via: Person?
        /// The couriers that hold the message for the recipient; absent if none does.
        package var couriers: [Person]?

        package init(
            person: Person,
            delivered: Bool,
            read: Bool,
            deliveredAt: ControlTime? = nil,
            readAt: ControlTime? = nil,
            why: Phrase? = nil,
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
        /// Absent if it was deleted, or has not arrived yet.
        package var text: String?

        package init(time: ControlTime, text: String?) {
            self.time = time
            self.text = text
        }
    }
}
