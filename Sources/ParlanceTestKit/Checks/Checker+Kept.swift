import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Checks that a node knows while it runs what it would know after a start: nothing is forgotten on the way to the disk,
// nothing is left of a batch that failed, and a start restores everything.
extension Checker {
    func checkKept(_ nodes: some Sequence<Int>) {
        for index in nodes where violation == nil {
            let node = world.nodes[index]
            guard let engine = node.engine, knowsItsDisk(index), node.unheard.isEmpty else { continue }
            let own = LogID(author: node.identity, replica: node.replica)
            let (kept, stored) = (engine.kept.lasting(own), node.disk.snapshot.lasting(own))
            if let difference = kept.difference(from: stored) {
                violate("\(name(index)) has in memory what is not on its disk: \(difference)")
            }
        }
    }

    /// Whether everything that a node has in memory is on its disk, and nothing else is there. A disk that broke may
    /// have written what it did not confirm.
    func knowsItsDisk(_ index: Int) -> Bool {
        let node = world.nodes[index]
        return node.engine?.isKept == true && node.renewed == nil && !node.isDiskGone && !node.isStopping
    }
}

extension EngineSnapshot {
    /// The value without what may be only in memory.
    fileprivate func lasting(_ own: LogID) -> EngineSnapshot {
        var lasting = self
        // A branch of which nothing is held yet begins where it forks, whether or not a row says so.
        lasting.logs.removeAll { record in
            branches.contains { branch in
                branch.conversation == record.conversation && branch.log == record.log && branch.base == record.position
            }
        }
        let written = Set(logs.filter { $0.log == own }.map(\.conversation))
        for place in lasting.logs.indices {
            // The engine does not track which events of others are signed.
            lasting.logs[place].signedThrough = .start
            // The time of the last event matters only for the local log, to which the node continues to write.
            if lasting.logs[place].log != own { lasting.logs[place].time = EventTime(raw: 0) }
            // A replica that has written nothing keeps what its predecessor has named, and names it again.
            if !written.contains(lasting.logs[place].conversation) { lasting.logs[place].namedThrough = 0 }
        }
        // What was only offered is looked at once, at a start.
        lasting.offers = []
        // A watermark that was put back to the beginning means the same as none.
        lasting.watermarks = watermarks.filter { $0.position.sequence > 0 }
        lasting.peers = peers.map(\.lasting).filter { $0 != PeerRecord(id: $0.id) }
        return lasting
    }
}

extension PeerRecord {
    /// The value without what is useful only while links last, and without what strangers say about themselves.
    fileprivate var lasting: PeerRecord {
        var lasting = self
        (lasting.lastSeen, lasting.hours) = (nil, SeenHours())
        if trust == .unknown {
            lasting.announcedName = ""
            (lasting.addresses, lasting.signedAddresses, lasting.epochs) = ([], nil, [:])
        }
        return lasting
    }
}
