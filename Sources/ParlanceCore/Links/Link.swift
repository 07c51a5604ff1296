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
    let openedAt: Int64
    /// The tag of the workspace key that it was opened with; `nil` for an open link.
    let workspaceTag: UInt32?
    /// The newest workspace key that went out on it, or came, with the number it went by.
    private(set) var toldKey: WorkspaceKey?
    /// Whom the workspace left out, as far as that went out on it, or came.
    private(set) var toldRemoved: Set<PeerID> = []
    /// The peer has told its newest workspace key.
    private(set) var keyReceived = false
    /// It has served for handing keys only.
    private(set) var wasForKeys = false
    /// Of whom addresses went out on it, or came, and of which time.
    private(set) var toldAddresses: [PeerID: UInt64] = [:]
    private(set) var lastHeard: Int64
    private(set) var helloReceived = false
    /// The peer has said which conversations it takes on this link.
    private(set) var summaryReceived = false
    /// A contact request went out on it.
    private(set) var requested = false
    private(set) var stage = Stage.open
    /// Nothing more is sent of what a link serves for, and what comes is passed over.
    var closing: Bool { stage != .open }
    /// Why it is being closed, where that is to be told.
    private(set) var ending: LinkTrouble.Cause?
    /// Bytes of events that were sent and not acknowledged, over all conversations.
    private(set) var unacknowledgedBytes = 0
    /// How each conversation stands on it.
    private(set) var sessions: [ConversationID: ConversationSession] = [:]
    private var lastTypingSent: Int64?
    /// Reads of the store that failed, to be tried again.
    private var failedReads: [FailedRead] = []
    /// Where the peer takes links, as its hello says; 0 if nowhere.
    private(set) var listeningPort: UInt32 = 0
    /// How far its clock was ahead of ours then, in milliseconds; `nil` if it does not tell.
    private(set) var skew: Int64?
    /// Parts of an invitation to a group that is not known yet: the last one, since the parts of one follow each other.
    private(set) var invitation: InvitationParts?

    enum Stage: Equatable, Sendable {
        case open
        /// It was opened with a workspace key that serves no more: the newest key went out on it, and the peer's may come.
        /// Nothing else is sent, and nothing else taken.
        case handingKeys
        /// We have said that we close it, or the peer has.
        case closing
    }

    /// Bodies that the peer asked for and that are being read.
    private var readingBodies: Set<Place> = []

    /// One event of a log.
    struct Place: Hashable, Sendable {
        var key: LogKey
        var sequence: UInt64
    }

    init(_ opened: LinkOpened, at now: Int64) {
        id = opened.link
        peer = opened.peer
        replica = opened.replica
        epoch = opened.epoch
        dialled = opened.dial != nil
        remote = opened.remote
        openedAt = now
        workspaceTag = opened.workspaceTag
        lastHeard = now
    }

    // Its life.

    mutating func heard(at now: Int64) { lastHeard = now }

    mutating func greeted(_ hello: WireHello, at wall: Int64) {
        helloReceived = true
        listeningPort = hello.listeningPort
        if hello.time != 0 { skew = Int64(clamping: hello.time).subtractingReportingOverflow(wall).partialValue }
    }

    /// The peer says which conversations it takes.
    ///
    /// - Returns: whether it does so for the first time.
    mutating func summarized() -> Bool {
        defer { summaryReceived = true }
        return !summaryReceived
    }

    /// - Returns: whether it was not being closed already.
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

    // What goes out on it, or comes.

    /// The newest workspace key went out, with those whom the workspace left out.
    mutating func toldKey(_ key: WorkspaceKey, removed: Set<PeerID>) {
        toldKey = key
        toldRemoved.formUnion(removed)
    }

    /// The peer told its newest workspace key, and whom the workspace left out.
    ///
    /// - Parameter known: all whom the workspace left out, as far as this node knows.
    mutating func heardKey(_ key: WorkspaceKey, removed: [PeerID], known: Set<PeerID>) {
        keyReceived = true
        toldKey = max(toldKey ?? key, key)
        toldRemoved = toldRemoved.union(removed).intersection(known)
    }

    /// The addresses of a peer, signed at a time, went out or came.
    mutating func toldAddresses(of peer: PeerID, at time: UInt64) { toldAddresses[peer] = time }

    /// A contact request goes out.
    mutating func sendsRequest() { requested = true }

    /// The contact request did not go out: what it says could not be read.
    mutating func requestFailed() { requested = false }

    /// The peer may be told that the user types, but not more often than every few seconds.
    ///
    /// - Returns: whether it is told now.
    mutating func tellsTyping(at now: Int64) -> Bool {
        guard now - (lastTypingSent ?? .min / 2) >= Limits.typingSentMilliseconds else { return false }
        lastTypingSent = now
        return true
    }

    /// What has come of an invitation to a group is not kept any more.
    ///
    /// - Returns: what had come of it.
    mutating func takeInvitation(to group: ConversationID) -> InvitationParts? {
        guard let parts = invitation, parts.group == group else { return nil }
        invitation = nil
        return parts
    }

    /// Keeps what has come of an invitation until the rest comes.
    mutating func keep(_ parts: InvitationParts) { invitation = parts }

    // Reads of the store.

    /// Keeps a read that failed until it is tried again.
    ///
    /// - Returns: whether there is room for it.
    mutating func keep(_ failed: FailedRead) -> Bool {
        guard failedReads.count < Limits.failedReads else { return false }
        failedReads.append(failed)
        return true
    }

    mutating func takeFailedReads() -> [FailedRead] {
        defer { failedReads = [] }
        return failedReads
    }

    /// A body that the peer asked for is to be read.
    ///
    /// - Returns: whether it is: not if it is being read already, or if so many are.
    mutating func beginReading(_ place: Place) -> Bool {
        readingBodies.count < Limits.bodiesPerRequest && readingBodies.insert(place).inserted
    }

    mutating func endReading(_ place: Place) { readingBodies.remove(place) }

    // Sessions.

    /// Whether so little is on the way that more of the events may go out.
    var hasWindow: Bool { unacknowledgedBytes < Limits.windowBytes }

    /// The conversations that have a session, in order.
    var sessionsInOrder: [ConversationID] { sessions.keys.sorted() }

    /// Changes a session; it begins here if there is none.
    mutating func begin<T>(_ conversation: ConversationID, _ body: (inout ConversationSession) -> T) -> T {
        let (result, more) = Self.apply(body, to: &sessions[conversation, default: ConversationSession()])
        unacknowledgedBytes += more
        return result
    }

    /// Changes a session, if there is one.
    mutating func change<T>(_ conversation: ConversationID, _ body: (inout ConversationSession) -> T) -> T? {
        guard let place = sessions.index(forKey: conversation) else { return nil }
        let (result, more) = Self.apply(body, to: &sessions.values[place])
        unacknowledgedBytes += more
        return result
    }

    /// - Returns: also how many bytes more are on the way.
    private static func apply<T>(
        _ body: (inout ConversationSession) -> T,
        to session: inout ConversationSession
    ) -> (T, Int) {
        let before = session.window.bytes
        let result = body(&session)
        return (result, session.window.bytes - before)
    }

    /// Ends a session: nothing of it is open or on its way any more.
    ///
    /// - Returns: how many bytes of the window are free again.
    mutating func end(_ conversation: ConversationID) -> Int {
        let freed = sessions.removeValue(forKey: conversation)?.window.bytes ?? 0
        unacknowledgedBytes -= freed
        return freed
    }
}
