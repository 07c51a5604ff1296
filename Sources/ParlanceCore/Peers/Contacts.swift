import ParlanceWire

/// The people that this node knows, what their user says of them, and who asks to talk (contacts.md, verification.md).
///
/// - It owns the row of each peer, the index of visible names, and whom this node has asked since it started.
/// - It is told what the user decides, what peers say of themselves, and what other rooms keep in the rows.
/// - It returns the fact `accepted`.
///
/// A row is written with the next batch once `turn.save` names its peer. What is learnt of strangers is not written: the caller
/// says whether a peer `isKept`, since that depends on the groups.
struct Contacts: Equatable, Sendable {
    private var records: [PeerID: PeerRecord] = [:]
    private var visibleNames = VisibleNames()
    /// Those whose rows have a request.
    private(set) var asking: Set<PeerID> = []
    /// Asked to talk since this node started, and they have not answered.
    private var asked: Set<PeerID> = []

    init(_ records: [PeerRecord] = []) {
        for record in records { put(record) }
    }

    subscript(peer: PeerID) -> PeerRecord? { records[peer] }

    var count: Int { records.count }

    /// All rows, in no order.
    var all: Dictionary<PeerID, PeerRecord>.Values { records.values }

    /// In order.
    var ids: [PeerID] { records.keys.sorted() }

    /// Peers whose IDs begin so, in order.
    func known(by prefix: String) -> [PeerID] { records.keys.filter { $0.matches(prefix: prefix) }.sorted() }

    /// `nil` if the peer is not known.
    func trust(in peer: PeerID) -> Trust? { records[peer]?.trust }

    func isAccepted(_ peer: PeerID) -> Bool { records[peer]?.isAccepted == true }

    func isBlocked(_ peer: PeerID) -> Bool { records[peer]?.trust == .blocked }

    func wasAsked(_ peer: PeerID) -> Bool { asked.contains(peer) }

    private mutating func put(_ record: PeerRecord) {
        visibleNames.change(record.id, from: records[record.id], to: record)
        records[record.id] = record
        noteRequest(of: record.id)
    }

    private mutating func setRequest(_ request: RequestRecord?, of peer: PeerID) {
        records[peer]?.request = request
        noteRequest(of: peer)
    }

    private mutating func noteRequest(of peer: PeerID) {
        if records[peer]?.request != nil { asking.insert(peer) } else { asking.remove(peer) }
    }

    // Coming and going.

    /// A link with the peer is up.
    ///
    /// - Parameters:
    ///   - signedAddresses: where the peer says that it takes links.
    ///   - isWelcome: whether links with it are wanted, so that the start of its copy is remembered.
    mutating func linkOpened(
        _ opened: LinkOpened,
        signedAddresses: [UInt8]?,
        isWelcome: Bool,
        _ conversations: Conversations,
        _ turn: inout Turn
    ) {
        var record = records[opened.peer] ?? PeerRecord(id: opened.peer)
        record.signedAddresses = signedAddresses
        if isWelcome && record.epochs[opened.replica] != opened.epoch {
            record.epochs[opened.replica] = opened.epoch
            record.dropEpochs(besides: opened.replica, conversations)
            turn.save(opened.peer, lazily: true)
        }
        put(record)
    }

    /// The last link with the peer is gone.
    mutating func wasSeen(_ peer: PeerID, _ now: Instant) {
        records[peer]?.lastSeen = now.wall
    }

    /// What worked once is tried again.
    ///
    /// - Returns: whether the address is another one than the latest.
    mutating func wasReached(_ peer: PeerID, at endpoint: Endpoint) -> Bool {
        guard var record = records[peer], record.addresses.first != endpoint else { return false }
        record.addresses.removeAll { $0 == endpoint }
        record.addresses.insert(endpoint, at: 0)
        record.addresses = Array(record.addresses.prefix(Limits.addressesPerPeer))
        put(record)
        return true
    }

    /// Takes the name that a peer says of itself, cut to the limits.
    ///
    /// - Returns: whether its row is another one now.
    mutating func heard(_ name: String, of peer: PeerID) -> Bool {
        guard let before = records[peer] else { return false }
        var record = before
        let shown = name.withoutControlCharacters.prefix(utf8: Limits.nameBytes)
        if !shown.isBlank { record.announcedName = shown }
        if record.isAccepted && (record.pinnedName ?? "").isEmpty { record.pinnedName = shown }
        guard record != before else { return false }
        put(record)
        return true
    }

    /// Members of groups are known from then on, by the name that those who added them use until they say their own.
    mutating func rememberMember(_ peer: PeerID, called name: String?, _ turn: inout Turn) {
        var record = records[peer] ?? PeerRecord(id: peer)
        if record.announcedName.isEmpty, let name { record.announcedName = name }
        guard record != records[peer] else { return }
        put(record)
        turn.save(peer)
    }

    /// Whether nobody has decided or noted anything of the peer, and it asks for nothing.
    func isStranger(_ peer: PeerID, _ now: Instant) -> Bool {
        guard let record = records[peer] else { return false }
        return record.trust == .unknown && record.request == nil && record.alias == nil
            && !wasJustDeclined(record, now)
    }

    mutating func drop(_ peer: PeerID) {
        visibleNames.change(peer, from: records[peer], to: nil)
        records[peer] = nil
        noteRequest(of: peer)
        asked.remove(peer)
    }

    // What the user decides.

    /// Accepts a peer and pins the name it goes by.
    mutating func accept(_ peer: PeerID, _ turn: inout Turn) -> [Fact] {
        guard var record = records[peer] else { return [] }
        if !record.isAccepted { record.trust = .accepted }
        (record.declined, record.trustBefore) = (nil, nil)
        if record.pinnedName == nil { record.pinnedName = record.announcedName }
        put(record)
        turn.save(peer)
        return [.accepted(peer)]
    }

    /// A request goes away; nobody is told, and what the peer asks within a day is passed over.
    mutating func decline(_ peer: PeerID, _ turn: inout Turn) {
        setRequest(nil, of: peer)
        records[peer]?.declined = turn.now.wall
        turn.save(peer)
    }

    mutating func block(_ peer: PeerID, _ turn: inout Turn) {
        guard var record = records[peer] else { return }
        if record.trust != .blocked { record.trustBefore = record.trust }
        record.trust = .blocked
        record.request = nil
        record.answerGiven = nil
        put(record)
        turn.save(peer)
    }

    /// The peer is trusted as it was before it was blocked; a request it had then is not brought back.
    mutating func unblock(_ peer: PeerID, _ turn: inout Turn) {
        guard var record = records[peer] else { return }
        record.trust = record.trustBefore ?? .unknown
        record.trustBefore = nil
        put(record)
        turn.save(peer)
    }

    mutating func setVerified(_ isVerified: Bool, _ peer: PeerID, _ turn: inout Turn) {
        records[peer]?.trust = isVerified ? .verified : .accepted
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

    /// Everything known of a peer goes, except what it shows of itself.
    mutating func forget(_ peer: PeerID, _ turn: inout Turn) {
        guard let before = records[peer] else { return }
        var record = PeerRecord(id: peer)
        record.announcedName = before.announcedName
        record.epochs = before.epochs
        put(record)
        turn.save(peer)
    }

    // Asking to talk, and answering.

    /// A request went out to the peer.
    mutating func ask(_ peer: PeerID) {
        if records[peer] != nil { asked.insert(peer) }
    }

    /// Whether a signed answer has to be made for the peer: it asks, or has never been answered.
    func needsAnswer(_ peer: PeerID) -> Bool { records[peer]?.request != nil || records[peer]?.answerGiven == nil }

    /// Says yes to a request. The answer is signed once, kept, and told whenever a link is up.
    mutating func answer(_ peer: PeerID, with answer: [UInt8], _ turn: inout Turn) {
        setRequest(nil, of: peer)
        records[peer]?.answerGiven = answer
        turn.save(peer)
    }

    /// A peer that is not accepted asks to talk. One request each; what it says more often, or soon after it was declined, is
    /// passed over.
    ///
    /// - Returns: whether the request is new.
    mutating func requested(by peer: PeerID, _ preview: String, from host: String, _ turn: inout Turn) -> Bool {
        guard let record = records[peer], record.trust == .unknown, record.request == nil,
            !wasJustDeclined(record, turn.now), hasRoom(forRequestFrom: host, &turn)
        else { return false }
        records[peer]?.declined = nil
        let shown = preview.withoutControlCharacters
        setRequest(RequestRecord(preview: shown, time: turn.now.wall, host: host), of: peer)
        turn.save(peer)
        return true
    }

    /// Whether a request of the peer was declined less than a day ago; a clock that was set back does not make it longer.
    private func wasJustDeclined(_ record: PeerRecord, _ now: Instant) -> Bool {
        guard let declined = record.declined else { return false }
        let age = now.wall.subtractingReportingOverflow(declined)
        return !age.overflow && (0..<Limits.declinedMilliseconds).contains(age.partialValue)
    }

    /// Makes room for one more request within the quotas: the oldest one of the address that has most of them goes first.
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

    /// The peer has said yes, on a link.
    mutating func wasAnswered(by peer: PeerID) { asked.remove(peer) }

    /// Keeps the first signed yes of a peer.
    mutating func keepAnswer(_ answer: [UInt8], of peer: PeerID, _ turn: inout Turn) {
        records[peer]?.answerReceived = answer
        turn.save(peer)
    }

    // Refusals.

    /// The peer takes nothing of this node's log.
    ///
    /// - Returns: whether it had taken some of what it refuses now.
    mutating func refused(by peer: PeerID, through sequence: UInt64, _ turn: inout Turn) -> Bool {
        guard sequence > 0, let record = records[peer], record.refusedThrough != sequence else { return false }
        records[peer]?.refusedThrough = sequence
        turn.save(peer)
        return true
    }

    /// - Returns: whether the peer had refused something.
    mutating func refusalEnded(by peer: PeerID, _ turn: inout Turn) -> Bool {
        guard records[peer]?.refusedThrough != nil else { return false }
        records[peer]?.refusedThrough = nil
        turn.save(peer)
        return true
    }

    // What other rooms keep in the rows.

    mutating func keepAddresses(_ signed: [UInt8]?, of peer: PeerID) {
        records[peer]?.signedAddresses = signed
    }

    mutating func keepPrekeys(_ prekeys: [UInt8], of peer: PeerID, lazily: Bool, _ turn: inout Turn) {
        records[peer]?.prekeys = prekeys
        turn.save(peer, lazily: lazily)
    }

    mutating func keepDeposits(_ deposits: [DepositRecord], for peer: PeerID, _ turn: inout Turn) {
        records[peer]?.deposits = deposits
        turn.save(peer)
    }

    /// A batch failed: a row is again as it is on disk. Of somebody of whom nothing is there only what it showed of itself stays.
    ///
    /// - Returns: the row; `nil` if nothing is known of the peer.
    mutating func takeBack(_ peer: PeerID, _ durable: PeerRecord?) -> PeerRecord? {
        let current = records[peer]
        guard var record = durable ?? current.map({ PeerRecord(seen: $0) }) else { return nil }
        // By a clock that was set back what is newer may bear the smaller number.
        record.lastSeen = current?.lastSeen ?? record.lastSeen
        put(record)
        return record
    }

    // Names.

    /// The name to show. A peer without an alias, whose name is taken, gets the beginning of its ID behind it.
    func displayName(of record: PeerRecord) -> String {
        let own = record.alias ?? record.pinnedName ?? record.announcedName
        guard !own.isEmpty else { return record.id.prefix }
        guard record.alias == nil, isTaken(own, byOtherThan: record.id) else { return own }
        return "\(own)~\(record.id.text.prefix(4))"
    }

    /// Whether somebody else has a name that looks the same as an alias, or pinned.
    func isTaken(_ name: String, byOtherThan peer: PeerID) -> Bool {
        visibleNames.isTaken(name, byOtherThan: peer)
    }

    /// The names of a peer: the one shown, its alias, and its pinned name or else the announced one unless that is taken.
    func names(of record: PeerRecord) -> [String] {
        var names = [displayName(of: record)]
        if let alias = record.alias { names.append(alias) }
        if let pinned = record.pinnedName {
            names.append(pinned)
        } else if !isTaken(record.announcedName, byOtherThan: record.id) {
            names.append(record.announcedName)
        }
        return names.filter { !$0.isEmpty }
    }

    /// The peers that a typed name, alias or beginning of a peer ID may mean.
    func called(_ who: String) -> [PeerID] {
        if let exact = PeerID(text: who) { return records[exact] == nil ? [] : [exact] }
        guard !who.isEmpty else { return [] }
        let typed = who.utf8
        let byID = known(by: who)
        if !byID.isEmpty {
            // A name that a stranger announces never stands for an ID; an alias does.
            let byAlias = records.values.filter { $0.alias?.utf8.elementsEqual(typed) == true }
            return Set(byID + byAlias.map(\.id)).sorted()
        }
        let candidates = visibleNames.candidates(for: who)
        let exact = candidates.filter { goes($0, by: { $0.utf8.elementsEqual(typed) }) }
        if !exact.isEmpty { return exact.sorted() }
        let lowered = who.lowercased()
        return candidates.filter { goes($0, by: { $0.lowercased() == lowered }) }.sorted()
    }

    /// Whether a peer goes by a name that is meant.
    private func goes(_ peer: PeerID, by isMeant: (String) -> Bool) -> Bool {
        guard let record = records[peer] else { return false }
        // These two it goes by whatever others are called.
        if record.alias.map(isMeant) == true || record.pinnedName.map(isMeant) == true { return true }
        return names(of: record).contains(where: isMeant)
    }
}
