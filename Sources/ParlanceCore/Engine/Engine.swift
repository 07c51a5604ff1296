import ParlanceRecords
package import ParlanceSodium
package import ParlanceWire

/// The core of the node: one synchronous value that turns inputs into effects.
///
/// It makes every decision about delivery: what is held, what each peer lacks, whom to dial, what to send. It has no
/// clock, no randomness, no tasks and no texts: times and seeds come in as data, and events pass through it on their
/// way to the store. Its basic rule: no event leaves this machine, and no event of others is acknowledged, before it is
/// durable here. Each conversation therefore has two clocks, `held` and `durable`, and what must wait for durability is
/// kept with its batch until the store has answered.
///
/// It does not decide what people see of the events (order, void events, withdrawals). `Projector` does, in the
/// transaction that stores them.
package struct Engine: Equatable, Sendable {
    var presence: Presence
    var workspace: OwnWorkspace
    var conversations: Conversations
    var contacts = Contacts()
    var links = Links()
    var lastClocks = LastClocks()
    var dialing = Dialing()
    var dialBacks = DialBacks()
    var addressBook = AddressBook()
    var couriers: Couriers
    var preferences: Preferences
    var transfers: Transfers
    var quotas: Quotas
    var backlogs = Backlogs()
    var pictures: Pictures
    /// The state of the small tables on disk.
    var stored: StoredTables
    var turn: Turn
    /// What is told of everybody and everything, as the inputs so far have left it.
    package internal(set) var directory: Directory
    /// Whether it has changed since the shell took it.
    var isDirectoryNew = true
    /// Those of whom the shell was told last, or knew at the start, that the workspace keeps them apart from the user.
    var keptApart: Set<PeerID> = []

    /// - Parameters:
    ///   - snapshot: what the store tells at start.
    ///   - signer: the identity's key; its public key is the peer ID.
    ///   - listeningPort: the port at which links are accepted, announced in `Hello`; 0 if none.
    ///   - fixed: static addresses, which are always tried.
    ///   - acceptsMembers: whether members of the workspace are accepted automatically.
    ///   - autoFetchBytes: the largest file that is fetched without being asked for; 0 if none is.
    ///   - fileRate: the most bytes of files a second to send, and to fetch; `nil`: no limit.
    ///   - authorDayBytes: the most bytes of events that are taken of one author into one conversation in a day; `nil`: no
    ///     limit.
    ///   - entropy: 32 random bytes, from which secret keys are derived.
    ///   - seed: the seed of random delays.
    package init(
        snapshot: EngineSnapshot,
        signer: SigningKey,
        identity: PeerID,
        replica: ReplicaID,
        listeningPort: UInt16,
        fixed: [Endpoint],
        acceptsMembers: Bool = true,
        autoFetchBytes: UInt64 = Limits.autoFetchBytes,
        fileRate: UInt64? = nil,
        authorDayBytes: UInt64? = Limits.authorDayBytes,
        entropy: SecretBytes,
        seed: UInt64,
        at now: Instant
    ) {
        let own = OwnNode(identity: identity, replica: replica, signer: signer, listeningPort: listeningPort)
        turn = Turn(own, seed: seed, at: now)
        stored = StoredTables(snapshot)
        directory = Directory(identity: identity, profile: stored.profile)
        presence = Presence(stored.profile)
        workspace = OwnWorkspace(stored.workspace, acceptsMembers: acceptsMembers)
        couriers = Couriers(entropy: entropy, stored, RunningTime(before: snapshot.ran, at: now))
        preferences = Preferences(stored.preferences)
        transfers = Transfers(
            stored.transfers,
            autoFetchBytes: autoFetchBytes,
            rate: fileRate,
            at: now.monotonic
        )
        quotas = Quotas(limit: authorDayBytes)
        pictures = Pictures(own: snapshot.ownPicture, snapshot.pictures)
        conversations = Conversations(snapshot, &turn)
        contacts = Contacts(snapshot.peers)
        signUnsignedHeads(snapshot.logs)
        restoreAddresses()
        sweepPictures()
        startDialing(fixed: fixed)
        workspace.schedule(&turn)
        workspace.considerRotation(links, &turn)
        _ = workspace.tells(workspaceView)
        couriers.scheduleErasure(&turn)
        scheduleSweep()
        takeOffers(snapshot.offers)
        transfers.schedule(&turn)
        beginDirectory()
        keptApart = findKeptApart()
    }

    /// Handles one input.
    package mutating func handle(_ input: Input, at now: Instant) -> [Effect] {
        invariant(now.monotonic >= turn.now.monotonic, "running time does not go back")
        turn.now = now
        switch input {
        case .sighted(let sighting): route(dialing.sighted(sighting, links, people, &turn))
        case .sightLost(let instance): route(dialing.sightLost(instance, people))
        case .networkChanged: dialing.networkChanged(links, people, &turn)
        case .machineAddresses(let addresses): machineHas(addresses)
        case .ownAddresses(let addresses, let inner): route(addressBook.listens(at: addresses, inner: inner, turn.own))
        case .linkOpened(let opened): linkOpened(opened)
        case .frameReceived(let link, let frame, let bytes): frameReceived(frame, bytes: bytes, on: link)
        case .linkClosed(let link, let end): linkClosed(link, end)
        case .linkStalled(let link, let milliseconds): linkStalled(link, for: milliseconds)
        case .linkAnswers(let link): linkAnswers(link)
        case .dialFailed(let dial, let failure): dialFailed(dial, failure)
        case .userSeen(let sight, let observer): route(presence.userSeen(sight, by: observer, &turn))
        case .probed(let attempt, let failure): route(dialBacks.probed(attempt, failure: failure))
        case .commandGiven(let id, let command): carryOut(command, id)
        case .persisted(let batch, let receipt): persisted(batch, receipt)
        case .persistFailed(let batch, let reason, let isFull): persistFailed(batch, reason: reason, isFull: isFull)
        case .eventsRead(let read, let events): eventsRead(read, events)
        case .envelopeRead(let read, let bytes): envelopeRead(read, bytes)
        case .readFailed(let read): readFailed(read)
        case .mentionRead(let read, let isNamed): mentionRead(read, isNamed)
        case .textsDamaged(let logs): textsDamaged(in: logs)
        case .shelf(let news): transfers.shelved(news, filePeers, &turn)
        case .settingsChanged(let fixed, let acceptsMembers, let autoFetch):
            settingsChanged(fixed: fixed, acceptsMembers: acceptsMembers)
            transfers.setAutoFetch(autoFetch)
        case .fileRateChanged(let rate): transfers.setRate(rate, filePeers, &turn)
        case .quotaChanged(let bytes): setQuota(bytes)
        case .behind(let peer): fellBehind(with: peer)
        case .deadlinePassed: deadlinesPassed()
        }
        for peer in contacts.takeRenamed() { tellPeer(peer) }
        updateDirectory()
        check()
        return turn.takeEffects()
    }

    /// Closes the collecting batch and hands it to the store, unless one is being written.
    ///
    /// The shell calls it after everything that it took out of its inbox at once, so that this is one transaction.
    package mutating func flush(at now: Instant) -> [Effect] {
        turn.now = now
        closeBatch()
        return turn.takeEffects()
    }

    /// What must hold after each input.
    private func check() {
        invariants {
            invariant(turn.deadlines.next.map { $0 >= 0 } ?? true, "a deadline is not negative")
            invariant(
                turn.batch.isUrgent || turn.deadlines[.lazyRows] != nil || turn.batch.hasOnlyConversations,
                "unsaved rows have a deadline"
            )
            for (conversation, unsigned) in turn.batch.unsigned {
                let events = turn.batch.rows.events
                invariant(events.indices.contains(unsigned.last), "an unsigned event is in the batch")
                invariant(
                    events[unsigned.last].header.conversation == conversation,
                    "a head is signed in its conversation"
                )
            }
        }
    }

    package var identity: PeerID { turn.own.identity }

    /// The replica that this node writes as. It changes when the node finds that its store was rolled back.
    package var replica: ReplicaID { turn.own.replica }

    /// The log of this replica, the only one that it writes.
    package var ownLog: LogID { turn.own.log }

    /// Logs whose messages are shown although events that they refer to have been missing for long.
    package func overdueLogs(of id: ConversationID) -> Set<LogID> {
        conversations.overdueLogs(of: id, at: turn.now.monotonic)
    }

    /// When the input `deadlinePassed` is due, in monotonic milliseconds.
    package var nextDeadline: Int64? { turn.deadlines.next }

    /// Whether so much waits for the disk that the shell should pause its inputs.
    package var isSaturated: Bool { turn.batch.byteCount > 4 * Limits.windowBytes }

    /// Whether nothing is being written or has to be written soon.
    package var isSettled: Bool { turn.writing == nil && !turn.batch.isUrgent }

    private mutating func deadlinesPassed() {
        for key in turn.deadlines.takeDue(at: turn.now.monotonic) {
            switch key {
            case .heartbeat(let link): heartbeatDue(link)
            case .silence(let link): links.silenceDue(link, &turn)
            case .idle(let link): idleDue(link)
            case .renewal(let link): renewalDue(link)
            case .offline(let peer): offlineDue(peer)
            case .typing(let peer): presence.typingEnded(peer, &turn)
            case .heal(let conversation): healDue(conversation)
            case .invite(let conversation): inviteDue(conversation)
            case .offer(let conversation): offerDue(conversation)
            case .receipts(let conversation): conversations.receiptsDue(conversation, links, &turn)
            case .handOn(let conversation): handOnDue(conversation)
            case .delivery(let conversation): turn.emit(.notify(.delivery(deliveryView(of: conversation))))
            case .waiting(let place): if conversations.waitingDue(place, &turn) { tellWaiting(in: [place]) }
            case .dial: dialing.due(links, people, &turn)
            case .away: route(presence.awayDue(&turn))
            case .workspaceKeys: route(workspace.keysDue(&turn))
            case .rotation: rotationDue()
            case .admission: admissionDue()
            case .requests: requestsDue()
            case .courier(let link): courierDue(link)
            case .deposit(let peer): depositDue(peer)
            case .erasure: couriers.erasureDue(&turn)
            case .dialBack: route(dialBacks.timedOut(&turn))
            case .sweep: sweepDue()
            case .strangers: strangersDue()
            case .keys(let link): keysDue(link)
            case .reread(let link): rereadDue(link)
            case .files: transfers.due(filePeers, &turn)
            case .fileRate: transfers.rateDue(filePeers, &turn)
            case .quotas: quotasDue()
            case .backlogs: backlogsDue()
            case .lazyRows: turn.batch.isUrgent = !turn.batch.isEmpty
            }
        }
    }
}
