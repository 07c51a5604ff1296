package import ParlanceRecords
package import ParlanceWire

/// The delivery state of our messages in a conversation: thresholds in our logs, from which every status is derived.
package struct DeliveryView: Equatable, Sendable {
    package var conversation: ConversationID
    /// The recipients of our messages: the peer, or the other members of a group.
    package var recipients: [Recipient]
    /// Our logs.
    package var logs: [LogDelivery]
    /// Why messages wait, for the first recipient that lacks some.
    package var reason: WaitReason?
    /// When those recipients are next dialled, or take more, in monotonic milliseconds.
    package var nextTry: Int64?

    package struct Recipient: Equatable, Sendable {
        package var peer: PeerID
        /// The last sequence written before the recipient joined. Messages through it are not for this recipient.
        package var after: UInt64
        /// Why the recipient lacks messages; `nil` if it lacks none.
        package var reason: WaitReason?
        /// Whether one that lacks messages has a link that needs no network, since both ends are on this computer.
        package var isLinkedWithinComputer = false
        /// Whether another try at once certainly brings it nothing.
        package var isRetryFutile = false
    }

    package struct LogDelivery: Equatable, Sendable {
        package var log: LogID
        /// Whether `Recipient.after` applies to it: only to the log that is written now.
        package var isWritten: Bool
        package var sendingThrough: UInt64
        package var refusedThrough: UInt64
        /// The last sequence that couriers hold for the recipient.
        package var carriedThrough: UInt64 = 0
        /// For each recipient, in the order of `recipients`.
        package var progress: [Progress]
        /// Events after this sequence may have been for former members of the group; `nil` if there are no former
        /// members.
        package var formerAfter: UInt64?
        /// The last sequence that was delivered to any former member.
        package var formerThrough: UInt64 = 0

        package struct Progress: Equatable, Sendable {
            package var delivered: LogPosition
            package var read: LogPosition
            /// When this node learned it, in milliseconds since 1970; `nil` if it has not.
            package var deliveredAt: Int64?
            package var readAt: Int64?
            /// The peer that passed the receipt on; `nil` if the recipient sent it.
            package var deliveredVia: PeerID?
            package var readVia: PeerID?
        }
    }

    package init(conversation: ConversationID, recipients: [Recipient] = [], logs: [LogDelivery] = []) {
        self.conversation = conversation
        self.recipients = recipients
        self.logs = logs
    }

    /// The recipients of a message, and which of them have received and read it.
    package struct Reach: Equatable, Sendable {
        package var recipients: [PeerID] = []
        package var delivered: [PeerID] = []
        package var read: [PeerID] = []
    }

    package func reach(of sequence: UInt64, in log: LogID) -> Reach {
        guard let log = logs.first(where: { $0.log == log }) else { return Reach() }
        var reach = Reach()
        for (recipient, progress) in zip(recipients, log.progress) {
            guard !log.isWritten || sequence > recipient.after else { continue }
            reach.recipients.append(recipient.peer)
            if sequence <= progress.delivered.sequence { reach.delivered.append(recipient.peer) }
            if sequence <= progress.read.sequence { reach.read.append(recipient.peer) }
        }
        return reach
    }

    /// Whether our message can no longer reach anyone: all its recipients have left, and none of them received it.
    package func isStranded(_ sequence: UInt64, in log: LogID) -> Bool {
        guard let log = logs.first(where: { $0.log == log }), let after = log.formerAfter,
            sequence > max(after, log.formerThrough)
        else { return false }
        return zip(recipients, log.progress).allSatisfy { recipient, progress in
            log.isWritten && sequence <= recipient.after && sequence > progress.delivered.sequence
        }
    }

    /// The last position that every recipient has received, or has read.
    package func reachedByAll(_ log: LogDelivery, _ level: WatermarkLevel) -> LogPosition {
        var least: LogPosition?
        for (recipient, progress) in zip(recipients, log.progress) {
            var position = level == .read ? progress.read : progress.delivered
            // A recipient that joined later counts from there on: earlier messages are not for it.
            if log.isWritten && position.sequence < recipient.after {
                position = LogPosition(sequence: recipient.after, head: LogPosition.start.head)
            }
            if position.sequence < least?.sequence ?? .max { least = position }
        }
        return least ?? .start
    }
}
