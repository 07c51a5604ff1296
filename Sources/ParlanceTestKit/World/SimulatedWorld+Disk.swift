import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Disks that are slow, fail, tear, crash and are rolled back.
extension SimulatedWorld {
    /// The snapshot of the store at a start; the real store must give the same.
    func openDisk(of index: Int) -> EngineSnapshot? {
        let node = nodes[index]
        node.replica = node.renewed ?? node.replica
        node.renewed = nil
        let epoch = node.disk.beginEpoch()
        let snapshot = node.disk.snapshot
        guard let real = node.real else { return snapshot }
        return compare(index, "start") {
            guard try real.beginEpoch() == epoch else { return "the epoch differs" }
            return try real.snapshot().difference(from: snapshot)
        } ? snapshot : nil
    }

    /// - Returns: whether the real store agrees.
    @discardableResult
    func compare(_ index: Int, _ what: String, _ body: () throws -> String?) -> Bool {
        do {
            guard let difference = try body() else { return true }
            observer?.violated("the store of \(nodes[index].name) differs from the model (\(what)): \(difference)")
        } catch {
            observer?.violated("the store of \(nodes[index].name) failed (\(what)): \(error)")
        }
        return false
    }

    func write(_ batch: PersistBatch, of index: Int) {
        let node = nodes[index]
        node.writing = batch
        schedule(.sync(index, life: node.life, batch), after: 1 + random.below(node.trouble.slowest))
    }

    /// A batch becomes durable now, or fails. The engine learns of it a little later.
    func sync(_ batch: PersistBatch, on index: Int, _ life: Int) {
        let node = nodes[index]
        guard node.life == life, node.isUp else { return }
        let report = random.below(5)
        if node.trouble.breaks {
            observer?.happened("the disk of \(node.name) breaks", kind: "disk breaks")
            if !node.isDiskGone, random.below(2) == 0 { _ = makeDurable(batch, on: index) }
            node.isDiskGone = true
            node.writing = nil
            let failed = Input.persistFailed(batch.id, reason: "input/output error")
            schedule(.input(index, life: life, failed), after: report)
            return schedule(.exit(index, life: life), after: report + random.below(50))
        }
        if node.trouble.failures > 0 {
            node.trouble.failures -= 1
            node.writing = nil
            observer?.happened("a batch of \(node.name) fails", kind: "disk fails")
            let failed = Input.persistFailed(batch.id, reason: "no room")
            return schedule(.input(index, life: life, failed), after: report)
        }
        if let room = node.trouble.room {
            guard batch.byteCount <= room else {
                node.writing = nil
                observer?.happened("no room for a batch of \(node.name)", kind: "disk full")
                return schedule(.input(index, life: life, .persistFailed(batch.id, reason: "no room")), after: report)
            }
            observer?.happened("\(node.name)'s full disk takes a batch", kind: "batch in what room is left")
            node.trouble.room = room - batch.byteCount
        }
        guard let receipt = makeDurable(batch, on: index) else { return }
        node.writing = nil
        node.unheard = receipt.missing
        schedule(.input(index, life: life, .persisted(batch.id, receipt)), after: report)
    }

    func makeDurable(_ batch: PersistBatch, on index: Int) -> PersistReceipt? {
        let node = nodes[index]
        let receipt: PersistReceipt
        do {
            receipt = try node.disk.persist(batch)
        } catch {
            observer?.violated("a batch of \(node.name) contradicts its store: \(error)")
            return nil
        }
        if let real = node.real {
            compare(index, "batch") { try real.persist(batch).difference(from: receipt) }
        }
        node.renewed = batch.replica ?? node.renewed
        observer?.synced(batch, index)
        return receipt
    }

    func answer(_ read: ReadID, _ request: ReadRequest, on index: Int, _ life: Int) {
        let node = nodes[index]
        guard node.life == life, node.isUp else { return }
        guard !failsToRead(read, index) else { return }
        guard node.trouble.emptyReads == 0 else {
            node.trouble.emptyReads -= 1
            observer?.happened("a read of \(node.name) returns nothing", kind: "read returns nothing")
            return feed(.eventsRead(read, []), to: index, life)
        }
        let events = node.disk.read(request)
        if let real = node.real {
            compare(index, "read") { try real.read(request) == events ? nil : "events of \(request)" }
        }
        feed(.eventsRead(read, events), to: index, life)
    }

    func answer(_ read: ReadID, _ id: EnvelopeID, on index: Int, _ life: Int) {
        let node = nodes[index]
        guard node.life == life, node.isUp, !failsToRead(read, index) else { return }
        feed(.envelopeRead(read, node.disk.envelopes[id]?.bytes), to: index, life)
    }

    func failsToRead(_ read: ReadID, _ index: Int) -> Bool {
        let node = nodes[index]
        guard node.trouble.failedReads > 0 else { return false }
        node.trouble.failedReads -= 1
        observer?.happened("a read of \(node.name) fails", kind: "read fails")
        feed(.readFailed(read), to: index, node.life)
        return true
    }

    /// The process dies: what was not synced is lost; what was synced but not reported is there.
    ///
    /// - Parameter isSynced: whether the batch that was being written had actually reached the disk.
    package func crash(_ index: Int, isSynced: Bool = false, isPowerLost: Bool = false) {
        let node = nodes[index]
        guard node.isUp else { return }
        if let torn = node.writing {
            if isSynced { _ = makeDurable(torn, on: index) }
            observer?.happened(
                "\(node.name)'s batch is \(isSynced ? "synced, not reported" : "torn")",
                kind: isSynced ? "crash after a sync" : "batch torn"
            )
        }
        if let real = node.real {
            compare(index, "crash") {
                try real.crash(tearing: isSynced ? nil : node.writing)
                return nil
            }
        }
        node.writing = nil
        end(index)
        dropPipes(of: index, silently: isPowerLost)
    }

    /// Keeps a copy of the folder of a node.
    ///
    /// - Parameter asFile: as `parlance backup` makes it of a running node, which leaves out prekeys and files.
    package func backUp(_ index: Int, asFile: Bool = false) {
        nodes[index].backup = nodes[index].disk
        if asFile { nodes[index].backup?.becomeBackup() }
        nodes[index].backupReplica = nodes[index].renewed ?? nodes[index].replica
        compare(index, "backup") {
            try nodes[index].real?.backUp(asFile: asFile)
            return nil
        }
    }

    /// Puts the copy back, or an empty folder if there is none; the guard gives the store a new replica. The node is
    /// down.
    ///
    /// - Parameter isUnseen: the guard does not notice, as when a whole machine is rolled back.
    package func restore(_ index: Int, isUnseen: Bool = false) {
        let node = nodes[index]
        guard !node.isUp else { return }
        node.disk = node.backup ?? SimulatedDisk(name: node.name, identity: node.identity)
        node.renewed = nil
        if isUnseen {
            node.replica = node.backupReplica ?? node.firstReplica
            node.rollbacks += 1
        } else {
            node.replicas += 1
            node.replica = Self.replica(node.replicas, of: index)
            node.disk.renew()
        }
        dropFrames(of: index)
        compare(index, "restore") {
            try node.real?.restore(as: node.replica)
            return nil
        }
    }

    /// The latest copy goes on where it was, and the present folder becomes the copy. The node is down; its guard
    /// notices nothing, as when a machine is cloned with everything on it.
    ///
    /// - Returns: whether there is a copy.
    package func swapCopies(_ index: Int) -> Bool {
        let node = nodes[index]
        guard !node.isUp, let copy = node.backup, let replica = node.backupReplica else { return false }
        (node.backup, node.backupReplica) = (node.disk, node.renewed ?? node.replica)
        (node.disk, node.replica, node.renewed) = (copy, replica, nil)
        node.rollbacks += 1
        dropFrames(of: index)
        compare(index, "swap") {
            try node.real?.swapCopies(as: node.replica)
            return nil
        }
        return true
    }
}
