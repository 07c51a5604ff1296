import ParlanceRecords
import ParlanceWire

/// What this node announces about its user's presence, and what peers announce (sync.md, "Heartbeat").
///
/// - It owns the profile, what observers see of the user, what each peer announced last, and where each is typing.
/// - It takes commands, what observers see, announcements of peers, and their coming and going.
/// - It returns the fact `announcementChanged`.
struct Presence: Equatable, Sendable {
    private(set) var profile: ProfileRecord
    private var idleness = Idleness()
    /// The absence of the user that is announced while nothing else is set.
    private var absence: Absence?
    private var peers: [PeerID: Seen] = [:]

    /// The state of a peer that is shown while the node runs and is not stored.
    private struct Seen: Equatable {
        var announced = Announcement()
        /// Whether it is shown as present: a link is up, or was until a moment ago.
        var isPresent = false
        /// When something last came from it on a link that has ended.
        var heard: Instant?
        /// The conversation in which it is shown as typing.
        var typingIn: ConversationID?
    }

    /// What a node announces about its user.
    struct Announcement: Equatable, Sendable {
        var activity: Activity = .online
        var statusText = ""
    }

    init(_ profile: ProfileRecord) {
        self.profile = profile
    }

    // This node.

    /// What this node announces, given its durable profile.
    func announcement(of durable: ProfileRecord) -> Announcement {
        let activity: Activity =
            switch durable.activity {
            case .online: absence == nil ? .online : .away
            case .away: .away
            case .busy: .busy
            }
        return Announcement(activity: activity, statusText: durable.statusText)
    }

    /// The profile as the user sees it.
    var ownView: ProfileView { view(of: profile) }

    /// A version of the profile as the user sees it.
    func view(of record: ProfileRecord) -> ProfileView {
        ProfileView(record: record, absence: record.activity == .online ? absence : nil)
    }

    /// The presence of the user among others, as they see it.
    var view: PresenceView {
        let shown = announcement(of: profile)
        return PresenceView(activity: shown.activity, statusText: shown.statusText, lastSeen: nil)
    }

    /// Takes what an observer sees of the user; `nil` if it is gone.
    mutating func userSeen(_ sight: UserSight?, by observer: IdleObserver, _ turn: inout Turn) -> [Fact] {
        idleness.saw(sight, by: observer, turn.now)
        return judge(&turn)
    }

    mutating func awayDue(_ turn: inout Turn) -> [Fact] { judge(&turn) }

    /// Decides whether the user is absent, and when that can change by itself.
    private mutating func judge(_ turn: inout Turn) -> [Fact] {
        let wasAbsent = absence != nil
        absence = idleness.absence(turn.now)
        turn.deadlines[.away] = absence == nil ? idleness.begins : nil
        let isTold = profile.activity == .online && wasAbsent != (absence != nil)
        return isTold ? [.announcementChanged] : []
    }

    mutating func setName(_ name: String, _ id: CommandID, _ turn: inout Turn) {
        guard let shown = turn.checkedName(name, id) else { return }
        profile.name = shown
        save(id, &turn)
    }

    /// Sets what the user says of itself. A status text says why somebody is away or busy, so it ends with that: another
    /// state takes it away, and so does to be online.
    mutating func setPresence(_ activity: Activity?, _ text: String?, _ id: CommandID, _ turn: inout Turn) {
        let isOther = activity.map { $0 == .online || $0 != profile.activity } ?? false
        let text = text ?? (isOther ? "" : nil)
        guard text?.hasControlCharacters != true else {
            return turn.refuse(id, .text(.statusWithControlCharacters))
        }
        let shown = text?.withoutControlCharacters ?? profile.statusText
        guard shown.utf8.count <= Limits.statusTextBytes else {
            return turn.refuse(id, .text(.longStatus))
        }
        profile.activity = activity ?? profile.activity
        profile.statusText = shown
        if activity == .online { turn.whenDurable(.isOnline(since: turn.now.monotonic)) }
        save(id, &turn)
    }

    /// Takes that the user has said to be online, once that is durable; others are told with the profile.
    ///
    /// - Parameter moment: when the user said so, in monotonic milliseconds.
    mutating func userIsOnline(since moment: Int64, _ turn: inout Turn) {
        idleness.userIsOnline(since: moment)
        _ = judge(&turn)
    }

    private func save(_ id: CommandID, _ turn: inout Turn) {
        turn.batch.rows.profile = profile
        turn.whenDurable(.answerProfile(id, profile))
        turn.whenDurable(.announce)
    }

    /// Resets the profile to what is on disk after a batch failed.
    mutating func takeBack(_ durable: ProfileRecord) {
        profile = durable
    }

    // Peers.

    /// - Parameter heard: when something last came from it since this node started.
    func view(of peer: PeerRecord, heard: Instant?) -> PresenceView {
        let seen = peers[peer.id] ?? Seen()
        return PresenceView(
            activity: seen.isPresent ? seen.announced.activity : nil,
            statusText: seen.announced.statusText,
            lastSeen: heard?.wall ?? peer.lastSeen
        )
    }

    func isTyping(_ peer: PeerID, in conversation: ConversationID) -> Bool { peers[peer]?.typingIn == conversation }

    /// Notes that a link with the peer is up.
    mutating func arrived(_ peer: PeerID) {
        peers[peer, default: Seen()].isPresent = true
    }

    /// Notes when something last came over a link that has ended. Each copy of a peer has a link of its own: the latest
    /// counts.
    mutating func heard(of peer: PeerID, at moment: Instant) {
        guard moment.monotonic >= peers[peer]?.heard?.monotonic ?? .min else { return }
        peers[peer, default: Seen()].heard = moment
    }

    /// When something last came from a peer, over the links that have ended.
    func lastHeard(of peer: PeerID) -> Instant? { peers[peer]?.heard }

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
