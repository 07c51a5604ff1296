import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The peers that this node knows, what its user has decided about them, and which of them ask to talk (contacts.md,
/// verification.md).
///
/// - It owns the row of each peer, the index of visible names, and which peers this node has asked since it started.
/// - It takes decisions of the user, what peers say of themselves, and what other rooms keep in the rows.
/// - It returns the fact `accepted`, and which peers are shown by another name since another peer's name changed.
///
/// A row is written with the next batch once `turn.save` names its peer. What is learnt of strangers is not written.
/// The caller says whether a peer `isKept`, since that depends on the groups.
struct Contacts: Equatable, Sendable {
    private var records: SortedTable<PeerID, PeerRecord> = [:]
    private var visibleNames = VisibleNames()
    /// The peers whose names or trust may have changed, and that nobody has looked at yet.
    private var changed: Set<PeerID> = []
    /// The peers whose rows have a request.
    private(set) var asking: Set<PeerID> = []
    /// The peers that were asked to talk since this node started and have not answered.
    private var asked: Set<PeerID> = []
    private(set) var parted = PartedStrangers()

    init(_ records: [PeerRecord] = []) {
        for record in records { put(record) }
        _ = (takeRenamed(), takeChanged())
    }

    subscript(peer: PeerID) -> PeerRecord? { records[peer] }

    var count: Int { records.count }

    /// All rows, in the order of their IDs.
    var all: [PeerRecord] { records.values }

    /// The IDs of all rows, in order.
    var ids: [PeerID] { Array(records.keys) }

    /// The peers whose IDs begin with a prefix, in order.
    func known(by prefix: String) -> [PeerID] { records.keys.filter { $0.matches(prefix: prefix) } }

    /// `nil` if the peer is not known.
    func trust(in peer: PeerID) -> Trust? { records.keys.place(of: peer).map { records.values[$0].trust } }

    func isAccepted(_ peer: PeerID) -> Bool { trust(in: peer)?.isAccepted == true }

    func isBlocked(_ peer: PeerID) -> Bool { trust(in: peer) == .blocked }

    func wasAsked(_ peer: PeerID) -> Bool { asked.contains(peer) }

    private mutating func put(_ record: PeerRecord) {
        visibleNames.change(record.id, to: record, in: records)
        records[record.id] = record
        changed.insert(record.id)
        noteRequest(of: record.id)
    }

    /// Removes and returns the peers whose shown names have changed and of whom nobody was told yet, in order.
    mutating func takeRenamed() -> [PeerID] {
        let renamed = visibleNames.takeRenamed()
        changed.formUnion(renamed)
        return renamed
    }

    /// Removes and returns the peers of which the directory may say something else now.
    mutating func takeChanged() -> Set<PeerID> {
        defer { changed = [] }
        return changed
    }

    private mutating func setRequest(_ request: RequestRecord?, of peer: PeerID) {
        records[peer]?.request = request
        noteRequest(of: peer)
    }

    private mutating func noteRequest(of peer: PeerID) {
        if records[peer]?.request != nil { asking.insert(peer) } else { asking.remove(peer) }
    }

    // Links, and what peers say of themselves.

    /// Notes an opened link with a peer.
    ///
    /// - Parameters:
    ///   - signedAddresses: where the peer says that it takes links.
    mutating func linkOpened(_ opened: LinkOpened, signedAddresses: [UInt8]?, _ turn: inout Turn) {
        var record = records[opened.peer] ?? PeerRecord(id: opened.peer)
        record.signedAddresses = signedAddresses
        put(record)
        noParting(of: opened.peer, &turn)
    }

    /// Remembers the start of a replica with which a welcome peer is linked (identity.md, "Epoch").
    mutating func met(_ link: Link, _ conversations: Conversations, _ turn: inout Turn) {
        guard var record = records[link.peer], link.epoch > record.epochs[link.replica] ?? 0 else { return }
        record.epochs[link.replica] = link.epoch
        record.dropEpochs(besides: link.replica, conversations)
        put(record)
        turn.save(link.peer, lazily: true)
    }

    /// Notes when something last came from a peer.
    mutating func wasSeen(_ peer: PeerID, _ moment: Instant) { records[peer]?.wasSeen(moment.wall) }

    /// Puts an address that worked first, to be tried again.
    ///
    /// - Returns: whether it differs from the latest one.
    mutating func wasReached(_ peer: PeerID, at endpoint: Endpoint) -> Bool {
        guard var record = records[peer], record.addresses.first != endpoint else { return false }
        let others = record.addresses.filter { $0 != endpoint }
        record.addresses = Array(([endpoint] + others).prefix(Limits.addressesPerPeer))
        put(record)
        return true
    }

    /// Takes the name that a peer announces, cut to the limits.
    ///
    /// - Returns: whether the row changed.
    mutating func heard(_ name: String, of peer: PeerID) -> Bool {
        guard let before = records[peer] else { return false }
        var record = before
        let shown = name.withoutControlCharacters.prefix(utf8: Limits.nameBytes).trimmed
        if !shown.isBlank { record.announcedName = shown }
        if record.isAccepted && (record.pinnedName ?? "").isEmpty { record.pinnedName = shown }
        guard record != before else { return false }
        put(record)
        return true
    }

    /// Remembers members of a group, each by the name in its addition until it announces one. Who is new is stored.
    mutating func remember(_ members: [Conversation.NamedMember], _ turn: inout Turn) {
        for member in members {
            let before = records[member.peer]
            var record = before ?? PeerRecord(id: member.peer)
            if record.announcedName.isEmpty, let name = member.name { record.announcedName = name.trimmed }
            if member.isNew || record != before { turn.save(member.peer) }
            guard record != before else { continue }
            if let before, displayName(of: before) != displayName(of: record) { visibleNames.noteRenamed(member.peer) }
            put(record)
        }
    }

    /// Whether the user has decided or noted nothing about the peer, and it asks for nothing.
    func isStranger(_ peer: PeerID, _ now: Instant) -> Bool {
        guard let record = records[peer] else { return false }
        return record.trust == .unknown && record.request == nil && record.alias == nil
            && !wasJustDeclined(record, now)
    }

    mutating func drop(_ peer: PeerID) {
        visibleNames.change(peer, to: nil, in: records)
        records[peer] = nil
        changed.insert(peer)
        noteRequest(of: peer)
        asked.remove(peer)
        parted.remove(peer)
    }

    /// Notes that a stranger is neither linked nor in sight any more.
    ///
    /// - Returns: the stranger to forget at once, because too many have left.
    mutating func strangerLeft(_ peer: PeerID, _ turn: inout Turn) -> PeerID? {
        let surplus = parted.add(peer, at: turn.now.monotonic)
        turn.deadlines[.strangers] = parted.next
        return surplus
    }

    /// Notes that a peer is here again, or no stranger any more.
    private mutating func noParting(of peer: PeerID, _ turn: inout Turn) {
        parted.remove(peer)
        turn.deadlines[.strangers] = parted.next
    }

    /// - Returns: the strangers that left long enough ago to be forgotten.
    mutating func strangersDue(_ turn: inout Turn) -> [PeerID] {
        let due = parted.takeDue(at: turn.now.monotonic)
        turn.deadlines[.strangers] = parted.next
        return due
    }

    // Decisions of the user.

    /// Accepts a peer and pins the name it goes by.
    mutating func accept(_ peer: PeerID, _ turn: inout Turn) -> [Fact] {
        guard var record = records[peer] else { return [] }
        if !record.isAccepted { record.trust = .accepted }
        (record.declined, record.trustBefore) = (nil, nil)
        if record.pinnedName == nil { record.pinnedName = record.announcedName }
        put(record)
        noParting(of: peer, &turn)
        turn.save(peer)
        return [.accepted(peer)]
    }

    /// Drops a request without telling anybody. What the peer asks within a day is ignored.
    mutating func decline(_ peer: PeerID, _ turn: inout Turn) {
        setRequest(nil, of: peer)
        records[peer]?.declined = turn.now.wall
        turn.save(peer)
    }

    mutating func block(_ peer: PeerID, _ turn: inout Turn) {
        guard var record = records[peer] else { return }
        if record.trust != .blocked { record.trustBefore = record.trust }
        record.trust = .blocked
        (record.request, record.hours) = (nil, SeenHours())
        record.answerGiven = nil
        put(record)
        turn.save(peer)
    }

    /// Restores the trust from before the peer was blocked, but not a request it had then.
    mutating func unblock(_ peer: PeerID, _ turn: inout Turn) {
        guard var record = records[peer] else { return }
        record.trust = record.trustBefore ?? .unknown
        record.trustBefore = nil
        put(record)
        turn.save(peer)
    }

    mutating func setVerified(_ isVerified: Bool, _ peer: PeerID, _ turn: inout Turn) {
        records[peer]?.trust = isVerified ? .verified : .accepted
        changed.insert(peer)
        turn.save(peer)
    }

    mutating func setCourier(_ isCourier: Bool, _ peer: PeerID, _ turn: inout Turn) {
        records[peer]?.isCourier = isCourier
        turn.save(peer)
    }

    mutating func setAlias(_ alias: String?, of peer: PeerID, _ turn: inout Turn) {
        guard var record = records[peer] else { return }
        record.alias = alias
        put(record)
        turn.save(peer)
    }

    /// Forgets everything about a peer except its announced name and epochs.
    mutating func forget(_ peer: PeerID, _ turn: inout Turn) {
        guard let before = records[peer] else { return }
        var record = PeerRecord(id: peer)
        record.announcedName = before.announcedName
        record.epochs = before.epochs
        put(record)
        turn.save(peer)
    }

    // Requests to talk, and answers.

    /// Notes that a request went out to the peer.
    mutating func ask(_ peer: PeerID) {
        if records[peer] != nil { asked.insert(peer) }
    }

    /// Whether a signed answer has to be made for the peer: it has a request, or was never answered.
    func needsAnswer(_ peer: PeerID) -> Bool { records[peer]?.request != nil || records[peer]?.answerGiven == nil }

    /// Accepts a request. The answer is signed once, kept, and sent whenever a link is up.
    mutating func answer(_ peer: PeerID, with answer: [UInt8], _ turn: inout Turn) {
        setRequest(nil, of: peer)
        records[peer]?.answerGiven = answer
        turn.save(peer)
    }

    /// Takes a request to talk from a peer that is not accepted. Only one is kept for each peer; further ones, and any
    /// within a day of a decline, are ignored.
    ///
    /// - Returns: whether the request is new.
    mutating func requested(by peer: PeerID, _ preview: String, from host: String, _ turn: inout Turn) -> Bool {
        guard let record = records[peer], record.trust == .unknown, record.request == nil,
            !wasJustDeclined(record, turn.now), hasRoom(forRequestFrom: host, &turn)
        else { return false }
        let shown = preview.withoutControlCharacters
        setRequest(RequestRecord(preview: shown, time: turn.now.wall, host: host), of: peer)
        turn.save(peer)
        return true
    }

    /// Whether a request of the peer was declined less than a day ago. No if the clock was set back to before that.
    private func wasJustDeclined(_ record: PeerRecord, _ now: Instant) -> Bool {
        guard let declined = record.declined else { return false }
        let age = now.wall.subtractingReportingOverflow(declined)
        return !age.overflow && (0..<Limits.declinedMilliseconds).contains(age.partialValue)
    }

    /// Whether the quotas allow one more request. If the total is used up, drops the oldest request from the address
    /// that has the most.
    private mutating func hasRoom(forRequestFrom host: String, _ turn: inout Turn) -> Bool {
        let waiting = records.values.compactMap { record in record.request.map { (record.id, $0) } }
        guard waiting.filter({ $0.1.host == host }).count < Limits.requestsPerAddress else { return false }
        guard waiting.count >= Limits.requests else { return true }
        let byHost = Dictionary(grouping: waiting, by: \.1.host)
        let fullest = byHost.max { ($0.value.count, $0.key) < ($1.value.count, $1.key) }?.value ?? []
        guard let oldest = fullest.min(by: { ($0.1.time, $0.0) < ($1.1.time, $1.0) }) else { return false }
        setRequest(nil, of: oldest.0)
        turn.save(oldest.0)
        return true
    }

    /// Notes that the peer answered on a link.
    mutating func wasAnswered(by peer: PeerID) { asked.remove(peer) }

    /// Keeps the signed answer of a peer.
    mutating func keepAnswer(_ answer: [UInt8], of peer: PeerID, _ turn: inout Turn) {
        records[peer]?.answerReceived = answer
        turn.save(peer)
    }

    // Refusals.

    /// Records that the peer refuses this node's log through a sequence.
    ///
    /// - Returns: whether that is new.
    mutating func refused(by peer: PeerID, through sequence: UInt64, _ turn: inout Turn) -> Bool {
        // This is an answer too.
        asked.remove(peer)
        guard sequence > 0, let record = records[peer], record.refusedThrough != sequence else { return false }
        records[peer]?.refusedThrough = sequence
        turn.save(peer)
        return true
    }

    /// - Returns: whether the peer had refused anything.
    mutating func refusalEnded(by peer: PeerID, _ turn: inout Turn) -> Bool {
        guard records[peer]?.refusedThrough != nil else { return false }
        records[peer]?.refusedThrough = nil
        turn.save(peer)
        return true
    }

    // Columns of other rooms.

    mutating func keepAddresses(_ signed: [UInt8]?, of peer: PeerID) { records[peer]?.signedAddresses = signed }

    mutating func keepPrekeys(_ prekeys: [UInt8], of peer: PeerID, lazily: Bool, _ turn: inout Turn) {
        records[peer]?.prekeys = prekeys
        turn.save(peer, lazily: lazily)
    }

    mutating func keepDeposits(_ deposits: [DepositRecord], for peer: PeerID, _ turn: inout Turn) {
        records[peer]?.deposits = deposits
        turn.save(peer)
    }

    /// Resets a row to what is on disk after a batch failed. If nothing is on disk, only what the peer showed of itself
    /// stays.
    ///
    /// - Returns: the row; `nil` if the peer is unknown.
    mutating func takeBack(_ peer: PeerID, _ durable: PeerRecord?) -> PeerRecord? {
        let current = records[peer]
        guard var record = durable ?? current.map({ PeerRecord(seen: $0) }) else { return nil }
        // Keep the present values: if the clock was set back, the newer time may be smaller.
        if let current { (record.lastSeen, record.hours) = (current.lastSeen ?? record.lastSeen, current.hours) }
        put(record)
        return record
    }

    // Names.

    /// Whether a name of a peer is a word that the program uses itself.
    func isReserved(_ name: String, of peer: PeerID) -> Bool { visibleNames.isReserved(name, of: peer) }

    /// Whether another peer has an alias or pinned name that looks the same.
    func isTaken(_ name: String, byOtherThan peer: PeerID) -> Bool {
        visibleNames.isTaken(name, byOtherThan: peer)
    }

    /// The peers that a typed name, alias or prefix of a peer ID may mean, and how they match it.
    ///
    /// If only strangers have the name, an accepted peer whose name differs from it by accents may be meant as well: a
    /// stranger chooses a name, and must not get the messages of somebody whose accents nobody types.
    func matches(of typed: String) -> (match: NameMatch, peers: [PeerID]) {
        let who = typed.trimmed
        if let exact = PeerID(text: who) { return (.anyCase, records[exact] == nil ? [] : [exact]) }
        guard !who.isEmpty else { return (.anyCase, []) }
        let byID = known(by: who)
        if !byID.isEmpty {
            // If the text matches an ID, announced and pinned names do not count, only aliases.
            let form = NameMatch.anyCase.form(who)
            let byAlias = records.values.filter { $0.alias.map { NameMatch.anyCase.form($0) == form } == true }
            return (.anyCase, Set(byID + byAlias.map(\.id)).sorted())
        }
        let candidates = visibleNames.candidates(for: who).sorted()
        guard let closest = NameMatch.closest(who, among: candidates, names: allNames) else { return (.anyCase, []) }
        guard closest.found.allSatisfy(isNamedByItself) else { return (closest.match, closest.found) }
        let accepted = candidates.filter(isAccepted)
        let alike = NameMatch.closest(who, among: accepted, names: allNames)?.found ?? []
        return (closest.match, (closest.found + alike).sorted())
    }
}
