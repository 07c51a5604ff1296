import ParlanceControl

extension OpenConversation {
    /// What has to be read from the daemon, and what has happened since it was asked.
    struct Pages: Equatable, Sendable {
        private(set) var request: PageRequest?
        /// Everything from this place on is to be read again, beginning with the newest page.
        private var from: String?
        /// The message before which the next page of that ends; nil for the newest page.
        fileprivate var next: String?
        /// What came up while it was read: it begins again after that.
        private var again: String?
        var wantsOlder = false
        var wantsNewer = false
        /// The message around which the conversation is opened.
        private var around: String?
        /// Whether what is here need not reach the newest page.
        fileprivate var isReload = true
        /// Whether that is asked for once more, after the request that is under way.
        private var reloadsAgain = false
        fileprivate var told: [String: MessageInfo] = [:]
        fileprivate var gone: Set<String> = []

        /// At first everything is to be read, or a part around a message.
        init(around message: String? = nil) {
            from = message == nil ? "" : nil
            around = message
            isReload = message == nil
        }

        /// Whether the newest page is on its way, whatever is here.
        var isReloading: Bool { reloadsAgain || isReload && from != nil }

        /// Whether older messages are on their way.
        var isLoadingOlder: Bool { request?.before != nil || wantsOlder }

        mutating func told(_ message: MessageInfo) {
            if request != nil { told[message.id] = message }
        }

        mutating func withdrawn(_ id: String) {
            if request != nil { gone.insert(id) }
        }

        mutating func readAgain(from place: String) {
            if request == nil, next == nil {
                from = min(from ?? place, place)
            } else {
                again = min(again ?? place, place)
            }
        }

        /// Reads the newest page again, whatever is here.
        mutating func reload() {
            reloadsAgain = request != nil
            guard request == nil else { return }
            isReload = true
            (from, next, around) = ("", nil, nil)
        }

        /// Reads a part of the history around a message, in place of what is here.
        mutating func readAround(_ message: String?) {
            around = message
        }

        /// The page to ask for now.
        mutating func begin(_ number: Int, _ open: OpenConversation, _ unread: Int) -> PageRequest? {
            guard request == nil else { return nil }
            if reloadsAgain { reload() }
            if from == nil, let again { (from, self.again) = (again, nil) }
            let most = HistoryOperation.maximumLimit
            let ask = { PageRequest(number: number, who: open.who, part: $0, limit: $1) }
            if let around {
                request = ask(.around(around), most / 2)
                // The loaded part is replaced, so pending requests next to it are dropped.
                (wantsOlder, wantsNewer) = (false, false)
            } else if let from {
                // A few more may have come. What is wanted besides stays wanted: it is asked for after this.
                let known = open.messages.reversed().prefix { $0.place >= from }.count
                let first = max(HistoryOperation.defaultLimit, unread)
                let limit = min(most, 10 + (open.info == nil ? first : known))
                request = next.map { ask(.before($0), most) } ?? ask(.newest, limit)
            } else {
                if wantsOlder, open.hasMore, let first = open.messages.first {
                    request = ask(.before(first.id), most / 2)
                } else if wantsNewer, open.isBehind, let last = open.messages.last {
                    request = ask(.after(last.id), most / 2)
                }
                (wantsOlder, wantsNewer) = (false, false)
            }
            around = nil
            (told, gone) = ([:], [])
            return request
        }

        fileprivate mutating func ended() {
            request = nil
        }

        /// The page was refused.
        mutating func failed(_ refused: PageRequest) -> Bool {
            guard request?.number == refused.number else { return false }
            request = nil
            stop()
            return true
        }

        /// A page has come that begins at a place, or at the beginning of the history.
        fileprivate mutating func came(_ page: HistoryReply, _ first: String?) {
            guard let goal = from else { return }
            if let first, goal < first, !isReload {
                next = page.messages.first?.id
            } else {
                stop()
            }
            isReload = false
        }

        fileprivate mutating func stop() {
            (from, next) = (nil, nil)
        }
    }

    /// Merges a page with what is here.
    ///
    /// - Parameter edge: the message at the bottom edge if the user reads older ones, which must not go away.
    /// - Returns: false if it is the reply to an earlier request.
    mutating func received(_ page: HistoryReply, _ request: PageRequest, edge: String?) -> Bool {
        guard pages.request?.number == request.number else { return false }
        let isReload = pages.isReload && request.part == .newest
        pages.ended()
        switch request.part {
        case .newest, .before: break
        case .after:
            goOn(with: page)
            return true
        case .around:
            begin(with: page)
            return true
        }
        guard let end = request.part == .newest ? messages.count : place(request.before) else {
            // What it was to stand above is gone.
            pages.stop()
            return true
        }
        let first = page.more ? page.messages.first?.place : nil
        let start = page.more ? messages[..<end].firstIndex { $0.place >= first ?? "" } ?? end : 0
        let known = Set(page.messages.map(\.id))
        if isReload, page.more, !messages.contains(where: { known.contains($0.id) && pages.told[$0.id] == nil }) {
            guard edge == nil || messages.isEmpty else {
                info = page.conversation
                isBehind = true
                pages.stop()
                // What changed meanwhile in what is shown.
                pages.readAround(edge)
                return true
            }
            // What was here ends before the page begins, or there was nothing.
            messages.removeAll { pages.told[$0.id] == nil }
            replace(0..<messages.count, with: page)
            hasMore = true
            caughtUp()
        } else {
            replace(start..<end, with: page)
            if isReload { caughtUp() }
            if start == 0 { hasMore = page.more }
            // After a lost connection, what is here is read again as far back as it goes.
            if isReload, let oldest = messages.first?.place, page.more { pages.readBack(to: oldest) }
        }
        if request.part == .newest { info = page.conversation }
        pages.came(page, first)
        return true
    }

    /// Shows a part of the history that need not reach the newest message.
    private mutating func begin(with page: HistoryReply) {
        info = page.conversation
        hasMore = page.more
        isBehind = page.newer == true
        if isBehind { messages = [] }
        replace(0..<messages.count, with: page)
    }

    /// Adds what follows; after the last page this is the newest part of the history again.
    private mutating func goOn(with page: HistoryReply) {
        replace(messages.count..<messages.count, with: page)
        if page.more {
            insertTold()
        } else {
            caughtUp()
            readAgain { $0.status != .read }
        }
    }

    /// What is here reaches the newest message.
    private mutating func caughtUp() {
        guard isBehind else { return }
        isBehind = false
        insertTold()
    }

    /// Adds what was told since the page was asked for, and belongs to what is here.
    private mutating func insertTold() {
        let end = isBehind ? messages.last?.place : nil
        for message in pages.told.values where place(message.id) == nil && !pages.gone.contains(message.id) {
            if end.map({ message.place < $0 }) ?? true { insert(message) }
        }
    }

    /// Puts a page in place of the messages in its range; those that an event has told since are newer than it.
    private mutating func replace(_ range: Range<Int>, with page: HistoryReply) {
        let old = Dictionary(messages.map { ($0.id, $0) }) { $1 }
        var new = page.messages.filter { !pages.gone.contains($0.id) }
        for index in new.indices {
            guard let here = old[new[index].id] ?? pages.told[new[index].id] else { continue }
            var message = new[index]
            if pages.told[here.id] != nil {
                message = here
                message.waitingReason = new[index].waitingReason
                message.reach = new[index].reach
                message.status = new[index].status
            }
            message.keepStatus(of: here)
            if message.status?.rank ?? 0 > MessageStatus.sending.rank { message.waitingReason = nil }
            new[index] = message
        }
        let known = Set(new.map(\.id))
        let kept = messages[range].filter { pages.told[$0.id] != nil && !known.contains($0.id) }
        messages.replaceSubrange(range, with: [])
        messages.removeAll { known.contains($0.id) }
        new = (new + kept).sorted { $0.place < $1.place }
        let place = new.first.map { messages.endOfEarlier(than: $0) } ?? 0
        messages.insert(contentsOf: new, at: min(place, messages.count))
    }
}

extension OpenConversation.Pages {
    fileprivate mutating func readBack(to place: String) {
        isReload = false
        from = place
    }
}
