import ParlanceRecords
import ParlanceSodium
import ParlanceWire

// Group commit: everything that collects while the disk is busy becomes one transaction.
extension Engine {
    /// The store erases expired data with each batch. An idle node writes a batch for that alone.
    mutating func sweepDue() {
        keepSeen(links.openPeers.sorted())
        removeOld()
        // One that was on its way to the disk when its person lost the right to be seen.
        sweepPictures()
        turn.batch.sweeps = true
        turn.batch.isUrgent = true
        turn.deadlines[.sweep] = turn.now.monotonic + Limits.sweepMilliseconds
    }

    /// Signs our heads that a crash left unsigned, before anything else happens to their logs.
    mutating func signUnsignedHeads(_ logs: [LogRecord]) {
        for record in logs
        where record.log.author == identity && record.position.sequence > record.signedThrough.sequence {
            let signature = HeadSeal.sign(record.position.head, with: turn.own.signer)
            turn.batch.rows.signatures.append(
                HeadSignature(
                    conversation: record.conversation,
                    log: record.log,
                    sequence: record.position.sequence,
                    signature: signature
                )
            )
            turn.batch.isUrgent = true
        }
    }

    mutating func closeBatch() {
        guard turn.writing == nil, turn.batch.isUrgent, !turn.batch.isEmpty else { return }
        listAgain()
        turn.signHeads()
        turn.deadlines[.lazyRows] = nil
        turn.batch.rows.ran = couriers.ran(turn.now)
        turn.write(peers: turn.batch.peers.sorted().compactMap { contacts[$0] })
    }

    mutating func persisted(_ id: BatchID, _ receipt: PersistReceipt) {
        guard let done = turn.takeWritten(id) else { return }
        stored.take(done.rows)
        noteDurable(done, receipt)
        transfers.mentionsWereRemoved(in: receipt.conversations(losingMessagesBy: done.rows))
        countWritten(done.rows.events, receipt.filled)
        for peer in pictures.persisted(done.rows.pictures, identity) { tellPeer(peer) }
        let news = conversations.persisted(done, receipt, &turn)
        tellWaiting(in: news.overdue)
        tellDepartures(news.departures)
        for label in receipt.labels { turn.emit(.notify(.group(groupView(of: label.conversation)))) }
        for terms in receipt.lifetimes {
            if let conversation = conversations[terms.conversation] { noteAgreement(in: conversation) }
        }
        for message in receipt.shown {
            turn.emit(.notify(isUnwanted(message) ? .unwanted(message) : .message(message)))
            if !isUnwanted(message) { takeOffers(of: message) }
        }
        for message in receipt.changed where !comesUnwanted(message) { turn.emit(.notify(.changed(message))) }
        for message in receipt.withdrawn { turn.emit(.notify(.withdrawn(message))) }
        for message in receipt.voided { turn.emit(.notify(.voided(message))) }
        for followup in done.after { follow(followup) }
        tellMissing(receipt.missing)
        tellFloors(receipt.floors)
        listAgain(with: receipt.shown)
        sweepUnwanted(receipt.applied)
        tellLinks(of: done)
    }

    private mutating func follow(_ followup: PendingBatch.Followup) {
        switch followup {
        // A member that was removed during the write is sent no watermarks.
        case .effect(.send(let link, let frame)) where !mayHear(frame, on: link): break
        case .effect(let effect): turn.emit(effect)
        case .answer(let command, let answer): turn.emit(.answer(command, .success(answer)))
        case .answerAbout(let command, let peer, let before):
            // The links of a blocked peer end now.
            let now = view(of: peer, over: contacts.isBlocked(peer) ? nil : mainLink(of: peer))
            turn.emit(.answer(command, .success(.changed(now, from: before))))
        case .answerProfile(let command, let profile):
            turn.emit(.answer(command, .success(.profile(presence.view(of: profile)))))
        case .isOnline(let moment): presence.userIsOnline(since: moment, &turn)
        case .openContact(let peer): openContact(with: peer)
        case .openGroup(let group, let isOwnChange): openGroup(group, isOwnChange: isOwnChange)
        case .passOn(let group): conversations.bringNews(to: group, &turn)
        case .takeFork(let link, let fork):
            enforcing(on: link) { engine throws(Breach) in try engine.forkReceived(fork, on: link) }
        case .tellFork(let conversation, let log): tellFork(of: log, in: conversation)
        case .useWorkspace: useWorkspace()
        case .sendPrekeys(let link): sendPrekeys(on: link)
        case .deposited(let link, let envelope): deposited(envelope, on: link)
        case .taken(let link, let envelope): sendTaken(envelope, on: link)
        case .takeReceipts(let taking): takeReceipts(taking)
        case .tellDelivery(let conversation): turn.emit(.notify(.delivery(deliveryView(of: conversation))))
        case .announce: announce()
        case .refuse(let peer): refuse(peer)
        case .endLinks(let peer): endLinks(with: peer)
        case .deposit(let link, let deposit): send(.deposit(deposit), on: link)
        case .adopt(let replica):
            turn.emit(.adopt(replica))
            for link in links.ids { close(link, .renewed) }
        }
    }
}

extension PersistReceipt {
    /// The conversations in which messages that were shown are deleted, void, or removed (or are to be).
    ///
    /// - Parameter batch: what was written.
    fileprivate func conversations(losingMessagesBy batch: PersistBatch) -> Set<ConversationID> {
        var all = Set(floors.map(\.conversation)).union(voided.map(\.conversation))
        all.formUnion(changed.lazy.filter { $0.rich?.deletion != nil }.map(\.conversation))
        // Only the IDs of these are told: they are where something was applied or written.
        guard !withdrawn.isEmpty else { return all }
        all.formUnion(applied.map(\.conversation))
        all.formUnion((batch.events + batch.membership).map(\.header.conversation))
        return all.union(batch.branches.map(\.conversation))
    }
}
