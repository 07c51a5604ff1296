import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import ParlanceWords

// Pages of a conversation.
extension LocalControl {
    func page(
        of place: Place,
        before: String?,
        after: String?,
        _ limit: Int
    ) throws -> HistoryReply {
        var end: EventID?
        if let typed = before ?? after, !typed.isEmpty || before != nil {
            end = try message(typed, in: place)
        }
        let (conversation, overlay) = (place.conversation, place.overlay)
        let page =
            after == nil
            ? try store.page(of: conversation, before: end, limit: limit + 1, overlay: overlay)
            : try store.page(of: conversation, after: end, limit: limit + 1, overlay: overlay)
        let teller = MessageTeller(hub: hub, place: place, cutOff: facts.cutOff())
        let found = after == nil ? page.messages.suffix(limit) : page.messages.prefix(limit)
        let messages = found.map { message in
            var info = teller.info(message)
            if page.unread.contains(message.id) { info.unread = true }
            return info
        }
        let fitting = after == nil ? messages.newestFittingAPage : messages.oldestFittingAPage
        if after != nil, let last = found.prefix(fitting.count).last { store.remember(last) }
        return HistoryReply(
            conversation: self.conversation(place, page.summary, teller),
            messages: fitting,
            more: page.messages.count > fitting.count
        )
    }

    func page(
        of place: Place,
        around typed: String,
        _ limit: Int
    ) throws -> HistoryReply {
        try page(of: place, around: try message(typed, in: place), limit)
    }

    func page(
        of place: Place,
        around message: EventID,
        _ limit: Int
    ) throws -> HistoryReply {
        let found = try store.page(of: place.conversation, around: message, limit: limit, overlay: place.overlay)
        guard let found else { throw ControlError.unknownMessage }
        let teller = MessageTeller(hub: hub, place: place, cutOff: facts.cutOff())
        let messages = found.page.messages.map { message in
            var info = teller.info(message)
            if found.page.unread.contains(message.id) { info.unread = true }
            return info
        }
        let fitting = messages.fitting(around: found.place)
        var reply = HistoryReply(
            conversation: conversation(place, found.page.summary, teller),
            messages: Array(messages[fitting]),
            more: found.hasOlder || fitting.lowerBound > 0
        )
        if found.hasNewer || fitting.upperBound < messages.count { reply.newer = true }
        return reply
    }

    /// The message or note whose ID begins as typed.
    func message(
        _ typed: String,
        in place: Place
    ) throws -> EventID {
        guard typed.utf8.count >= Store.shortestIDPrefix else {
            throw ControlError.shortMessageID(typed, least: Store.shortestIDPrefix)
        }
        if let whole = Base32.decode(typed).flatMap({ EventID($0) }), store.remembers(whole, in: place.conversation) {
            return whole
        }
        let found = try store.findMessages(idPrefix: typed, in: place.conversation, limit: 2, includingNotes: true)
        let ids = try found.isEmpty ? overlaid(typed, in: place) : found.map(\.id)
        guard ids.count == 1 else { throw ids.isEmpty ? ControlError.unknownMessage : .severalMessages }
        return ids[0]
    }

    /// The IDs, with a typed prefix, of messages that are shown but not projected.
    private func overlaid(_ typed: String, in place: Place) throws(StoreError) -> [EventID] {
        try store.messages(place.overlay, in: place.conversation).map(\.id).filter {
            $0.text.hasPrefix(typed.lowercased())
        }
    }
}

extension [MessageInfo] {
    /// The oldest messages that fit a reply, at least one.
    fileprivate var oldestFittingAPage: [MessageInfo] {
        var room = ControlLimits.pageTextBytes
        var fitting: [MessageInfo] = []
        for message in self {
            guard message.cost <= room || fitting.isEmpty else { break }
            room -= message.cost
            fitting.append(message)
        }
        return fitting
    }

    /// The newest ones, at least one.
    fileprivate var newestFittingAPage: [MessageInfo] {
        Array(Array(reversed()).oldestFittingAPage.reversed())
    }

    /// The messages nearest to one of them that fit a reply together with it.
    fileprivate func fitting(around place: Int) -> Range<Int> {
        var room = ControlLimits.pageTextBytes - self[place].cost
        var fitting = place..<place + 1
        while true {
            let before = fitting.lowerBound > 0 ? self[fitting.lowerBound - 1].cost : .max
            let after = fitting.upperBound < count ? self[fitting.upperBound].cost : .max
            // The nearer one first, so that the message stays in the middle.
            let isBefore = after > room || before <= room && place - fitting.lowerBound < fitting.upperBound - place
            guard (isBefore ? before : after) <= room else { return fitting }
            room -= isBefore ? before : after
            fitting =
                isBefore
                ? fitting.lowerBound - 1..<fitting.upperBound : fitting.lowerBound..<fitting.upperBound + 1
        }
    }
}

extension ControlError {
    static let unknownMessage = ControlError(
        .unknownMessage,
        "No message in this conversation has that ID.",
        advice: "To see the IDs of its messages: parlance history WHO --ids"
    )
    static let severalMessages = ControlError(
        .unknownMessage,
        "Several messages have an ID that begins so.",
        advice: "Give more characters of the ID."
    )

    /// - Parameter least: how many characters of an ID are looked for.
    static func shortMessageID(_ typed: String, least: Int) -> ControlError {
        ControlError(
            .unknownMessage,
            "\"\(typed.withoutControlCharacters)\" is too short for a message's ID.",
            advice: "Give its first \(least) or more characters, as \"parlance history WHO --ids\" shows them."
        )
    }
}
