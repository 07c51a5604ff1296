package import ParlanceSodium
package import ParlanceWire

/// The node's mind: one synchronous value that turns facts into effects.
///
/// It owns every decision about delivery: what is held, who lacks what, who is dialled, what is told to whom. It has no
/// clock, no randomness, no tasks and no texts: moments and seeds come in as data, and events pass through it on their
/// way to the store. The rule that everything else rests on: nothing leaves this machine, and nobody else's event is
/// acknowledged, before it is durable here. So each conversation has two clocks, `held` and `durable`, and what must
/// wait for durability is kept with its batch until the store has answered.
///
/// What people see of the events (order, void events, withdrawals) is not decided here but by `Projector`, in the same
/// transaction that stores them.
package struct Engine: Equatable, Sendable {
    var presence: Presence
    var workspace: OwnWorkspace
    var conversations: Conversations
    var contacts = Contacts()
    var links = Links()
    var dialing = Dialing()
    var dialBacks = DialBacks()
    var addressBook = AddressBook()
    var couriers: Couriers
    /// What of small tables is on disk.
    var stored: StoredTables
    var turn: Turn

    /// - Parameters:
    ///   - snapshot: what the store knows at start.
    ///   - signer: the identity's key; its public key is the peer ID.
    ///   - listeningPort: where links are taken, told in `Hello`; 0 if nowhere.
    ///   - fixed: static addresses, always tried.
    ///   - acceptsMembers: whether members of the workspace are accepted by themselves.
    ///   - entropy: 32 random bytes, of which secret keys are made.
    ///   - seed: for jitter.
    package init(
        snapshot: EngineSnapshot,
        signer: SigningKey,
        identity: PeerID,
        replica: ReplicaID,
        listeningPort: UInt16,
        fixed: [Endpoint],
        acceptsMembers: Bool = true,
        entropy: SecretBytes,
        seed: UInt64,
        at now: Instant
    ) {
        let own = OwnNode(identity: identity, replica: replica, signer: signer, listeningPort: listeningPort)
        turn = Turn(own, seed: seed, at: now)
        stored = StoredTables(snapshot)
        presence = Presence(stored.profile, &turn)
        workspace = OwnWorkspace(stored.workspace, acceptsMembers: acceptsMembers)
        couriers = Couriers(entropy: entropy, stored)
        conversations = Conversations(snapshot, turn)
        contacts = Contacts(snapshot.peers)
        signUnsignedHeads(snapshot.logs)
        restoreAddresses()
        startDialing(fixed: fixed)
        workspace.schedule(&turn)
        couriers.scheduleErasure(&turn)
        presence.scheduleAway(&turn)
        turn.deadlines[.sweep] = turn.now.monotonic + Limits.sweepMilliseconds
    }

    /// What is to be done about a fact.
    package mutating func handle(_ input: Input, at now: Instant) -> [Effect] {
        turn.now = now
        switch input {
        case .sighted(let sighting): route(dialing.sighted(sighting, links, people, &turn))
        case .sightLost(let instance): route(dialing.sightLost(instance, people))
        case .networkChanged: dialing.networkChanged(links, people, &turn)
        case .ownAddresses(let addresses): route(addressBook.machineHas(addresses, port: turn.own.listeningPort))
        case .linkOpened(let opened): linkOpened(opened)
        case .frameReceived(let link, let frame, let bytes): frameReceived(frame, bytes: bytes, on: link)
        case .linkClosed(let link, let end): linkClosed(link, end)
        case .dialFailed(let dial, let failure): dialFailed(dial, failure)
        case .probed(let attempt, let failure): route(dialBacks.probed(attempt, failure: failure))
        case .commandGiven(let id, let command): carryOut(command, id)
        case .persisted(let batch, let receipt): persisted(batch, receipt)
        case .persistFailed(let batch, let reason): persistFailed(batch, reason: reason)
        case .eventsRead(let read, let events): eventsRead(read, events)
        case .envelopeRead(let read, let bytes): envelopeRead(read, bytes)
        case .readFailed(let read): readFailed(read)
        case .deadlinePassed: deadlinesPassed()
        }
        return turn.takeEffects()
    }

    /// Closes the batch that collects and hands it to the store, unless one is being written.
    ///
    /// The shell calls it when its inbox is drained, so that everything of one drain is one transaction.
    package mutating func flush(at now: Instant) -> [Effect] {
        turn.now = now
        closeBatch()
        return turn.takeEffects()
    }

    package var identity: PeerID { turn.own.identity }

    /// The copy that this node writes as. It changes when the node finds that its store was rolled back.
    package var replica: ReplicaID { turn.own.replica }

    /// This copy's log: the only one it ever writes.
    package var ownLog: LogID { turn.own.log }

    /// Logs whose messages are shown before what they refer to is here, since that has not come for long.
    package func overdueLogs(of id: ConversationID) -> Set<LogID> {
        conversations.overdueLogs(of: id, at: turn.now.monotonic)
    }

    /// Monotonic milliseconds of the moment at which `deadlinePassed` is wanted.
    package var nextDeadline: Int64? { turn.deadlines.next }

    /// Whether so much waits for the disk that the shell should not bring more.
    package var isSaturated: Bool { turn.batch.byteCount > 4 * Limits.windowBytes }

    /// Whether nothing is being written and nothing has to be.
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
            case .delivery(let conversation): turn.emit(.notify(.delivery(deliveryView(of: conversation))))
            case .waiting(let conversation): conversations.waitingDue(conversation, &turn)
            case .dial: dialing.due(links, people, &turn)
            case .away: route(presence.awayDue(&turn))
            case .workspaceKeys: route(workspace.keysDue(&turn))
            case .courier(let link): courierDue(link)
            case .deposit(let peer): depositDue(peer)
            case .erasure: couriers.erasureDue(&turn)
            case .dialBack: dialBacks.timedOut(&turn)
            case .sweep: sweepDue()
            case .keys(let link): keysDue(link)
            case .reread(let link): rereadDue(link)
            case .lazyRows: turn.batch.isUrgent = !turn.batch.isEmpty
            }
        }
    }
}
