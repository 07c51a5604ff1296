import ParlanceHistory
import ParlanceRecords
package import ParlanceWire

/// What is told of people, groups, settings and files wherever something names them.
///
/// It is a value that the engine keeps up to date. The shell publishes it before the notices of the input that changed it,
/// so that no notice is told with an old name. Of groups, of the profile and of settings it has what is on disk, of
/// people and files what the engine has decided. It says nothing of presence and links, so what changes all the time
/// changes nothing here.
package struct Directory: Equatable, Sendable {
    package let identity: PeerID
    /// The profile of the user.
    package private(set) var profile: ProfileRecord
    /// The settings of conversations that differ from those of a new one.
    package private(set) var preferences: [ConversationID: Preference]
    private var knownPeers = SharedTable<PeerID, Peer>()
    private var knownGroups = SharedTable<ConversationID, GroupFace>()
    private var transfers = SharedTable<FileID, TransferView>()

    package init(
        identity: PeerID,
        profile: ProfileRecord,
        preferences: [ConversationID: Preference] = [:]
    ) {
        (self.identity, self.profile, self.preferences) = (identity, profile, preferences)
    }

    /// A peer that this node knows; `nil` for any other one.
    package subscript(peer: PeerID) -> Peer? { knownPeers[peer] }

    /// A group; `nil` for a direct conversation.
    package subscript(group: ConversationID) -> GroupFace? { knownGroups[group] }

    /// How far a file has come, as it was last told; `nil` if nothing was decided about it.
    package subscript(file: FileID) -> TransferView? { transfers[file] }

    /// All peers that this node knows, unordered.
    package var peers: [(key: PeerID, value: Peer)] { knownPeers.entries }

    /// All groups, unordered.
    package var groups: [(key: ConversationID, value: GroupFace)] { knownGroups.entries }

    /// The name to show of anybody: the user's own one, that of a peer, or the beginning of an ID.
    package func name(of peer: PeerID) -> String {
        peer == identity ? profile.name : knownPeers[peer]?.displayName ?? peer.prefix
    }

    package func trust(in peer: PeerID) -> Trust { knownPeers[peer]?.trust ?? .unknown }

    // Changes.

    /// - Returns: whether it was another one.
    @discardableResult
    package mutating func set(_ known: Peer?, of peer: PeerID) -> Bool { knownPeers.set(known, for: peer) }

    /// - Returns: whether it was another one.
    @discardableResult
    package mutating func set(_ face: GroupFace?, of group: ConversationID) -> Bool {
        knownGroups.set(face, for: group)
    }

    /// - Returns: whether it was another one.
    @discardableResult
    package mutating func set(_ view: TransferView?, of file: FileID) -> Bool { transfers.set(view, for: file) }

    mutating func set(_ profile: ProfileRecord, _ preferences: [ConversationID: Preference]) {
        (self.profile, self.preferences) = (profile, preferences)
    }

    /// Whether both say the same. Bytes that came since a file was last told of do not count.
    func agrees(with other: Directory) -> Bool {
        profile == other.profile && preferences == other.preferences && knownPeers == other.knownPeers
            && knownGroups == other.knownGroups && transfers.count == other.transfers.count
            && transfers.entries.allSatisfy { other.transfers[$0.key]?.record == $0.value.record }
    }

    /// What an input has changed of it. `Contacts` notes by itself which peers it has changed.
    struct Changes: Equatable, Sendable {
        var groups: Set<ConversationID> = []
        var files: Set<FileID> = []
        /// Whether the profile or settings of conversations have changed on disk.
        var hasSettings = false
    }
}

extension Directory {
    /// Another identity, by its names and what the user has decided about it.
    package struct Peer: Equatable, Sendable {
        package var displayName: String
        package var trust: Trust
        package var alias: String?
        /// The name that it announced when it was accepted, or without one the last name.
        package var name: String
        /// See `PeerRecord.newName`.
        package var newName: String?

        package init(_ record: PeerRecord, displayName: String) {
            self.displayName = displayName
            trust = record.trust
            alias = record.alias
            name = record.pinnedName ?? record.announcedName
            newName = record.newName
        }
    }

    /// What is told of a group: whenever any of it changes, people hear of the group.
    package struct GroupFace: Equatable, Sendable {
        package var title: String
        /// The title with which the group was created.
        package var createdAs: String
        package var topic: String
        package var isMember: Bool
        /// The members, including the user, in the order of their IDs.
        package var members: [PeerID]
        package var admins: [PeerID]

        /// The part on disk; `nil` if nothing of the group is.
        init?(_ group: Group, own: PeerID) {
            let membership = group.durable
            guard !membership.events.isEmpty else { return nil }
            title = group.label.title.isEmpty ? membership.title : group.label.title
            createdAs = membership.title
            topic = group.label.topic
            isMember = membership.isMember(own)
            members = Array(membership.members)
            admins = membership.members.filter { membership.isAdmin($0) }
        }
    }
}
