import ParlanceWire

// Texts that are removed because of their age (events.md, "Removed by age").
extension Engine {
    /// Plans the first sweep after a start: soon if texts are to be removed, since the node may not run for long.
    mutating func scheduleSweep() {
        let delay = preferences.hasRetention ? Limits.retentionDelayMilliseconds : Limits.sweepMilliseconds
        turn.deadlines[.sweep] = turn.now.monotonic + delay
    }

    /// Names the logs of which the store has to remove what is old.
    mutating func removeOld() {
        for record in preferences.inOrder {
            guard let period = record.preference.retention, let conversation = conversations[record.conversation] else {
                continue
            }
            let delivery = deliveryView(of: conversation.id)
            for log in conversation.logs.keys {
                let own = delivery.logs.first { $0.log == log }
                let reached = own.map { own in
                    delivery.recipients.isEmpty ? .max : delivery.reachedByAll(own, .delivered).sequence
                }
                let through = conversation.removableThrough(log, deliveredToAll: reached, turn.own)
                guard through > conversation.durable(of: log)?.floor ?? 0 else { continue }
                turn.batch.rows.retention.append(
                    RetainedLog(
                        conversation: conversation.id,
                        log: log,
                        before: turn.now.wall - period,
                        through: through
                    )
                )
            }
        }
    }

    /// Texts were removed: clients drop them, and peers ask others for them.
    mutating func tellFloors(_ floors: [LogFloor]) {
        for floor in floors {
            for id in links.ids where links.session(of: floor.conversation, on: id)?.hearsChanges == true {
                sendHave([floor.log], of: floor.conversation, on: id)
                // What is gone here is not expected there.
                if floor.log.author == identity { recordDelivered(of: floor.conversation, on: id) }
            }
            guard !floor.removed.isEmpty, let record = conversations[floor.conversation]?.record else { continue }
            turn.emit(.notify(.removed(record, floor.removed)))
        }
        guard floors.contains(where: \.isCut) else { return }
        turn.deadlines.advance(.sweep, to: turn.now.monotonic + Limits.retentionPauseMilliseconds)
    }
}

extension Conversation {
    /// The last event of a log whose text may be removed, however old it is: nothing is lost by it.
    ///
    /// Nothing that this user has not read, or that somebody has not received, is removed; and nothing beyond a text that is
    /// missing here, since a floor says that everything below it was here.
    ///
    /// - Parameter deliveredToAll: through where every recipient has one of our logs; `nil` for a log of somebody else.
    fileprivate func removableThrough(_ log: LogID, deliveredToAll: UInt64?, _ own: OwnNode) -> UInt64 {
        guard let state = logs[log] else { return 0 }
        let reads = marks.of(log, by: own.identity).filter { $0.key.level == .read }.map(\.position.sequence)
        let done = deliveredToAll ?? reads.max() ?? 0
        return min(done, state.applied.sequence, state.durable.missing.first.map { $0 - 1 } ?? .max)
    }
}
