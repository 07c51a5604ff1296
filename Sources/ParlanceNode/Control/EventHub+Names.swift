import ParlanceControl
import ParlanceCore
import ParlanceLetters
import ParlanceRecords
import ParlanceWire
import ParlanceWords

// Whom a name may mean that nobody has, and who else has a name.
extension EventHub {
    /// What a command takes.
    enum Named { case person, group, conversation }

    /// The one name of an accepted person, or title of a group of this user, that is nearest to a misspelt one; if there
    /// is none, the one name of a person in sight; if there is none either, those of which it is a word. Only of what the command
    /// takes.
    func nearestNames(to typed: String, _ kind: Named) -> [String] {
        let directory = directory
        let known =
            (kind == .group ? [] : directory.namesOfAccepted) + (kind == .person ? [] : directory.titlesOfGroups)
        let near =
            Self.nearest(to: typed, among: known)
            ?? Self.nearest(to: typed, among: kind == .group ? [] : namesOfStrangersInSight(directory))
        if let near { return [near] }
        // People give others the first of several names, and several may have it.
        let first = typed.folded
        let named = known.filter { $0.folded.split(separator: " ").contains { $0 == first } }
        return named.count > Self.mostNear ? [] : named.sorted()
    }

    /// The names of people in sight of whom the user knows nothing else.
    private func namesOfStrangersInSight(_ directory: Directory) -> [String] {
        peersInSight.compactMap { directory[$0] }.filter { $0.trust == .unknown && !$0.name.isEmpty }
            .map(\.displayName)
    }

    /// The names of which one is meant: more are not worth reading.
    private static let mostNear = 4

    private static func nearest(to typed: String, among names: [String]) -> String? {
        let folded = names.map(\.folded)
        guard let near = NearestWord.ofNames(typed.folded, among: folded) else { return nil }
        let found = zip(names, folded).filter { $0.1 == near }
        return found.count == 1 ? found[0].0 : nil
    }

    /// The name under which the only person is known here who now goes by the name that was typed.
    func knownName(ofOneWhoGoesBy typed: String) -> String? {
        let wanted = typed.folded
        let found = directory.peers.filter { $0.value.newName?.folded == wanted }
        return found.count == 1 ? found[0].value.displayName : nil
    }

    /// The present title of the only group of this user that was created with the title that was typed.
    func presentTitle(of typed: String) -> String? {
        let lowered = typed.lowercased()
        let found = directory.groups.filter { $0.value.isMember && $0.value.createdAs.lowercased() == lowered }
        return found.count == 1 ? found[0].value.title : nil
    }

    /// Whom a writer may mean in a conversation.
    func mentionGuess(of conversation: ConversationID) -> MentionGuess {
        let directory = directory
        let members = directory[conversation]?.members ?? []
        let direct =
            members.isEmpty
            ? directory.peers.first { ConversationID(direct: identity, $0.key) == conversation }?.key : nil
        let others = members.filter { $0 != identity } + [direct].compactMap { $0 }
        let unshown = others.flatMap { directory[$0]?.otherNames ?? [] }
        return MentionGuess(
            others.map { NameText.plain(directory.name(of: $0)) },
            others: unshown + [directory.profile.name],
            absent: {
                directory.peers.filter { peer, known in
                    !members.isEmpty && !members.contains(peer) && known.trust != .blocked && !known.displayName.isEmpty
                }
                .map { _, known in
                    let shown = NameText.plain(known.displayName)
                    return (shown, [shown] + known.otherNames)
                }
            },
            isGroup: !members.isEmpty
        )
    }

    /// Where a text names those whom it mentions, by the rule by which its writer's node found them (`MentionScan`), and
    /// the names that they have here; `nil` if nowhere.
    func mentionPlaces(of mentioned: [PeerID], in text: String, isGroup: Bool) -> [TextPlace]? {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return nil }
        let directory = directory
        var names = mentioned.flatMap { peer in
            Set((directory[peer]?.otherNames ?? []) + [directory.name(of: peer)]).map { MentionScan.Name($0, of: peer) }
        }
        if isGroup { names.append(MentionScan.Name("all", of: nil)) }
        let places = MentionScan(text, names: names).places(ControlLimits.mentionPlaces)
        return places.isEmpty ? nil : places.map { TextPlace(start: $0.lowerBound, length: $0.count) }
    }

    /// The people known or in sight, in the order of their IDs, who go by a name that looks the same.
    func namesakes(of name: String) -> [Person] {
        let inSight = peersInSight
        let found = directory.peers.filter { id, peer in
            let isSeen = peer.trust != .unknown || inSight.contains(id) && !peer.name.isEmpty
            guard isSeen, peer.trust != .blocked else { return false }
            return [peer.alias, peer.name, peer.newName].contains { $0?.looksLike(name) == true }
        }
        return found.map { $0.key }.sorted().map { person($0) }
    }
}

extension Directory {
    /// The names of accepted people.
    fileprivate var namesOfAccepted: [String] {
        peers.filter { $0.value.trust == .accepted || $0.value.trust == .verified }.map { $0.value.displayName }
    }

    /// The titles of the groups of this user.
    fileprivate var titlesOfGroups: [String] { groups.filter { $0.value.isMember }.map { $0.value.title } }
}

extension Directory.Peer {
    /// The names beside the one that is shown by which it can be mentioned.
    fileprivate var otherNames: [String] {
        [alias, name, newName].compactMap { $0 }.filter { !$0.isEmpty && !$0.isReservedName }
    }
}
