import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import ParlanceWords

/// Whose newest message `last` stands for.
enum LastAuthor {
    /// For a method that answers a message.
    case others
    /// For a method that changes a message, or says how far it has come.
    case user
}

/// What may be typed in the place of a message's ID (protocol/control.md, "last"). An ID is longer, and has no colon.
private struct LastMessage {
    /// The conversation; nil for any.
    var who: String?

    init?(_ typed: String) {
        let parts = typed.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts[0].lowercased() == "last" else { return nil }
        who = parts.count == 2 ? String(parts[1]) : nil
    }
}

/// The message that `last` stands for, and what the reply says of it, so that nobody answers another than they think.
struct FoundLast {
    var message: ShownMessage
    var meant: ResolvedMessage
}

extension LocalControl {
    /// The message that `last` stands for; `nil` if something else was typed.
    func last(_ typed: String, of author: LastAuthor) async throws(ControlError) -> FoundLast? {
        guard let last = LastMessage(typed) else { return nil }
        guard let who = last.who else {
            // An own message in a group that the user has left is the last one too: no other is changed in its place.
            let places = try await places().filter { author == .user || $0.isOpen }
            return try await newest(of: author, in: places, orFail: .noLastMessage(of: author))
        }
        // Its author needs a name, even if the author has left the group.
        learnPeople()
        let place = try await ask(.findConversation(who: who), \.place)
        return try await newest(of: author, in: [place], orFail: .noLastMessage(of: author, in: place))
    }

    private func newest(
        of author: LastAuthor,
        in places: [Place],
        orFail error: ControlError
    ) async throws(ControlError) -> FoundLast {
        try await read { [self] in
            let wall = WallClock.milliseconds()
            let counting = try store.newestMessage(byOwner: author == .user, in: places.map(\.conversation), at: wall)
            // The user sees those that count for nobody, and means them too.
            var newest = try author == .user ? newestVoid(in: places) : []
            if let counting {
                let same = newest.firstIndex { $0.conversation == counting.conversation }
                if let same, (newest[same].effective, newest[same].id) < (counting.effective, counting.id) {
                    newest[same] = counting
                } else if same == nil {
                    newest.append(counting)
                }
            }
            let found = newest.max { ($0.time.shown(at: wall), $0.id) < ($1.time.shown(at: wall), $1.id) }
            // The user means the one that was taken back, which is no longer shown: no older one is changed in its place.
            if author == .user,
                let gone = try store.newestWithdrawn(in: places.map(\.conversation), at: wall),
                found.map({ $0.time.shown(at: wall) <= gone.writtenTime.shown(at: wall) }) ?? true,
                let place = places.first(where: { $0.conversation == gone.header.conversation })
            {
                throw ControlError.lastIsTakenBack(in: place)
            }
            guard let found, let place = places.first(where: { $0.conversation == found.conversation }) else {
                throw error
            }
            let meant = ResolvedMessage(
                id: found.id.text,
                conversation: found.conversation.text,
                title: place.title,
                kind: place.isGroup ? .group : .direct,
                sender: hub.person(found.log.author),
                text: found.text.prefix(utf8: Limits.previewBytes),
                file: found.rich.flatMap { $0.deletion == nil ? $0.files.first?.name : nil }
            )
            return FoundLast(message: found, meant: meant)
        }
    }
}

extension LocalControl {
    /// The newest message of the user, in each group, that counts for nobody.
    private func newestVoid(in places: [Place]) throws(StoreError) -> [ShownMessage] {
        var newest: [ShownMessage] = []
        for place in places {
            if let last = try voidMessages(in: place).last { newest.append(last) }
        }
        return newest
    }
}

extension Place {
    /// Whether the user may write here: not in a group that the user has left.
    fileprivate var isOpen: Bool {
        switch self {
        case .peer: true
        case .group(let view): view.isMember
        }
    }
}

extension ControlError {
    fileprivate static func lastIsTakenBack(in place: Place) -> ControlError {
        let title = NameText.plain(place.title)
        return ControlError(
            .notAllowed,
            place.isGroup
                ? Phrase("Your newest message, in the group \(title), was taken back.")
                : Phrase("Your newest message, to \(title), was taken back."),
            advice: "Nothing was done. For an older one use its ID: parlance history WHO --ids"
        )
    }

    /// - Parameter place: the conversation that was named; nil if none was.
    fileprivate static func noLastMessage(of author: LastAuthor, in place: Place? = nil) -> ControlError {
        let name = place.map { NameText.plain($0.title) } ?? ""
        let message =
            switch (author, place?.isGroup) {
            case (.user, nil): Phrase("None of your messages is here.")
            case (.user, true?): Phrase("None of your messages is in the group \(name).")
            case (.user, false?): Phrase("None of your messages to \(name) is here.")
            case (.others, nil): Phrase("No message from anybody else is here.")
            case (.others, true?): Phrase("No message from anybody else is in the group \(name).")
            case (.others, false?): Phrase("No message from \(name) is here.")
            }
        return ControlError(
            .unknownMessage,
            message,
            advice: author == .user
                ? "Here \"last\" stands for your newest message. Use an ID: parlance history WHO --ids"
                : "Here \"last\" stands for the newest message of somebody else. Use an ID: parlance history WHO --ids"
        )
    }
}
