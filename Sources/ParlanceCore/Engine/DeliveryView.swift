package import ParlanceWire

/// How the own messages of a conversation stand: thresholds in the own logs, from which every status follows.
package struct DeliveryView: Equatable, Sendable {
    package var conversation: ConversationID
    /// Whom own messages are for: the peer, or the other members of a group.
    package var recipients: [Recipient]
    /// The own logs.
    package var logs: [LogDelivery]
    /// Why what waits is waiting, for the recipient that comes first among those that lack something.
    package var reason: WaitReason?
    /// Monotonic milliseconds of the next attempt to reach one of those.
    package var nextTry: Int64?

    package struct Recipient: Equatable, Sendable {
        package var peer: PeerID
        /// What this node wrote up to here was written before the recipient joined, and is not counted for it.
        package var after: UInt64
        /// Why it lacks what it lacks; `nil` if it lacks nothing.
        package var reason: WaitReason?
    }

    package struct LogDelivery: Equatable, Sendable {
        package var log: LogID
        /// Whether `Recipient.after` counts for it: only for the log that is written now.
        package var isWritten: Bool
        package var sendingThrough: UInt64
        package var refusedThrough: UInt64
        /// Through where couriers hold it for the one it is for.
        package var carriedThrough: UInt64 = 0
        /// For each recipient, in their order.
        package var progress: [Progress]
        /// What was written beyond the first was for members of a group that are none any more; `nil` if there are none.
        package var formerAfter: UInt64?
        /// The furthest that one of those has got.
        package var formerThrough: UInt64 = 0

        package struct Progress: Equatable, Sendable {
            package var delivered: LogPosition
            package var read: LogPosition
            /// When this node learnt that, in milliseconds since 1970; `nil` if it has not.
            package var deliveredAt: Int64?
            package var readAt: Int64?
            /// Who handed on the receipt that says so; `nil` if the recipient said it itself.
            package var deliveredVia: PeerID?
            package var readVia: PeerID?
        }
    }

    package init(conversation: ConversationID, recipients: [Recipient] = [], logs: [LogDelivery] = []) {
        self.conversation = conversation
        self.recipients = recipients
        self.logs = logs
    }

    /// Who of the recipients of a message has got it, and who has read it.
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

    /// Whether an own message can reach nobody any more: all that it was for have gone, and none of them has got it.
    package func isStranded(_ sequence: UInt64, in log: LogID) -> Bool {
        guard let log = logs.first(where: { $0.log == log }), let after = log.formerAfter,
            sequence > max(after, log.formerThrough)
        else { return false }
        return zip(recipients, log.progress).allSatisfy { recipient, progress in
            log.isWritten && sequence <= recipient.after && sequence > progress.delivered.sequence
        }
    }

    /// Through where every recipient has got a log, or has read it.
    package func reachedByAll(_ log: LogDelivery, _ level: WatermarkLevel) -> LogPosition {
        var least: LogPosition?
        for (recipient, progress) in zip(recipients, log.progress) {
            var position = level == .read ? progress.read : progress.delivered
            // Who joined later counts from there on; what was before it neither has nor lacks.
            if log.isWritten && position.sequence < recipient.after {
                position = LogPosition(sequence: recipient.after, head: LogPosition.start.head)
            }
            if position.sequence < least?.sequence ?? .max { least = position }
        }
        return least ?? .start
    }
}
