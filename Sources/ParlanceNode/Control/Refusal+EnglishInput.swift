import ParlanceControl
import ParlanceCore
import ParlanceWire
package import ParlanceWords

// The refusals of what was typed: names and texts.

extension Refusal.NamingReason {
    var words: RefusalWords {
        switch self {
        case .ownIdentity(let typed):
            RefusalWords(
                "ownIdentity",
                "\"\(typed)\" is you.",
                "Name somebody else; see \"parlance peers\".",
                ["typed": .text(typed)]
            )
        case .unknownPeer(let typed, orGroup: true):
            Self.unknown(typed, Self.anybody)
        case .unknownPeer(let typed, _): Self.unknown(typed, Self.person)
        case .unverified(let typed):
            RefusalWords(
                "unverified",
                "Nobody called \"\(typed)\" is verified.",
                """
                To address an unverified person of that name, leave out the check mark. To verify somebody: parlance \
                verify WHO
                """,
                ["typed": .text(typed)]
            )
        case .unknownGroup(let typed):
            RefusalWords(
                "unknownGroup",
                "There is no group called \"\(typed)\".",
                "See \"parlance conversations\" for the groups you are in.",
                ["typed": .text(typed)]
            )
        case .severalPeers(let typed, let found):
            several(
                "Peers",
                typed,
                found,
                Phrase("\"\(typed)\" could be \(found.count) people."),
                Phrase("Use the beginning of a peer ID instead.")
            )
        case .sharedName(let typed, let found):
            several(
                "SharingYourName",
                typed,
                found,
                Phrase("\"\(typed)\" is you, and others use that name too."),
                Phrase("Use the beginning of a peer ID instead.")
            )
        case .severalConversations(let typed, let found):
            several(
                "Conversations",
                typed,
                found,
                Phrase("\"\(typed)\" could be \(found.count) conversations."),
                Phrase("Use the beginning of an ID instead.")
            )
        case .severalGroups(let typed, let found):
            several(
                "Groups",
                typed,
                found,
                Phrase("\"\(typed)\" could be \(found.count) groups."),
                Phrase("Use the beginning of a group's ID instead.")
            )
        case .severalMembers(let typed, let found):
            RefusalWords(
                "severalMembers",
                "\"@\(typed)\" could be \(found.count) members.",
                "Nothing was sent. Give one of them an alias: parlance alias ID NAME",
                ["typed": .text(typed), "count": .number(found.count)]
            )
        }
    }

    private static let anybody = Phrase(
        """
        See "parlance peers" for who is known and nearby, and "parlance conversations" for your groups; a name, an alias, a \
        group's title, or at least \(PeerID.shortestPrefix) characters of an ID will do.
        """
    )
    private static let person = Phrase(
        """
        See "parlance peers" for who is known and nearby; a name, an alias, or at least \(PeerID.shortestPrefix) characters \
        of a peer ID will do.
        """
    )

    private static func unknown(_ typed: String, _ advice: Phrase) -> RefusalWords {
        RefusalWords("unknownPeer", "Nobody here is called \"\(typed)\".", advice, ["typed": .text(typed)])
    }

    private func several(
        _ what: String,
        _ typed: String,
        _ found: [Refusal.Candidate],
        _ message: Phrase,
        _ advice: Phrase
    ) -> RefusalWords {
        RefusalWords(
            "several\(what)",
            message,
            longerID(typed, found) ?? advice,
            ["typed": .text(typed), "count": .number(found.count)]
        )
    }

    /// How to mean one of those found only, if what was typed is the beginning of an ID; a group may have that as its title.
    private func longerID(_ typed: String, _ found: [Refusal.Candidate]) -> Phrase? {
        let given = typed.lowercased().filter { $0 != " " && $0 != "-" }
        let ids = found.map(\.idText)
        let isID = given.utf8.count >= PeerID.shortestPrefix && ids.contains { $0.hasPrefix(given) }
        guard isID else { return nil }
        var shared = given.count
        for (place, id) in ids.enumerated() {
            for other in ids.dropFirst(place + 1) { shared = max(shared, zip(id, other).prefix { $0 == $1 }.count) }
        }
        let longer = Phrase("Use more of the ID: at least \(shared + 1) characters of it.")
        guard found.contains(where: { $0.isGroup && !$0.idText.hasPrefix(given) }) else { return longer }
        return Phrase("\(longer) If you mean a group with that title, use the beginning of the group's ID.")
    }
}

extension Refusal.Candidate {
    fileprivate var isGroup: Bool { if case .group = self { true } else { false } }

    fileprivate var idText: String {
        switch self {
        case .peer(let peer): peer.text
        case .group(let group, _): group.text
        }
    }
}

extension Refusal.TextReason {
    var words: RefusalWords {
        switch self {
        case .emptyMessage: RefusalWords("emptyMessage", "An empty message was not sent.", "Write some text.")
        case .emptyEdit:
            RefusalWords("emptyEdit", "A message cannot be edited to nothing.", "To remove it: parlance delete ID")
        case .longMessage(let bytes):
            RefusalWords(
                "longMessage",
                "The text has \(bytes) bytes; a message holds \(Limits.textBytes).",
                "Nothing was sent. Send it in parts.",
                ["bytes": .number(bytes), "limit": .number(Limits.textBytes)]
            )
        case .notAnEmoji:
            RefusalWords(
                "notAnEmoji",
                "A reaction is exactly one emoji of at most \(Limits.emojiBytes) bytes.",
                "Give one, such as \u{1F44D}. To answer in words: parlance reply ID TEXT",
                ["limit": .number(Limits.emojiBytes)]
            )
        case .name(let fault):
            RefusalWords("\(fault.reason)Name", fault.sentence, "Choose another name.", fault.values)
        case .workspaceName(let fault):
            RefusalWords(
                "\(fault.reason)WorkspaceName",
                fault.sentenceOfWorkspace,
                "Choose another name.",
                fault.values
            )
        case .reservedName(let name): Self.reserved(name)
        case .takenAlias(let alias):
            RefusalWords(
                "takenAlias",
                "Somebody else goes by \"\(alias)\" already.",
                "Choose another alias.",
                ["alias": .text(alias)]
            )
        case .aliasOfGroup(let alias): Self.aliasOfGroup(alias)
        case .aliasOfID(let alias):
            RefusalWords("aliasOfID", Self.beginsID(alias), "Choose another alias.", ["alias": .text(alias)])
        case .title(let fault): Self.words(of: fault)
        case .markedTitle:
            RefusalWords("markedTitle", "A group's title cannot hold a check mark.", "Choose another.")
        case .titleOfPerson(let title):
            RefusalWords(
                "titleOfPerson",
                "\"\(title)\" is the name of a person here.",
                otherTitle,
                ["title": .text(title)]
            )
        case .titleOfGroup(let title):
            RefusalWords(
                "titleOfGroup",
                "You are in a group called \"\(title)\" already.",
                otherTitle,
                ["title": .text(title)]
            )
        case .titleOfID(let title):
            RefusalWords("titleOfID", Self.beginsID(title), otherTitle, ["title": .text(title)])
        case .statusWithControlCharacters:
            RefusalWords("controlledStatus", "A status text cannot hold control characters.", "Leave them out.")
        case .longStatus: Self.longStatus
        case .pictureSize: Self.pictureSize
        }
    }

    private static func beginsID(_ name: String) -> Phrase {
        Phrase("\"\(name)\" is a peer ID of somebody, or its beginning.")
    }

    private static func aliasOfGroup(_ alias: String) -> RefusalWords {
        RefusalWords(
            "aliasOfGroup",
            "You are in a group called \"\(alias)\" already.",
            "Choose another alias.",
            ["alias": .text(alias)]
        )
    }

    private static func words(of fault: TitleFault) -> RefusalWords {
        switch fault {
        case .controlCharacters:
            RefusalWords(
                "controlledTitle",
                "A title or topic is one line, without control characters.",
                "Choose another."
            )
        case .empty:
            RefusalWords("unreadableTitle", "A title or topic needs something to read.", "Choose another.")
        case .long(let bytes):
            RefusalWords(
                "longTitle",
                "The title or topic has \(bytes) bytes; it can have \(Limits.titleBytes).",
                "Choose a shorter one.",
                ["bytes": .number(bytes), "limit": .number(Limits.titleBytes)]
            )
        }
    }

    private static var longStatus: RefusalWords {
        RefusalWords(
            "longStatus",
            "A status text has at most \(Limits.statusTextBytes) bytes.",
            "Use a shorter one.",
            ["limit": .number(Limits.statusTextBytes)]
        )
    }

    private static func reserved(_ name: String) -> RefusalWords {
        RefusalWords(
            "reservedName",
            "\"\(name)\" cannot be a name or title: it is, or looks like, something with another meaning in Parlance.",
            "Nothing was changed. Choose another one.",
            ["name": .text(name)]
        )
    }

    private static var pictureSize: RefusalWords {
        RefusalWords(
            "pictureSize",
            "A picture of a person has 1 to \(Limits.pictureBytes) bytes.",
            "Use a smaller one.",
            ["limit": .number(Limits.pictureBytes)]
        )
    }
}

/// What to do about a title that is taken.
private var otherTitle: Phrase {
    Phrase("Nothing was changed. Choose another title; to use it nevertheless, add --force.")
}

extension NameFault {
    package var sentence: Phrase {
        switch self {
        case .controlCharacters: Phrase("A name cannot hold control characters.")
        case .checkMark: Phrase("A name cannot hold a check mark, which follows the names of verified people.")
        case .length: Phrase("A name has 1 to \(Limits.nameBytes) bytes and something to read.")
        }
    }

    fileprivate var sentenceOfWorkspace: Phrase {
        switch self {
        case .controlCharacters: Phrase("A workspace's name cannot hold control characters.")
        case .checkMark: Phrase("A workspace's name cannot hold a check mark.")
        case .length: Phrase("A workspace's name has 1 to \(Limits.nameBytes) bytes and something to read.")
        }
    }

    fileprivate var reason: String {
        switch self {
        case .controlCharacters: "controlled"
        case .checkMark: "marked"
        case .length: "unreadable"
        }
    }

    fileprivate var values: [String: ErrorReason.Value] {
        switch self {
        case .controlCharacters, .checkMark: [:]
        case .length: ["limit": .number(Limits.nameBytes)]
        }
    }
}
