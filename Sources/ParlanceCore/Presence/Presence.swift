import ParlanceWire

/// What this node announces about its user's presence, and what peers announce (sync.md, "Heartbeat").
///
/// - It owns the profile, whether the user is active, what each peer announced last, and where each is typing.
/// - It takes commands, announcements of peers, and their coming and going.
/// - It returns the fact `announcementChanged`.
struct Presence: Equatable, Sendable {
    private(set) var profile: ProfileRecord
    /// Whether no command came for a while, so that this node announces its user as away.
    private var isIdle = false
    private var lastCommand: Int64
    private var peers: [PeerID: Seen] = [:]

    /// The state of a peer that is shown while the node runs and is not stored.
    private struct Seen: Equatable {
        var announced = Announcement()
        /// Whether it is shown as present: a link is up, or was until a moment ago.
        var isPresent = false
        /// The conversation in which it is shown as typing.
        var typingIn: ConversationID?
    }

    /// What a node announces about its user.
    struct Announcement: Equatable, Sendable {
        var activity: Activity = .online
        var statusText = ""
    }

    init(_ profile: ProfileRecord, _ turn: inout Turn) {
        self.profile = profile
        lastCommand = turn.now.monotonic
    }

    // This node.

    /// What this node announces, given its durable profile.
    func announcement(of durable: ProfileRecord) -> Announcement {
        let activity: Activity =
            switch durable.activity {
            case .online: isIdle ? .away : .online
            case .away: .away
            case .busy: .busy
            }
        return Announcement(activity: activity, statusText: durable.statusText)
    }

    /// The profile in the form that this node shows.
    var view: PresenceView {
        PresenceView(activity: profile.activity, statusText: profile.statusText, lastSeen: nil)
    }

    /// Notes a command: a sign that the user is active.
    mutating func noteActivity(_ now: Instant) -> [Fact] {
        lastCommand = now.monotonic
        guard isIdle else { return [] }
        isIdle = false
        return [.announcementChanged]
    }

    mutating func scheduleAway(_ turn: inout Turn) {
        turn.deadlines[.away] = turn.now.monotonic + Limits.awayMilliseconds
    }

    mutating func awayDue(_ turn: inout Turn) -> [Fact] {
        let due = lastCommand + Limits.awayMilliseconds
        guard due <= turn.now.monotonic else {
            turn.deadlines[.away] = due
            return []
        }
        scheduleAway(&turn)
        guard !isIdle else { return [] }
        isIdle = true
        return profile.activity == .online ? [.announcementChanged] : []
    }

    mutating func setName(_ name: String, _ id: CommandID, _ turn: inout Turn) {
        guard let shown = turn.checkedName(name, id) else { return }
        profile.name = shown
        save(id, &turn)
    }

    mutating func setPresence(_ activity: Activity?, _ text: String?, _ id: CommandID, _ turn: inout Turn) {
        guard text?.hasControlCharacters != true else {
            return turn.refuse(id, .text(.statusWithControlCharacters))
        }
        let shown = text?.withoutControlCharacters ?? profile.statusText
        guard shown.utf8.count <= Limits.statusTextBytes else {
            return turn.refuse(id, .text(.longStatus))
        }
        profile.activity = activity ?? profile.activity
        profile.statusText = shown
        save(id, &turn)
    }

    private func save(_ id: CommandID, _ turn: inout Turn) {
        turn.batch.rows.profile = profile
        turn.whenDurable(.answer(id, .profile(profile)))
        turn.whenDurable(.announce)
    }

    /// Resets the profile to what is on disk after a batch failed.
    mutating func takeBack(_ durable: ProfileRecord) {
        profile = durable
    }

    // Peers.

    func view(of peer: PeerRecord, _ now: Instant) -> PresenceView {
        let seen = peers[peer.id] ?? Seen()
        return PresenceView(
            activity: seen.isPresent ? seen.announced.activity : nil,
            statusText: seen.announced.statusText,
            lastSeen: seen.isPresent ? now.wall : peer.lastSeen
        )
    }

    func isTyping(_ peer: PeerID, in conversation: ConversationID) -> Bool { peers[peer]?.typingIn == conversation }

    /// Notes that a link with the peer is up.
    mutating func arrived(_ peer: PeerID) {
        peers[peer, default: Seen()].isPresent = true
    }

    /// Marks a peer as gone, once the grace period after its last link is over.
    ///
    /// - Returns: whether it was present.
    mutating func left(_ peer: PeerID) -> Bool {
        guard peers[peer]?.isPresent == true else { return false }
        peers[peer]?.isPresent = false
        return true
    }

    /// Takes what a peer announces, cut to the limits.
    ///
    /// - Returns: whether it differs from the last announcement.
    mutating func heard(_ said: Announcement, of peer: PeerID) -> Bool {
        var heard = said
        heard.statusText = said.statusText.withoutControlCharacters.prefix(utf8: Limits.statusTextBytes)
        guard heard != peers[peer]?.announced ?? Announcement() else { return false }
        peers[peer, default: Seen()].announced = heard
        return true
    }

    /// Forgets everything that is shown of the peer.
    mutating func forget(_ peer: PeerID) {
        peers[peer] = nil
    }

    // Typing.

    mutating func typing(_ peer: PeerID, in conversation: ConversationID, _ turn: inout Turn) {
        let isShown = isTyping(peer, in: conversation)
        if !isShown { typingEnded(peer, &turn) }
        turn.deadlines[.typing(peer)] = turn.now.monotonic + Limits.typingShownMilliseconds
        guard !isShown else { return }
        peers[peer, default: Seen()].typingIn = conversation
        turn.emit(.notify(.typing(peer, conversation, active: true)))
    }

    /// Ends typing: by timeout, or because a message came.
    mutating func typingEnded(_ peer: PeerID, _ turn: inout Turn) {
        turn.deadlines[.typing(peer)] = nil
        guard let conversation = peers[peer]?.typingIn else { return }
        peers[peer]?.typingIn = nil
        turn.emit(.notify(.typing(peer, conversation, active: false)))
    }
}
