package import ParlanceWire

/// What people see of an event, from the event and what it follows (events.md, "Void events", "Order").
///
/// It is a pure function of the set of events: whatever the order in which they arrive, the same comes out, so
/// projections can be dropped and made again.
package enum Projector {
    /// An event that has been applied: what later ones need to know of it.
    package struct Applied: Equatable, Sendable {
        package var id: EventID
        package var time: EventTime
        package var effective: UInt64

        package init(id: EventID, time: EventTime, effective: UInt64) {
            self.id = id
            self.time = time
            self.effective = effective
        }
    }

    package enum Verdict: Equatable, Sendable {
        /// A message to show.
        case message(text: String)
        /// Takes the author's own message of that sequence in the same log back.
        case withdraw(sequence: UInt64)
        /// Held and counted; nothing to show.
        case nothing
        /// Breaks a rule; held and counted, shown nowhere.
        case void(VoidReason)
    }

    package enum VoidReason: String, Equatable, Sendable {
        case bodyTooLarge, textTooLarge, blankText, malformedBody, timeNotAfterPredecessor
    }

    /// The greatest effective time: the greatest that SQLite's integers hold.
    package static let latest = UInt64(Int64.max)

    /// The greatest that an author's own time counts for: a time as great as can be must leave room for what follows it.
    package static let latestOwn: UInt64 = 1 << 62

    /// `max(own time, 1 + effective time of the log predecessor and of each dependency)`, saturating.
    package static func effective(time: EventTime, after earlier: some Sequence<UInt64>) -> UInt64 {
        earlier.reduce(min(time.raw, latestOwn)) { max($0, $1 >= latest ? latest : $1 + 1) }
    }

    /// The same for an event that follows only its log predecessor, as most do.
    package static func effective(time: EventTime, after predecessor: UInt64?) -> UInt64 {
        let own = min(time.raw, latestOwn)
        guard let predecessor else { return own }
        return max(own, predecessor >= latest ? latest : predecessor + 1)
    }

    /// What an event comes to.
    ///
    /// - Parameter predecessor: the event before in the same log; `nil` at sequence 1.
    package static func judge(_ event: StoredEvent, after predecessor: Applied?) -> Verdict {
        if let predecessor, event.header.time <= predecessor.time { return .void(.timeNotAfterPredecessor) }
        guard (event.body?.count ?? 0) <= Limits.bodyBytes else { return .void(.bodyTooLarge) }
        switch event.header.kind {
        case .message: return judgeMessage(event.body)
        case .withdraw: return judgeWithdrawal(event)
        case .link, .unknown: return .nothing
        }
    }

    private static func judgeMessage(_ body: [UInt8]?) -> Verdict {
        guard let body else { return .nothing }
        guard let message = WireMessageBody(decoding: body) else { return .void(.malformedBody) }
        guard message.text.utf8.count <= Limits.textBytes else { return .void(.textTooLarge) }
        guard !message.text.isBlank else { return .void(.blankText) }
        return .message(text: message.text)
    }

    private static func judgeWithdrawal(_ event: StoredEvent) -> Verdict {
        guard let body = event.body, let withdrawal = WireWithdrawBody(decoding: body),
            withdrawal.sequence >= 1, withdrawal.sequence < event.header.sequence
        else { return .void(.malformedBody) }
        return .withdraw(sequence: withdrawal.sequence)
    }
}

extension String {
    /// Whether there is nothing to read in it.
    package var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }
}
