import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

// What the daemon answers.
extension Chat {
    mutating func replied(_ purpose: ChatPurpose, _ reply: any Sendable) -> [ChatEffect] {
        switch (purpose, reply) {
        case (.conversations, let reply as ConversationsReply):
            list.conversations = reply.conversations.filter { $0.hidden != true }
            refreshes.ended(.conversations)
            if let open, open.info != nil,
                let info = reply.conversations.first(where: { ($0.peer ?? $0.id) == open.who })
            {
                self.open?.info = info
            }
            openFirst()
        case (.requests, let reply as RequestsReply):
            list.requests = reply.requests
            refreshes.ended(.requests)
        case (.people, let reply as PeersReply):
            list.people = reply.peers
            list.problems = reply.problems ?? []
            refreshes.ended(.people)
        case (.identity, let identity as IdentityInfo): return [.readDrafts(of: identity.id)]
        case (.page(let request), let page as HistoryReply): return received(page, request)
        case (.search(let asked), let reply as SearchReply): search.found(reply, asked)
        case (.talk(let who, let newest), let reply as TalkReply):
            if who == assistant.who { assistant.kept(reply.turns, since: newest) }
        case (.asked(let label), let reply as AskReply): assistant.answered(reply, label)
        case (.prompted(let prompt), _): found(reply, prompt)
        case (.members(let who), let group as GroupInfo): if who == open?.who { open?.group = group }
        case (.text, let reply as SendReply):
            if reply.firstContact == true { tell(Phrase("First contact: you have not checked yet who this is.")) }
            if let note = reply.mentionNotes.first { tell(note, .warning) }
        case (.text, let edited as MessageInfo):
            if let note = edited.mentionNotes.first { tell(note, .warning) }
        case (.file(let name), let sent as SentFile):
            tell(Phrase.joined([Phrase("\(name) is sent.")] + sent.notes), sent.notes.isEmpty ? .strong : .warning)
        case (.fetched, let reply as FilesReply): fetched(reply)
        case (.told(let phrase), _):
            tell(phrase)
            return refreshAll()
        case (.retained, let info as PreferenceInfo): return retained(info)
        case (.disappears, let info as ConversationInfo): return disappears(info)
        case (.cleared(let deletes), let reply as ClearReply):
            tell(ClearText.done(reply, deletes: deletes))
            return refresh(.conversations)
        case (.accepted, let peer as PeerInfo):
            let name = peer.shownName
            if let warning = peer.warning {
                tell(Phrase("Warning: \(warning). Tell them apart: parlance alias"), .warning, stays: true)
            } else {
                tell(Phrase("\(name) is accepted. Their messages reach you."))
            }
            return refreshAll()
        case (.ledger, let life as MessageLife): sheet = Sheet(.ledger(life))
        default: break
        }
        return []
    }

    private mutating func refreshAll() -> [ChatEffect] {
        refresh(.conversations) + refresh(.requests) + refresh(.people)
    }

    private mutating func received(_ page: HistoryReply, _ request: PageRequest) -> [ChatEffect] {
        let isFirst = open?.info == nil
        let isNewest = request.before == nil
        guard open?.received(page, request, edge: history.edge) == true else { return [] }
        // Unless the user has gone to the end meanwhile.
        if case .after = request.part, open?.pages.isReloading == false { history.staysAtEdge = true }
        history.changed()
        if isFirst {
            name(page.conversation.peer ?? page.conversation.id)
            let first = open?.messages.first { $0.unread == true }?.id
            open?.firstNew = first
            if case .around(let id) = request.part, open?.place(id) == nil {
                history.selected = nil
                tell(Phrase("That message is not here any more."), .warning)
            } else {
                history.showsNewFirst = first != nil && request.part == .newest
                if case .around = request.part { history.centresSelection = true }
            }
        } else if open?.firstNew == nil, let open, let first = open.messages.first(where: open.isNew) {
            self.open?.firstNew = first.id
        }
        lookForFirstNew()
        guard isNewest, page.conversation.kind == .group, open?.group == nil, let who = open?.who else { return [] }
        return [.call(GroupShowOperation(group: page.conversation.id), .members(who: who))]
    }

    /// The daemon says whom the user meant.
    private mutating func name(_ who: String) {
        guard let typed = open?.who, typed != who else { return }
        open?.who = who
        composer.name(typed, who)
    }

    /// Unread messages that are read before the user sees the first of them; with more, it is said how many there are.
    static let mostNewAtOnce = 1_000

    /// Reads further back while there are more unread messages than those that are here.
    mutating func lookForFirstNew() {
        guard history.showsNewFirst, let open, !open.pages.isLoadingOlder else { return }
        if let first = open.messages.first(where: open.isNew)?.id { self.open?.firstNew = first }
        if open.hasNewAbove, open.messages.count < Self.mostNewAtOnce { self.open?.pages.wantsOlder = true }
    }

    /// Goes to the first message that nobody has seen.
    mutating func goToFirstNew() {
        if open?.isBehind == true { goToEnd() }
        guard let open, let first = open.messages.first(where: open.isNew) ?? open.message(open.firstNew) else {
            return
        }
        self.open?.firstNew = first.id
        history.goToNew()
        lookForFirstNew()
    }

    /// Opens the first conversation if none was chosen.
    private mutating func openFirst() {
        guard opensFirst, open == nil, let first = list.entries.first else { return }
        turn(to: first.who)
    }

    // MARK: - Failures

    mutating func failed(_ purpose: ChatPurpose, _ failure: ControlFailure) -> [ChatEffect] {
        let isLost = failure.isConnectionLost
        switch purpose {
        case .conversations: refreshes.ended(.conversations)
        case .requests: refreshes.ended(.requests)
        case .people: refreshes.ended(.people)
        // A request stays under way until the end of the connection is told, which forgets it.
        case .page(let request):
            if isLost || open?.pages.failed(request) != true { return [] }
            history.showsNewFirst = false
            if open?.info == nil {
                let phrase = said(failure)
                open?.failure = phrase
                return []
            }
        case .search(let asked):
            search.failed(asked)
            if isLost { tell(Phrase("The daemon does not answer."), .warning) }
        case .talk(let who, _):
            let shown = failure.forPeople
            if who == assistant.who { assistant.failure = [shown.message, shown.advice].filter { !$0.isEmpty } }
        case .asked(let label): assistant.failed(label)
        case .prompted(let number): assistant.failed(number)
        case .text(let named, let text, let aim): composer.comeBack(text, aim, to: named, open: open?.who)
        case .identity, .members, .command, .file, .fetched, .change, .told, .retained, .disappears, .cleared,
            .accepted, .ledger,
            .sign:
            break
        }
        if isLost, purpose.isOfTheUser {
            let isText = if case .text = purpose { true } else { false }
            tell(unclear(isText: isText, isSilent: failure.code == ControlFailure.silentCode), .bad, stays: true)
        } else if !isLost, purpose != .sign, purpose != .identity {
            notices.refuse(said(failure), at: clock.now)
        }
        return []
    }

    /// What is told when nobody knows whether the daemon did what it was asked for.
    private func unclear(isText: Bool, isSilent: Bool) -> Phrase {
        switch (isText, isSilent) {
        case (true, true):
            Phrase("The daemon does not answer. The text may have been sent: look before you send it again.")
        case (true, false):
            Phrase("The daemon stopped. The text may have been sent already: look before you send it again.")
        case (false, true): Phrase("The daemon does not answer. That may not have been done.")
        case (false, false): Phrase("The daemon stopped before it answered. That may not have been done.")
        }
    }

    func said(_ failure: ControlFailure) -> Phrase {
        let shown = failure.forPeople
        return shown.advice.isEmpty ? shown.message : Phrase("\(shown.message) \(shown.advice)")
    }

    mutating func tell(_ phrase: Phrase, _ style: Style = .strong, stays: Bool = false) {
        notices.tell(phrase, style, stays: stays, at: clock.now)
    }
}
