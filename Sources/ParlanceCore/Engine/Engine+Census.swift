package import ParlanceRecords
package import ParlanceWire

/// How many entries an engine holds. Tests use it to bound its memory.
package struct EngineCensus: Equatable, Sendable {
    package var peers = 0
    /// Strangers that have left and are not forgotten yet.
    package var strangersParted = 0
    package var preferences = 0
    /// Pictures of others that are on the disk, and those that are asked for.
    package var pictures = 0
    package var picturesAsked = 0
    /// Files about which something was decided.
    package var transfers = 0
    /// Files that are worked on.
    package var filesAtWork = 0
    /// Bytes of chunks of files that are being put together.
    package var assemblyBytes = 0
    /// Pieces that peers were asked for, on the link with the most.
    package var mostPiecesAsked = 0
    /// Files that peers have asked for, on the link with the most.
    package var mostFilesServed = 0
    /// Pieces that are read for a peer, on the link with the most.
    package var mostPiecesOwed = 0
    /// Files on links of which something was told, in total; files served; and what people see of uploads.
    package var filesTold = 0
    package var filesHeld = 0
    package var uploads = 0
    package var conversations = 0
    package var logs = 0
    package var watermarks = 0
    /// Watermarks that are gathered before they are handed on.
    package var watermarksOwed = 0
    package var links = 0
    /// Conversations open on links, in total.
    package var syncs = 0
    /// Logs tracked on links, in total.
    package var cursors = 0
    /// Runs of events sent and not acknowledged, in total.
    package var runsOnTheWay = 0
    /// Bytes of events sent and not acknowledged, on the link with the most.
    package var mostUnacknowledgedBytes = 0
    package var reads = 0
    /// Clock entries of peers on links, in total.
    package var clockEntries = 0
    /// Sequences that members told on links that have ended, in total.
    package var lastClockEntries = 0
    /// Logs that are requested from peers, or that peers are sending, in total.
    package var wants = 0
    /// Members whose addresses were exchanged on links, in total.
    package var addressesTold = 0
    /// Bytes of membership events of incomplete invitations on links, in total.
    package var invitationBytes = 0
    /// Identities removed from the workspace whose removal was exchanged on links, in total.
    package var exclusionsTold = 0
    package var dialTargets = 0
    package var deadlines = 0
    /// What waits for the next transaction or is being written.
    package var waitingEvents = 0
    package var waitingFollowups = 0
}

extension Engine {
    /// The last position held of a log, durable or not.
    package func held(of key: LogKey) -> LogPosition { conversations[key.conversation]?.held(of: key.log) ?? .start }

    /// Where a log begins: the base of a branch that is known, durable or not.
    package func start(of key: LogKey) -> LogPosition { conversations[key.conversation]?.start(of: key.log) ?? .start }

    package var census: EngineCensus {
        var census = EngineCensus()
        census.peers = contacts.count
        census.strangersParted = contacts.parted.count
        census.preferences = preferences.inOrder.count
        census.pictures = pictures.inOrder.count
        census.picturesAsked = pictures.questionCount
        count(transfers: &census)
        census.conversations = conversations.count
        census.logs = conversations.values.reduce(0) { $0 + $1.logs.count }
        census.watermarks = conversations.values.reduce(0) { $0 + $1.marks.count }
        census.watermarksOwed = conversations.values.reduce(0) { $0 + $1.owedMarksCount }
        census.wants = conversations.values.reduce(0) { $0 + $1.wants.count }
        census.lastClockEntries = lastClocks.count
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

    private func count(transfers census: inout EngineCensus) {
        census.transfers = transfers.rows.count
        census.filesAtWork = transfers.active.count
        census.assemblyBytes = transfers.bytesInWork
        census.filesHeld = transfers.holdings.count
        census.uploads = transfers.uploads.count
        for line in transfers.lines.values {
            census.mostPiecesAsked = max(census.mostPiecesAsked, line.requests.count)
            census.mostFilesServed = max(census.mostFilesServed, line.served.count)
            census.mostPiecesOwed = max(census.mostPiecesOwed, line.owedPieces)
            census.filesTold += line.toldCount
        }
    }
}
