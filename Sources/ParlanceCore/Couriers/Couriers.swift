import ParlanceSodium
import ParlanceWire

/// Messages for those who are away, left with peers that carry them (couriers.md).
///
/// - It owns the prekeys of this node, which envelopes it keeps for others, and what is asked of couriers on each link.
/// - It is told what peers deposit, take and answer, what is sealed, and which links close.
/// - It returns the fact `depositRefused`. Its other methods answer the procedure that calls them.
///
/// The bytes of envelopes are in the store only; this room knows whose they are and how much they take.
struct Couriers: Equatable, Sendable {
    private var keySource: KeySource
    /// Keys of this node, to which others seal what they write while it is away.
    private var prekeys: [PrekeyID: OwnPrekey]
    /// How far this machine's clock was ahead when keys were made that had to be replaced since this start.
    private var clockWentBack: Int64?
    /// Envelopes that are kept for others.
    private var carried: [EnvelopeID: EnvelopeRecord]
    /// What is under way on each link; a link on which nothing was has none.
    private var desks: [LinkID: Desk] = [:]

    private struct Desk: Equatable {
        /// Envelopes that the peer has been asked to keep and has not answered for.
        var asked: [EnvelopeID: PendingDeposit] = [:]
        /// For whom the peer does not keep envelopes.
        var declined: Set<PeerID> = []
        /// The envelope that the peer is being given.
        var handingOver: EnvelopeID?
    }

    init(entropy: SecretBytes, _ stored: StoredTables) {
        keySource = KeySource(entropy: entropy)
        prekeys = stored.prekeys
        carried = stored.envelopes
    }

    /// In the order of their IDs.
    var keptPrekeys: [OwnPrekey] { prekeys.values.sorted { $0.id < $1.id } }
    var keptEnvelopes: [EnvelopeRecord] { carried.values.sorted { $0.id < $1.id } }

    /// A batch failed: the tables are again as they are on disk.
    mutating func takeBack(_ stored: StoredTables) {
        prekeys = stored.prekeys
        carried = stored.envelopes
    }

    // Prekeys of this node.

    /// A secret for one envelope.
    mutating func newSecret() -> SecretBytes { keySource.next() }

    /// Makes the keys that a peer is to be given and that are not there.
    ///
    /// - Returns: whether there are keys that were not there before.
    mutating func renewPrekeys(for peer: PeerID, _ turn: inout Turn) -> Bool {
        clockWentBack = howFarClockWentBack(turn.now)
        erasePrekeys(ahead(turn.now).map(\.id), &turn)
        var made: [OwnPrekey] = []
        if !prekeys.values.contains(where: { $0.peer == nil && isFresh($0, turn.now) }) {
            made.append(contentsOf: newPrekey(nil, turn.now))
        }
        let own = prekeys.values.count { $0.peer == peer }
        for _ in min(own, Limits.oneTimePrekeys)..<Limits.oneTimePrekeys {
            made.append(contentsOf: newPrekey(peer, turn.now))
        }
        guard !made.isEmpty else { return false }
        for key in made { prekeys[key.id] = key }
        turn.batch.rows.prekeys += made
        scheduleErasure(&turn)
        return true
    }

    private mutating func newPrekey(_ peer: PeerID?, _ now: Instant) -> [OwnPrekey] {
        (try? OwnPrekey(secret: keySource.next(), made: now.wall, peer: peer)).map { [$0] } ?? []
    }

    private func isFresh(_ key: OwnPrekey, _ now: Instant) -> Bool {
        (-Limits.clockSkewMilliseconds..<Limits.prekeyMilliseconds).contains(now.wall - key.made)
    }

    /// Keys that say they are made later than now: this machine's clock was ahead. Nobody would seal to them until then, nor
    /// would they be erased in time.
    private func ahead(_ now: Instant) -> [OwnPrekey] {
        prekeys.values.filter { $0.made - now.wall > Limits.clockSkewMilliseconds }
    }

    /// How far this machine's clock was once ahead of what it says now, as its own keys show; `nil` if they show nothing.
    func howFarClockWentBack(_ now: Instant) -> Int64? {
        let shown = ahead(now).map(\.made).max().map { $0 - now.wall }
        return [clockWentBack, shown].compactMap { $0 }.max()
    }

    /// The keys that a peer is given: that of the day, and those that it alone uses, the oldest first.
    func prekeys(for peer: PeerID, _ now: Instant) -> (daily: OwnPrekey, oneTime: ArraySlice<OwnPrekey>)? {
        let daily = prekeys.values.filter { $0.peer == nil && isFresh($0, now) }
        guard let newest = daily.max(by: { ($0.made, $0.id) < ($1.made, $1.id) }) else { return nil }
        let own = prekeys.values.filter { $0.peer == peer }.sorted { ($0.made, $0.id) < ($1.made, $1.id) }
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

    /// Whether a peer carries envelopes for us and we for it: both say so, or the workspace does.
    func mayCarry(_ link: Link, _ people: People) -> Bool {
        guard !link.closing, link.helloReceived, people.isAccepted(link.peer) else { return false }
        return link.workspaceTag != nil || people.record(of: link.peer)?.isCourier == true
    }

    /// A peer leaves an envelope here.
    ///
    /// - Parameter replaced: an envelope of the same peer for the same recipient that this one takes the place of.
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
        guard mayCarry(link, people), record.recipient != people.own, record.recipient != link.peer,
            people.isAccepted(record.recipient), carried[record.id] == nil,
            hasRoom(for: record, besides: replaced, turn.now)
        else { return [.depositRefused(on: link.id, record.id)] }
        carried[record.id] = record
        turn.batch.rows.envelopes.append(envelope)
        if let replaced { eraseEnvelopes([replaced.id], &turn) }
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

    /// The next envelope that the peer of a link is to be given, one at a time.
    ///
    /// - Parameters:
    ///   - durable: envelopes on disk: any other one could not be read yet.
    ///   - isAgain: the one that the peer was being given was not taken.
    mutating func handOver(
        on link: Link,
        _ durable: [EnvelopeID: EnvelopeRecord],
        isAgain: Bool,
        _ people: People
    ) -> EnvelopeID? {
        if isAgain { desks[link.id]?.handingOver = nil }
        guard !link.closing, beingHandedOver(on: link.id) == nil, people.isAccepted(link.peer) else { return nil }
        let waiting = carried.values.filter { $0.recipient == link.peer && durable[$0.id] != nil }
        guard let next = waiting.map(\.id).min() else { return nil }
        desks[link.id, default: Desk()].handingOver = next
        return next
    }

    func beingHandedOver(on link: LinkID) -> EnvelopeID? { desks[link]?.handingOver }

    /// An envelope is not on disk any more, or cannot be read: the next one's turn comes.
    mutating func dropBroken(_ envelope: EnvelopeID, on link: LinkID, _ turn: inout Turn) {
        desks[link]?.handingOver = nil
        eraseEnvelopes([envelope], &turn)
    }

    /// The recipient has what is in an envelope.
    mutating func taken(_ envelope: EnvelopeID, on link: Link, _ turn: inout Turn) {
        if carried[envelope]?.recipient == link.peer { eraseEnvelopes([envelope], &turn) }
        // It may have expired, or been replaced, while the peer was taking it: the next one's turn comes all the same.
        if beingHandedOver(on: link.id) == envelope { desks[link.id]?.handingOver = nil }
    }

    private mutating func eraseEnvelopes(_ ids: [EnvelopeID], _ turn: inout Turn) {
        for id in ids.sorted() where carried.removeValue(forKey: id) != nil {
            turn.batch.rows.erasedEnvelopes.append(id)
            turn.batch.isUrgent = true
        }
    }

    // Envelopes of this node that others keep.

    /// Whether a deposit for somebody may go over a link.
    func mayTake(_ link: Link, for peer: PeerID, _ links: Links, _ people: People) -> Bool {
        link.peer != peer && mayCarry(link, people) && links.main(of: link.peer)?.id == link.id
            && desks[link.id]?.declined.contains(peer) != true
    }

    /// The links of those who are to get what waits for a peer: couriers that have an older part, and new ones.
    ///
    /// - Parameters:
    ///   - known: what couriers hold for the peer.
    ///   - through: the last event that waits.
    func chosen(
        for peer: PeerID,
        _ known: [DepositRecord],
        through: UInt64,
        _ links: Links,
        _ people: People
    ) -> [Link] {
        let asked = links.values.filter { isAsked(on: $0.id, for: peer) }
        // A courier that has not answered yet may hold it in the end.
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

    /// A courier has answered.
    ///
    /// - Returns: what it was asked to keep; `nil` if it was not asked.
    mutating func answered(_ envelope: EnvelopeID, isHeld: Bool, on link: LinkID) -> PendingDeposit? {
        guard let pending = desks[link]?.asked.removeValue(forKey: envelope) else { return nil }
        if !isHeld { desks[link]?.declined.insert(pending.recipient) }
        return pending
    }

    /// The one-time keys of a peer with which envelopes are sealed that couriers hold, or are asked to hold.
    func oneTimeUsed(for peer: PeerRecord) -> Set<[UInt8]> {
        let asked = desks.values.flatMap(\.asked.values).filter { $0.recipient == peer.id }
        return Set((asked.map(\.record) + peer.deposits).map(\.oneTime))
    }

    /// - Returns: for whom the peer of the link was asked to keep something and has not answered.
    mutating func linkClosed(_ link: LinkID) -> Set<PeerID> {
        Set((desks.removeValue(forKey: link)?.asked.values.map(\.recipient)) ?? [])
    }

    // Erasing.

    /// The next moment at which a secret or an envelope has served its time.
    mutating func scheduleErasure(_ turn: inout Turn) {
        let secrets = prekeys.values.map { $0.made + Limits.prekeyKeptMilliseconds }.min()
        let next = [secrets, carried.values.map(\.expires).min()].compactMap { $0 }.min()
        turn.deadlines[.erasure] = next.map { turn.now.monotonic + max(0, $0 - turn.now.wall) }
    }

    mutating func erasureDue(_ turn: inout Turn) {
        let now = turn.now.wall
        erasePrekeys(prekeys.values.filter { now - $0.made >= Limits.prekeyKeptMilliseconds }.map(\.id), &turn)
        eraseEnvelopes(carried.values.filter { $0.expires <= now }.map(\.id), &turn)
        scheduleErasure(&turn)
    }
}

extension EnvelopeRecord {
    /// What it counts for.
    fileprivate var weight: Int { max(byteCount, Limits.envelopeLeastBytes) }
}
