import ParlanceCore
import ParlanceWire

// Checks that memory stays bounded: counts what an engine keeps, and compares it with what it may hold.
extension Checker {
    func audit() {
        for node in world.nodes.indices {
            guard let engine = world.nodes[node].engine else { continue }
            for index in engine.wrongIndexes { return violate("\(name(node)) has lost track of \(index)") }
            let census = engine.census
            for (what, count, most) in bounds(of: census, node) where count > most {
                return violate("\(name(node)) keeps \(count) \(what), of at most \(most)")
            }
            for (peer, what, count, most) in engine.excesses {
                return violate("\(name(node)) keeps \(count) \(what) for \(peer), of at most \(most)")
            }
            if census.mostUnacknowledgedBytes < 0 {
                violate("\(name(node)) counts \(census.mostUnacknowledgedBytes) bytes as unacknowledged")
            }
        }
    }

    private func bounds(of census: EngineCensus, _ node: Int) -> [(String, Int, Int)] {
        let others = world.nodes.count - 1
        let links = world.openEnds(of: node)
        // In each conversation, those of both sides.
        let replicas = world.nodes.map { $0.replicas + 2 * $0.rollbacks }
        let groups = groupsMade
        let logs = replicas.reduce(0, +) * (1 + groups) + (others - 1) * replicas[node] + hostileLogs(groups)
        let people = others + madeUpMembers(of: node)
        // Each start of a neighbour may have been seen as a separate instance.
        let instances = world.nodes.reduce(0) { $0 + $1.life }
        // A run holds what one batch brought, at least one event; unacknowledged events may exceed the window by one
        // run.
        let window = Limits.windowBytes + 2 * Limits.runBytes
        // Each file that is served is looked up once at a time; each piece that is owed is read.
        let reads = 2 * Limits.filesAtOnce + Limits.piecesOwed
        return [
            ("peers", census.peers, people),
            ("strangers that have left", census.strangersParted, min(others, Limits.strangersKept)),
            ("settings of conversations", census.preferences, census.conversations),
            ("pictures", census.pictures, others),
            ("pictures asked for", census.picturesAsked, others),
            ("conversations", census.conversations, others + groups),
            ("logs", census.logs, logs),
            ("links", census.links, links),
            ("open conversations", census.syncs, links * (1 + groups)),
            ("cursors", census.cursors, links * max(1, census.logs)),
            ("bytes on the way", census.mostUnacknowledgedBytes, window),
            ("runs on the way", census.runsOnTheWay, links * window / 100),
            ("reads", census.reads, census.cursors + links * (1 + Limits.bodiesPerRequest) + links * reads),
            (
                "entries of clocks", census.clockEntries,
                census.syncs * (census.logs + others * Limits.clockEntriesPerAuthor)
            ),
            ("sequences told before", census.lastClockEntries, census.logs * others),
            ("logs asked for", census.wants, logs),
            ("addresses told", census.addressesTold, links * world.nodes.count),
            ("exclusions told", census.exclusionsTold, links * Limits.workspaceRemoved),
            ("bytes of invitations", census.invitationBytes, links * Limits.invitationBytes),
            ("dial targets", census.dialTargets, 2 * people + instances),
            ("deadlines", census.deadlines, 5 * links + 3 * people + 6 * groups + 5),
            (
                "watermarks", census.watermarks,
                2 * census.logs * (replicas.reduce(0, +) + hostile.count * Limits.copiesPerMember)
            ),
            ("watermarks to hand on", census.watermarksOwed, census.watermarks),
            ("files", census.transfers, Limits.transfers + Limits.finishedTransfers),
            ("files at work", census.filesAtWork, Limits.filesAtOnce),
            ("bytes of chunks", census.assemblyBytes, Limits.assemblyBytes),
            ("pieces asked for", census.mostPiecesAsked, Limits.pieceWindow),
            ("files served", census.mostFilesServed, Limits.filesAtOnce),
            ("pieces owed", census.mostPiecesOwed, Limits.piecesOwed),
            ("files told of", census.filesTold, links * 2 * Limits.filesAtOnce),
            ("files looked up", census.filesHeld, links * Limits.filesAtOnce),
            ("uploads", census.uploads, Limits.uploadsShown),
        ]
    }
}
