import ParlanceWire

// Texts that are removed because of their age (events.md, "Removed by age").
extension Engine {
    /// Plans the first sweep after a start: soon if texts are to be removed, since the node may not run for long.
    mutating func scheduleSweep() {
        let removes = preferences.hasRetention || conversations.values.contains { $0.agreedLifetime != nil }
        let delay = removes ? Limits.retentionDelayMilliseconds : Limits.sweepMilliseconds
        turn.deadlines[.sweep] = turn.now.monotonic + delay
    }

    /// Names the logs of which the store has to remove what is old.
    mutating func removeOld() {
        for conversation in conversations.inOrder {
            noteAgreement(in: conversation)
            guard let age = removalAge(in: conversation) else { continue }
            let delivery = deliveryView(of: conversation.id)
            for log in conversation.logs.keys {
                let own = delivery.logs.first { $0.log == log }
                let reached = own.map { own in
                    delivery.recipients.isEmpty
                        ? own.formerAfter == nil ? .max : own.formerThrough
                        : delivery.reachedByAll(own, .delivered).sequence
                }
                let gone = conversation.removedByWriter(log, links)
                let through = conversation.removableThrough(log, deliveredToAll: reached, besides: gone, turn.own)
                guard through > conversation.durable(of: log)?.floor ?? 0 else { continue }
                turn.batch.rows.retention.append(
                    RetainedLog(
                        conversation: conversation.id,
                        log: log,
                        age: age,
                        wall: turn.now.wall,
                        through: through,
                        gone: gone
                    )
                )
            }
        }
    }

    /// The peer has removed texts that are missing here, and has been told that they are: from now on it is told less.
    mutating func tellWriter(of conversation: ConversationID, theirs: Clock, on link: Link) {
        guard let floor = theirs.entries[link.writtenLog]?.floor, floor > 0,
            let first = conversations[conversation]?.durable(of: link.writtenLog)?.missing.first, first <= floor
        else { return }
        sendHave([link.writtenLog], of: conversation, on: link.id)
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
    /// missing here, since a floor says that everything below it was here, unless its writer has removed it too.
    ///
    /// - Parameters:
    ///   - deliveredToAll: through where every recipient has one of our logs; `nil` for a log of somebody else.
    ///   - gone: through where the writer of the log has removed texts.
    fileprivate func removableThrough(
        _ log: LogID,
        deliveredToAll: UInt64?,
        besides gone: UInt64,
        _ own: OwnNode
    ) -> UInt64 {
        guard let state = logs[log] else { return 0 }
        let reads = marks.of(log, by: own.identity).filter { $0.key.level == .read }.map(\.position.sequence)
        let done = deliveredToAll ?? reads.max() ?? 0
        let missing = state.durable.missing.first { $0 > gone }
        return min(done, state.applied.sequence, missing.map { $0 - 1 } ?? .max)
    }

    /// Through where the replica that writes a log has removed texts, if it is linked; 0 otherwise.
    fileprivate func removedByWriter(_ log: LogID, _ links: Links) -> UInt64 {
        guard let link = links.main(of: log.author), link.writtenLog == log else { return 0 }
        return link.sessions[id]?.theirs?.entries[log]?.floor ?? 0
    }
}
