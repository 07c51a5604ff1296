import ParlanceSodium
import ParlanceWire

/// Messages for absent peers, left with couriers (couriers.md).
///
/// - It owns this node's prekeys, the envelopes kept for others, and the pending requests to couriers on each link.
/// - It takes what peers deposit, take and answer, what is sealed, and which links close.
/// - It returns the fact `depositRefused`. Its other methods answer their caller.
///
/// The bytes of envelopes are only in the store; this type knows their owners and sizes.
struct Couriers: Equatable, Sendable {
    private var keySource: KeySource
    /// How long this node has run, over all its starts. The age of keys is counted by it: it does not jump as the wall
    /// clock does.
    private let runningTime: RunningTime
    /// This node's keys, to which others seal messages while it is away.
    private var prekeys: [PrekeyID: OwnPrekey]
    /// How far the clock was ahead when keys were made that had to be replaced since this start, in milliseconds.
    private var clockWentBack: Int64?
    /// Envelopes that are kept for others.
    private var carried: [EnvelopeID: EnvelopeRecord]
    /// The state of each link with pending requests; other links have no entry.
    private var desks: [LinkID: Desk] = [:]

    private struct Desk: Equatable {
        /// Envelopes that the peer was asked to keep and has not answered for.
        var asked: [EnvelopeID: PendingDeposit] = [:]
        /// Recipients for whom the peer declined to keep envelopes.
        var declined: Set<PeerID> = []
        /// The envelope that is being handed over to the peer.
        var handingOver: EnvelopeID?
        /// Those for which the peer had no room.
        var postponed: Set<EnvelopeID> = []
    }

    init(entropy: SecretBytes, _ stored: StoredTables, _ runningTime: RunningTime) {
        keySource = KeySource(entropy: entropy)
        self.runningTime = runningTime
        prekeys = stored.prekeys
        carried = stored.envelopes
    }

    /// In the order of their IDs.
    var keptPrekeys: [OwnPrekey] { prekeys.values.sorted { $0.id < $1.id } }
    var keptEnvelopes: [EnvelopeRecord] { carried.values.sorted { $0.id < $1.id } }

    /// Resets the tables to what is on disk after a batch failed.
    mutating func takeBack(_ stored: StoredTables) {
        prekeys = stored.prekeys
        carried = stored.envelopes
    }

    /// What is kept for a depositor.
    func cost(of peer: PeerID) -> PeerCost {
        PeerCost(carried: carried.values.reduce(0) { $0 + ($1.depositor == peer ? $1.weight : 0) })
    }

    // Prekeys of this node.

    /// Returns the secret for one envelope.
    mutating func newSecret() -> SecretBytes { keySource.next() }

    /// Makes missing keys for a peer.
    ///
    /// - Returns: whether any key was made.
    mutating func renewPrekeys(for peer: PeerID, _ turn: inout Turn) -> Bool {
        let hadDaily = !renewDailyPrekey(&turn)
        var made: [OwnPrekey] = []
        let own = prekeys.values.count { $0.peer == peer && !isAhead($0, turn.now) }
        for _ in min(own, Limits.oneTimePrekeys)..<Limits.oneTimePrekeys {
            made.append(contentsOf: newPrekey(peer, turn.now))
        }
        return keep(made, &turn) || !hadDaily
    }

    /// Makes a daily key, unless there is a fresh one.
    ///
    /// - Returns: whether one was made.
    @discardableResult
    mutating func renewDailyPrekey(_ turn: inout Turn) -> Bool {
        clockWentBack = howFarClockWentBack(turn.now)
        guard !hasFreshPrekey(turn.now) else { return false }
        return keep(newPrekey(nil, turn.now), &turn)
    }

    private mutating func keep(_ made: [OwnPrekey], _ turn: inout Turn) -> Bool {
        guard !made.isEmpty else { return false }
        for key in made { prekeys[key.id] = key }
        turn.batch.rows.prekeys += made
        scheduleErasure(&turn)
        return true
    }

    private mutating func newPrekey(_ peer: PeerID?, _ now: Instant) -> [OwnPrekey] {
        guard let key = try? OwnPrekey(secret: keySource.next(), made: now.wall, born: ran(now), peer: peer) else {
            broken("every secret of the source gives a key")
            return []
        }
        return [key]
    }

    private func hasFreshPrekey(_ now: Instant) -> Bool {
        prekeys.values.contains { $0.peer == nil && isFresh($0, now) }
    }

    /// How long this node has run, in milliseconds.
    func ran(_ now: Instant) -> Int64 { runningTime.total(at: now) }

    private func isFresh(_ key: OwnPrekey, _ now: Instant) -> Bool {
        (-Limits.clockSkewMilliseconds..<Limits.prekeyMilliseconds).contains(now.wall - key.made)
    }

    /// Whether a key has a creation time in the future: the clock was ahead when it was made, or is behind now. Nobody
    /// seals to it until then; what was sealed to it can be opened.
    private func isAhead(_ key: OwnPrekey, _ now: Instant) -> Bool {
        key.made - now.wall > Limits.clockSkewMilliseconds
    }

    /// How far the clock was once ahead of now, in milliseconds, as the node's own keys show; `nil` if they show
    /// nothing, or have been replaced before this start.
    func howFarClockWentBack(_ now: Instant) -> Int64? {
        let ahead = hasFreshPrekey(now) ? [] : prekeys.values.filter { isAhead($0, now) }
        let shown = ahead.map(\.made).max().map { $0 - now.wall }
        return [clockWentBack, shown].compactMap { $0 }.max()
    }

    /// The keys for a peer: the daily key, and the one-time keys made for this peer, the oldest first.
    func prekeys(for peer: PeerID, _ now: Instant) -> (daily: OwnPrekey, oneTime: ArraySlice<OwnPrekey>)? {
        let daily = prekeys.values.filter { $0.peer == nil && isFresh($0, now) }
        guard let newest = daily.max(by: { ($0.made, $0.id) < ($1.made, $1.id) }) else { return nil }
        let own = prekeys.values.filter { $0.peer == peer && !isAhead($0, now) }.sorted {
            ($0.made, $0.id) < ($1.made, $1.id)
        }
        return (newest, own.prefix(Limits.oneTimePrekeys))
    }

    func prekey(_ id: PrekeyID) -> OwnPrekey? { prekeys[id] }

    mutating func erasePrekeys(_ ids: [PrekeyID], _ turn: inout Turn) {
        for id in ids.sorted() where prekeys.removeValue(forKey: id) != nil {
            turn.batch.rows.erasedPrekeys.append(id)
            turn.batch.isUrgent = true
        }
    }

    // Envelopes that are kept for others.

    func isCarried(_ id: EnvelopeID) -> Bool { carried[id] != nil }

    func recipient(of id: EnvelopeID) -> PeerID? { carried[id]?.recipient }

    /// Whether a peer and this node carry envelopes for each other: the user has made the peer a courier, or the link
    /// was opened with a workspace key.
    func carries(for link: Link, _ people: People) -> Bool {
        guard !link.closing, link.helloReceived, people.exchanges(with: link.peer) else { return false }
        return link.workspaceTag != nil || people.record(of: link.peer)?.isCourier == true
    }

    /// Takes an envelope that a peer deposits.
    ///
    /// - Parameter replaced: an envelope of the same peer for the same recipient that this one replaces.
    mutating func deposit(
        _ envelope: StoredEnvelope,
        replacing replaced: EnvelopeID?,
        on link: Link,
        _ people: People,
        _ turn: inout Turn
    ) -> [Fact] {
        let record = envelope.record
        if carried[record.id]?.depositor == link.peer {
            turn.whenDurable(.deposited(link.id, record.id))
            return []
        }
        let replaced = replaced.flatMap { carried[$0] }
            .flatMap { $0.depositor == link.peer && $0.recipient == record.recipient ? $0 : nil }
        guard carries(for: link, people), record.recipient != people.own, record.recipient != link.peer,
            people.exchanges(with: record.recipient), carried[record.id] == nil,
            hasRoom(for: record, besides: replaced, turn.now)
        else { return [.depositRefused(on: link.id, record.id)] }
        invariant(record.depositor == link.peer, "the peer of the link is the depositor")
        carried[record.id] = record
        turn.batch.rows.envelopes.append(envelope)
        if let replaced { eraseEnvelopes([replaced.id], &turn) }
        invariant(
            carried.values.reduce(0) { $0 + $1.weight } <= Limits.carriedBytes,
            "the envelopes fit the limit of a courier"
        )
        invariant(cost(of: link.peer).carried <= Limits.depositorBytes, "the envelopes of a peer fit its limit")
        turn.whenDurable(.deposited(link.id, record.id))
        scheduleErasure(&turn)
        return []
    }

    private func hasRoom(for record: EnvelopeRecord, besides replaced: EnvelopeRecord?, _ now: Instant) -> Bool {
        let latest = now.wall + Limits.envelopeMilliseconds + Limits.prekeyMilliseconds
        guard record.expires > now.wall, record.expires <= latest else { return false }
        let others = carried.values.filter { $0.id != replaced?.id }
        let ofDepositor = others.filter { $0.depositor == record.depositor }
        return ofDepositor.reduce(record.weight) { $0 + $1.weight } <= Limits.depositorBytes
            && others.reduce(record.weight) { $0 + $1.weight } <= Limits.carriedBytes
    }

    /// Chooses the next envelope to hand over to the peer of a link, one at a time.
    ///
    /// - Parameters:
    ///   - durable: envelopes on disk; others cannot be read yet.
    ///   - isAgain: whether the present handover failed, so the envelope can be handed over again, as can those that were
    ///     postponed.
    mutating func handOver(
        on link: Link,
        _ durable: [EnvelopeID: EnvelopeRecord],
        isAgain: Bool,
        _ people: People
    ) -> EnvelopeID? {
        if isAgain {
            desks[link.id]?.handingOver = nil
            desks[link.id]?.postponed = []
        }
        guard !link.closing, beingHandedOver(on: link.id) == nil, people.exchanges(with: link.peer) else { return nil }
        let waiting = kept(for: link.peer, durable)
        let postponed = desks[link.id]?.postponed ?? []
        guard let next = waiting.first(where: { !postponed.contains($0) }) else { return nil }
        desks[link.id, default: Desk()].handingOver = next
        return next
    }

    /// The durable envelopes for a peer, in order.
    func kept(for peer: PeerID, _ durable: [EnvelopeID: EnvelopeRecord]) -> [EnvelopeID] {
        carried.values.filter { $0.recipient == peer && durable[$0.id] != nil }.map(\.id).sorted()
    }

    func beingHandedOver(on link: LinkID) -> EnvelopeID? { desks[link]?.handingOver }

    /// Drops an envelope that is no longer on disk or cannot be read; another one can be handed over then.
    mutating func dropBroken(_ envelope: EnvelopeID, on link: LinkID, _ turn: inout Turn) {
        desks[link]?.handingOver = nil
        eraseEnvelopes([envelope], &turn)
    }

    /// The recipient has no room now for what is in an envelope.
    ///
    /// - Returns: whether it is the one that is being handed over.
    mutating func postpone(_ envelope: EnvelopeID, on link: Link) -> Bool {
        guard beingHandedOver(on: link.id) == envelope else { return false }
        desks[link.id]?.handingOver = nil
        desks[link.id]?.postponed.insert(envelope)
        return true
    }

    /// Erases an envelope whose content the recipient has.
    mutating func taken(_ envelope: EnvelopeID, on link: Link, _ turn: inout Turn) {
        if carried[envelope]?.recipient == link.peer { eraseEnvelopes([envelope], &turn) }
        // The envelope may have expired or been replaced meanwhile: the next one can be handed over in any case.
        if beingHandedOver(on: link.id) == envelope { desks[link.id]?.handingOver = nil }
    }

    /// Erases what is kept for somebody who is not accepted any more and, of one who is blocked, what it has deposited.
    mutating func free(_ peer: PeerID, isBlocked: Bool, _ turn: inout Turn) {
        let freed = carried.values.filter { $0.recipient == peer || isBlocked && $0.depositor == peer }
        eraseEnvelopes(freed.map(\.id), &turn)
    }

    /// Erases what is kept for those whom the workspace has left out, and what they have deposited.
    mutating func freeLeftOut(_ people: People, _ turn: inout Turn) {
        let freed = carried.values.filter { people.isRemoved($0.recipient) || people.isRemoved($0.depositor) }
        eraseEnvelopes(freed.map(\.id), &turn)
    }

    private mutating func eraseEnvelopes(_ ids: [EnvelopeID], _ turn: inout Turn) {
        for id in ids.sorted() where carried.removeValue(forKey: id) != nil {
            turn.batch.rows.erasedEnvelopes.append(id)
            turn.batch.isUrgent = true
        }
    }

    // Envelopes of this node that others keep.

    /// Whether an envelope for a peer may be deposited over a link.
    func mayTake(_ link: Link, for peer: PeerID, _ links: Links, _ people: People) -> Bool {
        link.peer != peer && carries(for: link, people) && links.main(of: link.peer)?.id == link.id
            && desks[link.id]?.declined.contains(peer) != true
    }

    /// The links on which to deposit messages for a peer: those of couriers that hold an older part, and of new
    /// couriers.
    ///
    /// - Parameters:
    ///   - known: what couriers hold for the peer.
    ///   - through: the last sequence that waits.
    func chosen(
        for peer: PeerID,
        _ known: [DepositRecord],
        through: UInt64,
        _ links: Links,
        _ people: People
    ) -> [Link] {
        let asked = links.values.filter { isAsked(on: $0.id, for: peer) }
        // A courier that has not answered yet may still accept, so it counts as a holder.
        let holders = Set(known.map(\.courier) + asked.map(\.peer.bytes))
        var places = Limits.couriers - holders.count
        var chosen: [Link] = []
        for link in links.values.sorted(by: { $0.peer < $1.peer }) {
            guard mayTake(link, for: peer, links, people), !isAsked(on: link.id, for: peer) else { continue }
            if let held = known.first(where: { $0.courier == link.peer.bytes }) {
                if held.through < through { chosen.append(link) }
            } else if places > 0 {
                places -= 1
                chosen.append(link)
            }
        }
        return chosen
    }

    private func isAsked(on link: LinkID, for peer: PeerID) -> Bool {
        desks[link]?.asked.values.contains { $0.recipient == peer } == true
    }

    mutating func ask(_ link: LinkID, toKeep envelope: EnvelopeID, _ deposit: PendingDeposit) {
        desks[link, default: Desk()].asked[envelope] = deposit
    }

    /// Takes a courier's answer.
    ///
    /// - Returns: what it was asked to keep; `nil` if it was not asked.
    mutating func answered(_ envelope: EnvelopeID, isHeld: Bool, on link: LinkID) -> PendingDeposit? {
        guard let pending = desks[link]?.asked.removeValue(forKey: envelope) else { return nil }
        if !isHeld { desks[link]?.declined.insert(pending.recipient) }
        return pending
    }

    /// The peer's one-time keys that were used for envelopes that couriers hold or are asked to hold.
    func oneTimeUsed(for peer: PeerRecord) -> Set<[UInt8]> {
        let asked = desks.values.flatMap(\.asked.values).filter { $0.recipient == peer.id }
        return Set((asked.map(\.record) + peer.deposits).map(\.oneTime))
    }

    /// - Returns: the recipients of deposits on the link that were not answered.
    mutating func linkClosed(_ link: LinkID) -> Set<PeerID> {
        Set((desks.removeValue(forKey: link)?.asked.values.map(\.recipient)) ?? [])
    }

    // Erasing.

    /// Schedules the next moment at which a secret or an envelope expires.
    mutating func scheduleErasure(_ turn: inout Turn) {
        let ran = ran(turn.now)
        let secrets = prekeys.values.map(\.born).min().map {
            min($0 + Limits.prekeyKeptMilliseconds - ran, Limits.runningTimeNotedMilliseconds)
        }
        let envelopes = carried.values.map(\.expires).min().map { $0 - turn.now.wall }
        let next = [secrets, envelopes].compactMap { $0 }.min()
        turn.deadlines[.erasure] = next.map { turn.now.monotonic + max(0, $0) }
    }

    mutating func erasureDue(_ turn: inout Turn) {
        let ran = ran(turn.now)
        erasePrekeys(prekeys.values.filter { ran - $0.born >= Limits.prekeyKeptMilliseconds }.map(\.id), &turn)
        eraseEnvelopes(carried.values.filter { $0.expires <= turn.now.wall }.map(\.id), &turn)
        if !prekeys.isEmpty {
            // A node that writes nothing else would begin anew at each start.
            turn.batch.rows.ran = ran
            turn.batch.isUrgent = true
        }
        scheduleErasure(&turn)
    }
}

extension EnvelopeRecord {
    /// What the envelope counts for in quotas, in bytes.
    fileprivate var weight: Int { max(byteCount, Limits.envelopeLeastBytes) }
}
