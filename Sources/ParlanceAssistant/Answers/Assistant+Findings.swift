package import ParlanceControl

// Actions, decisions and what is urgent.
extension Assistant {
    package func actions(_ operation: ActionsOperation, _ node: any NodeControl) async throws(ControlError)
        -> ActionsReply
    {
        let store = try opened()
        let isReading = isReadingTexts
        let sources = try await Sources(node)
        let place = try await sources.conversation(operation.who)
        let all = try kept { try store.actions(in: place?.id) }
        let found = operation.due == true ? all.filter { !$0.done && $0.deadline != nil } : all
        var reply = ActionsReply(actions: await Self.infos(found, sources), model: .rules)
        if isReading { reply.reading = true }
        return reply
    }

    /// Describes actions whose messages are still shown.
    static func infos(_ actions: [AssistantStore.StoredAction], _ sources: Sources) async -> [ActionInfo] {
        var infos: [ActionInfo] = []
        let clock = LocalClock.system()
        for action in actions.prefix(AssistantLimits.answers) {
            guard let source = await sources.source(action.message, in: action.conversation) else { continue }
            infos.append(ActionInfo(action, source).timed(by: clock))
        }
        return infos
    }

    package func note(_ operation: ActionDoneOperation, _ node: any NodeControl) async throws(ControlError)
        -> ActionInfo
    {
        let store = try opened()
        let all = try kept { try store.actions(in: nil) }
        let exact = all.filter { $0.id == operation.id }
        let fitting = exact.isEmpty && operation.id.count >= 4 ? all.filter { $0.fits(operation.id) } : exact
        guard fitting.count == 1, var action = fitting.first,
            let source = await (try Sources(node)).source(action.message, in: action.conversation)
        else { throw .unknownAction(operation.id) }
        action.done = operation.done ?? true
        let done = action
        try kept { try store.mark(done, done: done.done) }
        return ActionInfo(action, source).timed(by: .system())
    }

    package func decisions(
        _ operation: DecisionsOperation,
        _ node: any NodeControl
    ) async throws(ControlError) -> DecisionsReply {
        let store = try opened()
        let isReading = isReadingTexts
        let sources = try await Sources(node)
        let place = try await sources.conversation(operation.who)
        let found = try kept { try store.decisions(in: place?.id) }
        var reply = DecisionsReply(decisions: await Self.infos(found, sources), model: .rules)
        if isReading { reply.reading = true }
        return reply
    }

    static func infos(
        _ decisions: [(message: String, conversation: String, text: String)],
        _ sources: Sources
    ) async -> [DecisionInfo] {
        var infos: [DecisionInfo] = []
        for decision in decisions.prefix(AssistantLimits.answers) {
            guard let source = await sources.source(decision.message, in: decision.conversation) else { continue }
            infos.append(DecisionInfo(text: decision.text, source: source))
        }
        return infos
    }

    package func priorities(_ node: any NodeControl) async throws(ControlError) -> PriorityReply {
        _ = try opened()
        let sources = try await Sources(node)
        var messages: [PriorityInfo] = []
        for place in sources.all where place.unread > 0 && place.contact == .open {
            let names = try await Members(of: place, node)
            let page = try await node.call(
                HistoryOperation(who: place.who, unread: true, limit: HistoryOperation.maximumLimit)
            )
            let unread = page.messages.filter { $0.unread == true && $0.isReadable }
            for message in unread.suffix(AssistantLimits.unread) {
                let urgency = Urgency(names.priority(message))
                messages.append(PriorityInfo(priority: urgency, source: sources.source(message, in: place)))
            }
        }
        return PriorityReply(messages: messages.sorted { $0.comesBefore($1) }, model: .rules)
    }
}

extension PriorityInfo {
    fileprivate func comesBefore(_ other: PriorityInfo) -> Bool {
        (priority.rank, other.source.time, source.id) < (other.priority.rank, source.time, other.source.id)
    }
}

extension Urgency {
    init(_ priority: Priority) {
        switch priority {
        case .high: self = .high
        case .normal: self = .normal
        case .low: self = .low
        }
    }

    fileprivate var rank: Int {
        switch self {
        case .high: 0
        case .normal: 1
        case .low: 2
        }
    }
}

extension AssistantStore.StoredAction {
    /// Whether a prefix of its ID was typed: of its message, or of both.
    fileprivate func fits(_ typed: String) -> Bool {
        guard let slash = typed.lastIndex(of: "/") else { return message.hasPrefix(typed) }
        return message.hasPrefix(typed[..<slash]) && typed[typed.index(after: slash)...] == "\(number)"
    }
}

extension ActionInfo {
    /// Notes whether the deadline has passed on the clock of this computer.
    func timed(by clock: LocalClock) -> ActionInfo {
        guard !done, let deadline = deadline.flatMap(Deadline.init(text:)),
            let today = CivilDay(number: Int(clock.day(clock.now))),
            deadline.isOver(at: today, minute: clock.minute(clock.now))
        else { return self }
        var action = self
        action.overdue = true
        return action
    }

    init(_ action: AssistantStore.StoredAction, _ source: AssistantSource) {
        self.init(
            id: action.id,
            task: action.task,
            priority: Urgency(rawValue: action.priority) ?? .normal,
            done: action.done,
            source: source
        )
        (assignee, deadline) = (action.assignee, action.deadline)
    }
}
