package import ParlanceCore
import ParlanceSodium
import ParlanceWire

// The part of the daemon's node: passes facts to the engine, and effects to the disk and the network.
extension SimulatedWorld {
    /// Starts a node.
    ///
    /// - Parameter fixed: the static addresses that it knows; those of all other nodes if not given.
    package func start(_ index: Int, fixed: [Endpoint]? = nil) {
        let node = nodes[index]
        node.life += 1
        node.wakeAt = nil
        node.unheard = []
        node.isStopping = false
        node.isDiskGone = false
        node.trouble.breaks = false
        guard let snapshot = openDisk(of: index) else { return }
        node.keys = snapshot.workspace?.keys ?? []
        node.engine = Engine(
            snapshot: snapshot,
            signer: node.signer,
            identity: node.identity,
            replica: node.replica,
            listeningPort: 4747,
            fixed: fixed ?? endpointsOfOthers(than: index),
            acceptsMembers: node.acceptsMembers,
            autoFetchBytes: node.autoFetchBytes,
            fileRate: node.fileRate,
            authorDayBytes: node.authorDayBytes,
            entropy: SecretBytes(count: 32) { [seed = random.next()] in
                $0.storeBytes(of: seed, as: UInt64.self)
            },
            seed: random.next(),
            at: instant(of: index)
        )
        node.isUp = true
        observer?.started(index)
        settle(index)
    }

    func endpointsOfOthers(than index: Int) -> [Endpoint] {
        nodes.indices.filter { $0 != index }.map { nodes[$0].endpoint }
    }

    /// Lets each node remember where the others take links, as after a former meeting. Call it before the first start.
    package func acquaint() {
        for node in nodes {
            var batch = PersistBatch(id: BatchID(0))
            batch.peers = nodes.filter { $0.identity != node.identity }.map { other in
                var record = PeerRecord(id: other.identity)
                record.announcedName = other.name
                record.addresses = [other.endpoint]
                return record
            }
            do {
                try node.disk.persist(batch)
            } catch {
                observer?.violated("\(node.name) cannot remember the others: \(error)")
            }
        }
    }

    /// Empties the disk of a node, so that its engine alone holds what both had in common. The node must not go on.
    package func dropDisk(of index: Int) {
        let node = nodes[index]
        node.disk = SimulatedDisk(name: node.name, identity: node.identity)
        node.answers = [:]
        node.notices = []
    }

    /// Drops the engine of a node, and nothing else.
    package func dropEngine(of index: Int) {
        nodes[index].engine = nil
        nodes[index].isUp = false
    }

    /// The process ends in order: it says goodbye on every link, and writes what still waits.
    package func stop(_ index: Int) {
        guard nodes[index].isUp, !nodes[index].isStopping else { return }
        nodes[index].isStopping = true
        let effects = nodes[index].engine?.stop(at: instant(of: index)) ?? []
        carryOut(effects, of: index)
        settle(index)
        schedule(.exit(index, life: nodes[index].life), after: 20)
    }

    func exit(_ index: Int, _ life: Int) {
        guard nodes[index].life == life, let engine = nodes[index].engine else { return }
        if nodes[index].trouble.breaks { return crash(index) }
        guard engine.isSettled else { return schedule(.exit(index, life: life), after: 20) }
        end(index)
        dropPipes(of: index, silently: false)
    }

    /// The process is gone.
    func end(_ index: Int) {
        dropEngine(of: index)
        nodes[index].shelf.crash()
        nodes[index].life += 1
        observer?.ended(index)
    }

    func feed(_ input: Input, to index: Int, _ life: Int) {
        guard nodes[index].life == life, nodes[index].isUp else { return }
        observer?.told(input, index)
        if case .persisted = input { nodes[index].unheard = [] }
        let effects = nodes[index].engine?.handle(input, at: instant(of: index)) ?? []
        carryOut(effects, of: index)
        settle(index)
    }

    func wake(_ index: Int, _ life: Int) {
        guard nodes[index].life == life else { return }
        if let wakeAt = nodes[index].wakeAt, wakeAt <= now { nodes[index].wakeAt = nil }
        if let due = nodes[index].engine?.whenDue(), due <= now {
            feed(.deadlinePassed, to: index, life)
        } else {
            settle(index)
        }
    }

    /// The inbox is empty: what was collected becomes a transaction, and the node waits for the next deadline.
    func settle(_ index: Int) {
        let node = nodes[index]
        let effects = node.engine?.flush(at: instant(of: index)) ?? []
        carryOut(effects, of: index)
        guard let due = node.engine?.whenDue() else { return }
        let moment = max(due, now)
        guard node.wakeAt.map({ moment < $0 }) ?? true else { return }
        node.wakeAt = moment
        schedule(.wake(index, life: node.life), after: moment - now)
    }

    func carryOut(_ effects: [Effect], of index: Int) {
        let node = nodes[index]
        for effect in effects {
            observer?.decided(effect, index)
            switch effect {
            case .persist(let batch): write(batch, of: index)
            case .read(let read, let request):
                schedule(.read(index, life: node.life, read, request), after: random.below(4))
            case .readEnvelope(let read, let id):
                schedule(.readEnvelope(index, life: node.life, read, id), after: random.below(4))
            case .readMention(let read, let conversation, let file):
                schedule(.readMention(index, life: node.life, read, conversation, file), after: random.below(4))
            case .shelf(let work): self.work(work, on: index)
            case .send(let link, let frame): send(frame, on: link)
            case .dial(let dial, let endpoint, let expecting):
                schedule(
                    .connect(index, life: node.life, dial, endpoint, expecting: expecting),
                    after: 1 + random.below(5)
                )
            case .probe(let dial, let endpoint): probe(dial, endpoint, index)
            case .close(let link): close(link)
            case .useKeys(let keys): node.keys = keys
            case .admit, .report: break
            case .adopt(let replica):
                node.replica = replica
                node.replicas += 1
            case .answer(let command, let result): if keepsNews { node.answers[command] = result }
            case .notify(let notice): if keepsNews { node.notices.append(notice) }
            }
        }
    }
}

extension Engine {
    /// The next deadline, read in place: to ask a node's optional engine for the property would copy the engine.
    fileprivate mutating func whenDue() -> Int64? { nextDeadline }
}
