package import ParlanceWire

/// How much an engine keeps, in entries, for tests that hold its memory to bounds.
package struct EngineCensus: Equatable, Sendable {
    package var peers = 0
    package var conversations = 0
    package var logs = 0
    package var watermarks = 0
    package var links = 0
    /// Conversations open on links, in all.
    package var syncs = 0
    /// Logs followed on links, in all.
    package var cursors = 0
    /// Runs of events sent and not acknowledged, in all.
    package var runsOnTheWay = 0
    /// Bytes of events sent and not acknowledged, on the link that has most.
    package var mostUnacknowledgedBytes = 0
    package var reads = 0
    /// Logs that peers are known to hold, on links, in all.
    package var clockEntries = 0
    /// Logs that peers are asked for, or bring, in all.
    package var wants = 0
    /// Members of whom addresses were told on links, in all.
    package var addressesTold = 0
    /// Bytes of membership events that wait on links for the rest of their invitations, in all.
    package var invitationBytes = 0
    /// Identities of which was told on links that the workspace left them out, in all.
    package var exclusionsTold = 0
    package var dialTargets = 0
    package var deadlines = 0
    /// What waits for the next transaction, and what is being written.
    package var waitingEvents = 0
    package var waitingFollowups = 0
}

extension Engine {
    /// How far a log is held, whether or not it is durable yet.
    package func held(of key: LogKey) -> LogPosition { conversations[key.conversation]?.held(of: key.log) ?? .start }

    package var census: EngineCensus {
        var census = EngineCensus()
        census.peers = contacts.count
        census.conversations = conversations.count
        census.logs = conversations.values.reduce(0) { $0 + $1.logs.count }
        census.watermarks = conversations.values.reduce(0) { $0 + $1.marks.count }
        census.wants = conversations.values.reduce(0) { $0 + $1.wants.count }
        census.links = links.count
        for link in links.values {
            census.syncs += link.sessions.count
            census.addressesTold += link.toldAddresses.count
            census.invitationBytes += link.invitation?.byteCount ?? 0
            census.exclusionsTold += link.toldRemoved.count
            for session in link.sessions.values {
                census.cursors += session.window.logCount
                census.clockEntries += session.theirs?.entries.count ?? 0
                census.runsOnTheWay += session.window.runCount
            }
            census.mostUnacknowledgedBytes = max(census.mostUnacknowledgedBytes, link.unacknowledgedBytes)
        }
        census.reads = turn.reads.count
        census.dialTargets = dialing.count
        census.deadlines = turn.deadlines.count
        census.waitingEvents = turn.batch.rows.events.count + (turn.writing?.rows.events.count ?? 0)
        census.waitingFollowups = turn.batch.after.count + (turn.writing?.after.count ?? 0)
        return census
    }
}
