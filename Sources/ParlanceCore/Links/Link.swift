import ParlanceRecords
import ParlanceWire

/// An authenticated link to a peer.
struct Link: Equatable, Sendable {
    let id: LinkID
    let peer: PeerID
    let replica: ReplicaID
    let epoch: UInt64
    /// Whether this node dialled.
    let dialled: Bool
    let remote: Endpoint
    /// The address of this machine that it uses; `nil` if it is not known.
    let local: NumericAddress?
    /// Whether both ends are on this computer, so that it needs no network: at loopback, or at one address of its own.
    let isWithinComputer: Bool
    let openedAt: Int64
    /// The tag of the workspace key with which it was opened; `nil` for an open link.
    let workspaceTag: UInt32?
    /// The newest workspace key sent or received on it, with its number.
    private(set) var toldKey: WorkspaceKey?
    /// The peers removed from the workspace, as sent or received on it.
    private(set) var toldRemoved: Set<PeerID> = []
    /// The peer has sent its newest workspace key.
    private(set) var keyReceived = false
    /// It has served only for the exchange of keys.
    private(set) var wasForKeys = false
    /// What was said on it of the workspace's charter.
    var charter = CharterExchange()
    /// The peers whose signed addresses were sent or received on it, and when those were signed.
    private(set) var toldAddresses: [PeerID: UInt64] = [:]
    /// Whether addresses are exchanged on it; `nil` until its hello has been handled.
    private(set) var carriesAddresses: Bool?
    /// The peer has asked to be told all addresses again.
    private var wasAskedForAddresses = false
    /// When something last came on it; at first, when it was opened.
    private(set) var lastHeard: Instant
    /// Since when the other machine has acknowledged nothing, in milliseconds since 1970; `nil` while it does.
    private(set) var stalledSince: Int64?
    /// When somebody last wrote on it: a message came, or that one of ours arrived or was read, or either side typed.
    private var talkedAt: Int64?
    private(set) var helloReceived = false
    /// The peer has sent its first summary on this link.
    private(set) var summaryReceived = false
    /// The peer was told again what it had ignored, because it accepted this user only after the link opened.
    private(set) var wasToldAgain = false
    /// A contact request was sent on it.
    private(set) var requested = false
    /// The names taken from heartbeats, while the peer is a stranger.
    private var renames = 0
    private(set) var stage = Stage.open
    /// Whether the link no longer serves conversations: nothing is sent for them, and received frames are ignored.
    var closing: Bool { stage != .open }
    /// Why it is being closed, if people are told.
    private(set) var ending: LinkTrouble.Cause?
    /// Bytes of events that were sent and not acknowledged, over all conversations.
    private(set) var unacknowledgedBytes = 0
    /// The state of each conversation on it.
    private(set) var sessions: [ConversationID: ConversationSession] = [:]
    private var lastTypingSent: Int64?
    /// Reads of the store that failed and will be repeated.
    private var failedReads: [FailedRead] = []
    /// The port at which the peer accepts links, according to its hello; 0 if it accepts none.
    private(set) var listeningPort: UInt32 = 0
    /// Whether the peer answers when it is asked for files, according to its hello.
    private(set) var exchangesFiles = false
    /// What its hello says of an invitation to the workspace; not verified.
    private(set) var proof: InvitationProof?
    /// How far the peer's clock was ahead of ours at its hello, in milliseconds; `nil` if its hello has no time.
    private(set) var skew: Int64?
    /// Parts of an invitation to a group that is not known yet. One invitation is kept, since its parts arrive
    /// consecutively.
    private(set) var invitation: InvitationParts?

    enum Stage: Equatable, Sendable {
        case open
        /// Opened with a superseded workspace key. The newest key was sent on it, and the peer's may come. Nothing else
        /// is sent, and frames other than the peer's key and `Bye` are ignored.
        case handingKeys
        /// We have sent or received `Bye`.
        case closing
    }

    /// Bodies that the peer requested and that the store is reading.
    private var readingBodies: Set<Place> = []

    struct Place: Hashable, Sendable {
        var key: LogKey
        var sequence: UInt64
    }

    /// A link that was just opened, or left aside before.
    ///
    /// - Parameter heard: when it was opened, if that was before now.
    init(_ opened: LinkOpened, at now: Instant, heard: Instant? = nil) {
        id = opened.link
        peer = opened.peer
        replica = opened.replica
        epoch = opened.epoch
        dialled = opened.dial != nil
        remote = opened.remote
        local = opened.local
        let place = ZonedAddress(opened.remote.host)?.address
        isWithinComputer = place?.range == .loopback || place != nil && place == opened.local
        openedAt = now.monotonic
        workspaceTag = opened.workspaceTag
        lastHeard = heard ?? now
    }

    // Life cycle.

    /// Whether it has been open for so long that its end is no failure.
    func hasLasted(at now: Instant) -> Bool { now.monotonic - openedAt >= Limits.lastingMilliseconds }

    /// Whether it is being closed and served for nothing.
    func isFailing(at now: Instant) -> Bool { stage == .closing && !wasForKeys && !hasLasted(at: now) }

    mutating func heard(at now: Instant, isOfMessage: Bool) {
        lastHeard = now
        if isOfMessage && !closing { talkedAt = now.monotonic }
    }

    var isStalled: Bool { stalledSince != nil }

    /// - Parameter wall: `nil`: the other machine acknowledges again.
    /// - Returns: whether that is news.
    mutating func stalled(since wall: Int64?) -> Bool {
        defer { stalledSince = wall }
        return isStalled != (wall != nil)
    }

    /// Whether messages pass on it.
    func isTalkative(at now: Int64) -> Bool { talkedAt.map { now - $0 < Limits.talkMilliseconds } ?? false }

    mutating func greeted(_ hello: WireHello, at wall: Int64) {
        helloReceived = true
        listeningPort = hello.listeningPort
        exchangesFiles = hello.features.contains(WireHello.files)
        proof = InvitationProof(hello.invitation)
        if hello.time != 0 { skew = Int64(clamping: hello.time).subtractingReportingOverflow(wall).partialValue }
    }

    /// The peer sent a summary, or a part of one.
    ///
    /// - Returns: whether it is the first on this link.
    mutating func summarized(hasMore: Bool) -> Bool {
        defer { summaryReceived = summaryReceived || !hasMore }
        return !summaryReceived
    }

    /// - Returns: whether it was open until now.
    mutating func beginClosing(because cause: LinkTrouble.Cause?) -> Bool {
        guard stage != .closing else { return false }
        ending = cause
        stage = .closing
        return true
    }

    mutating func byeReceived(because cause: LinkTrouble.Cause?) {
        if !closing { ending = cause }
        stage = .closing
    }

    mutating func handKeys() {
        stage = .handingKeys
        wasForKeys = true
    }

    // What was sent or received on it.

    /// The newest workspace key was sent, with the peers that the workspace removed.
    mutating func toldKey(_ key: WorkspaceKey, removed: Set<PeerID>) {
        toldKey = key
        toldRemoved.formUnion(removed)
    }

    /// The peer sent its newest workspace key, and the peers that the workspace removed.
    ///
    /// - Parameters:
    ///   - newest: the newer of that key and `toldKey`.
    ///   - known: all peers that the workspace removed, as far as this node knows.
    mutating func heardKey(_ newest: WorkspaceKey, removed: [PeerID], known: Set<PeerID>) {
        keyReceived = true
        toldKey = newest
        toldRemoved = toldRemoved.union(removed).intersection(known)
    }

    /// Notes that a peer's addresses, signed at a time, were sent or received.
    mutating func toldAddresses(of peer: PeerID, at time: UInt64) { toldAddresses[peer] = time }

    /// Notes whether addresses are exchanged on it; once they are, that stays.
    ///
    /// - Returns: whether that begins only now, so that what the peer told before was passed over.
    mutating func noteAddresses(carried isCarrying: Bool) -> Bool {
        defer { carriesAddresses = isCarrying || carriesAddresses == true }
        return isCarrying && carriesAddresses == false
    }

    /// The peer asks to be told all addresses again, which it may do once.
    mutating func askedForAddresses() {
        if !wasAskedForAddresses { toldAddresses = [:] }
        wasAskedForAddresses = true
    }

    /// Forgets what the peer was told of the workspace's key, which it may have ignored.
    ///
    /// - Returns: whether the peer was told nothing again until now. That counts once per link: a peer could repeat the small
    ///   frames that ask for it, and all invitations would follow each of them.
    mutating func tellsAgain() -> Bool {
        guard !wasToldAgain else { return false }
        wasToldAgain = true
        (toldKey, toldRemoved) = (nil, [])
        return true
    }

    /// Counts a new name that a stranger announces.
    ///
    /// - Returns: whether it is taken.
    mutating func takesName() -> Bool {
        renames += 1
        return renames <= Limits.strangerNames
    }

    mutating func sendsRequest() { requested = true }

    /// The contact request was not sent, since the message it quotes could not be read.
    mutating func requestFailed() { requested = false }

    /// Limits typing notifications to one in `Limits.typingSentMilliseconds`.
    ///
    /// - Returns: whether the peer is notified now.
    mutating func tellsTyping(at now: Int64) -> Bool {
        guard now - (lastTypingSent ?? .min / 2) >= Limits.typingSentMilliseconds else { return false }
        lastTypingSent = now
        talkedAt = now
        return true
    }

    /// Removes the parts of an incomplete invitation to a group.
    ///
    /// - Returns: the parts, if there are any.
    mutating func takeInvitation(to group: ConversationID) -> InvitationParts? {
        guard let parts = invitation, parts.group == group else { return nil }
        invitation = nil
        return parts
    }

    /// Keeps the parts of an invitation until the rest comes.
    mutating func keep(_ parts: InvitationParts) { invitation = parts }

    private func checkWindow() {
        invariant(
            unacknowledgedBytes == sessions.values.reduce(0) { $0 + $1.window.bytes },
            "the bytes on their way on a link are those of its conversations"
        )
        invariant(unacknowledgedBytes >= 0, "the bytes on their way are not negative")
    }

    /// What it holds.
    var cost: PeerCost {
        var cost = PeerCost(links: 1, reads: failedReads.count)
        cost.entries = toldAddresses.count + toldRemoved.count
        for session in sessions.values { cost.entries += session.entryCount }
        cost.bytes = unacknowledgedBytes + (invitation?.byteCount ?? 0) + charter.partBytes
        return cost
    }

    // Reads of the store.

    /// Keeps a failed read until it is repeated.
    ///
    /// - Returns: whether there was room for it.
    mutating func keep(_ failed: FailedRead) -> Bool {
        guard failedReads.count < Limits.failedReads else { return false }
        failedReads.append(failed)
        invariant(failedReads.count <= Limits.failedReads, "few failed reads are kept for a link")
        return true
    }

    mutating func takeFailedReads() -> [FailedRead] {
        defer { failedReads = [] }
        return failedReads
    }

    /// Starts to read a body that the peer requested.
    ///
    /// - Returns: `false` if that body is being read already, or too many are.
    mutating func beginReading(_ place: Place) -> Bool {
        readingBodies.count < Limits.bodiesPerRequest && readingBodies.insert(place).inserted
    }

    mutating func endReading(_ place: Place) { readingBodies.remove(place) }

    // Sessions.

    /// Whether the send window has room for more events.
    var hasWindow: Bool { unacknowledgedBytes < Limits.windowBytes }

    /// Whether a conversation is open on it and it is not being closed.
    func isOpen(in conversation: ConversationID) -> Bool { !closing && sessions[conversation]?.isOpen == true }

    var sessionsInOrder: [ConversationID] { sessions.keys.sorted() }

    /// Changes a session; creates it if there is none.
    mutating func begin<T>(_ conversation: ConversationID, _ body: (inout ConversationSession) -> T) -> T {
        let (result, more) = Self.apply(body, to: &sessions[conversation, default: ConversationSession()])
        unacknowledgedBytes += more
        checkWindow()
        return result
    }

    /// Changes a session, if there is one.
    mutating func change<T>(_ conversation: ConversationID, _ body: (inout ConversationSession) -> T) -> T? {
        guard let place = sessions.index(forKey: conversation) else { return nil }
        let (result, more) = Self.apply(body, to: &sessions.values[place])
        unacknowledgedBytes += more
        checkWindow()
        return result
    }

    /// - Returns: the result, and the change of the bytes on their way.
    private static func apply<T>(
        _ body: (inout ConversationSession) -> T,
        to session: inout ConversationSession
    ) -> (T, Int) {
        let before = session.window.bytes
        let result = body(&session)
        return (result, session.window.bytes - before)
    }

    /// Drops a session.
    ///
    /// - Returns: the bytes of the window that are free again.
    mutating func end(_ conversation: ConversationID) -> Int {
        let freed = sessions.removeValue(forKey: conversation)?.window.bytes ?? 0
        unacknowledgedBytes -= freed
        checkWindow()
        return freed
    }
}
