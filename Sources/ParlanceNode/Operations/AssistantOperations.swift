import ParlanceAssistant
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceWords

// The assistant's work is done by itself; here it is only asked.

extension NodeOperations {
    static let assistant: [any NodeOperation.Type] = [
        AssistantOperation.self, ModelInstallOperation.self, ModelServerOperation.self, AskOperation.self,
        AskCancelOperation.self, TalkOperation.self, TalkClearOperation.self, SummaryOperation.self,
        ActionsOperation.self, ActionDoneOperation.self, DecisionsOperation.self, PriorityOperation.self,
    ]
}

extension AssistantOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> AssistantInfo {
        let known = offers == true ? node.offers : nil
        return try await node.assistant.perform { assistant, node throws(ControlError) in
            var info = try assistant.turn(on, node)
            info.offers = await known?.known(to: node)
            info.offered = await known?.own()
            return info
        }
    }
}

extension ModelInstallOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> AssistantInfo {
        try await node.assistant.perform { assistant, node throws(ControlError) in
            try await assistant.install(self, node)
        }
    }
}

extension ModelServerOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> AssistantInfo {
        try await node.assistant.perform { assistant, node throws(ControlError) in try await assistant.use(self, node) }
    }
}

extension AskOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> AskReply {
        // Whoever says how many messages are wanted searches, by the meaning alone.
        if limit != nil, let query = try? SearchQuery(parsing: question), !query.isPlain {
            throw .meaningWithFields
        }
        return try await node.assistant.ask(self) { [hub = node.hub] in hub.publish($0) }
    }
}

extension AskCancelOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> AskCancelReply {
        node.assistant.cancel(self)
    }
}

extension TalkOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> TalkReply {
        try await node.assistant.perform { assistant, node throws(ControlError) in try await assistant.talk(self, node)
        }
    }
}

extension TalkClearOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> TalkClearReply {
        try await node.assistant.perform { assistant, node throws(ControlError) in try await assistant.clear(self, node)
        }
    }
}

extension SummaryOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> SummaryReply {
        try await node.assistant.perform { assistant, node throws(ControlError) in
            try await assistant.summary(self, node)
        }
    }
}

extension ActionsOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> ActionsReply {
        try await node.assistant.perform { assistant, node throws(ControlError) in
            try await assistant.actions(self, node)
        }
    }
}

extension ActionDoneOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> ActionInfo {
        try await node.assistant.perform { assistant, node throws(ControlError) in try await assistant.note(self, node)
        }
    }
}

extension DecisionsOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> DecisionsReply {
        try await node.assistant.perform { assistant, node throws(ControlError) in
            try await assistant.decisions(self, node)
        }
    }
}

extension PriorityOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> PriorityReply {
        try await node.assistant.perform { assistant, node throws(ControlError) in try await assistant.priorities(node)
        }
    }
}

extension ControlError {
    fileprivate static let meaningWithFields = ControlError(
        .invalidValue,
        Phrase("A search by the meaning takes words alone, without fields such as from:, phrases or parts of words."),
        advice: Phrase("Ask as you would ask a person, or search without --meaning.")
    )
}
