import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceHistory
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
    ///
    /// - Parameter conversations: those of which it can be; `nil`: any.
    func last(
        _ typed: String,
        of author: LastAuthor,
        in conversations: Set<ConversationID>? = nil
    ) async throws(ControlError) -> FoundLast? {
        guard let last = LastMessage(typed) else { return nil }
        guard let who = last.who else {
            // An own message in a group that the user has left is the last one too: no other is changed in its place.
            let places = try await places().filter { place in
                (author == .user || place.isOpen) && conversations?.contains(place.conversation) != false
            }
            // Of conversations with one person, the direct one names them.
            let direct = conversations == nil ? nil : places.first { !$0.isGroup }
            return try await newest(of: author, in: places, orFail: .noLastMessage(of: author, in: direct))
        }
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
            var newest = try author == .user ? newestVoid(in: places, at: wall) : []
            if let counting {
                let same = newest.firstIndex { $0.message.conversation == counting.message.conversation }
                if let same, newest[same].message.isShown(before: counting.message) {
                    newest[same] = counting
                } else if same == nil {
                    newest.append(counting)
                }
            }
            let last = newest.max { $0.rank < $1.rank }
            // The user means the one that was taken back, which is no longer shown: no older one is changed in its place.
            if author == .user,
                let gone = try store.newestWithdrawn(in: places.map(\.conversation), at: wall),
                last.map({ $0.rank < gone.rank }) ?? true,
                let place = places.first(where: { $0.conversation == gone.event.header.conversation })
            {
                throw ControlError.lastIsTakenBack(in: place)
            }
            guard let found = last?.message, let place = places.first(where: { $0.conversation == found.conversation })
            else {
                throw error
            }
            let meant = ResolvedMessage(
                id: found.id.text,
                conversation: found.conversation.text,
                title: place.title,
                kind: place.isGroup ? .group : .direct,
                sender: hub.person(found.log.author),
                text: found.preview.prefix(utf8: Limits.previewBytes)
            )
            return FoundLast(message: found, meant: meant)
        }
    }
}

extension LocalControl {
    /// The newest message of the user, in each group, that counts for nobody.
    private func newestVoid(
        in places: [Place],
        at wall: Int64
    ) throws(StoreError) -> [(message: ShownMessage, rank: WritingRank)] {
        var newest: [(message: ShownMessage, rank: WritingRank)] = []
        for place in places {
            guard let last = try voidMessages(in: place).last else { continue }
            newest.append((last, try store.rank(of: last, at: wall)))
        }
        return newest
    }
}

extension ShownMessage {
    /// Whether it stands above another message of its conversation.
    fileprivate func isShown(before other: ShownMessage) -> Bool { (effective, id) < (other.effective, other.id) }
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
