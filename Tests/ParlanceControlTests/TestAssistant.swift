import ParlanceControl

/// The test node's answers of the assistant.
enum TestAssistant {
    static func add(to methods: inout ControlMethods, of node: TestNode) {
        node.add(AssistantOperation.self, to: &methods) { operation, _ in
            var info = AssistantInfo(on: operation.on == true)
            if operation.on == true { (info.model, info.messages, info.bytes) = (.rules, 12, 2_048) }
            return info
        }
        node.add(ModelInstallOperation.self, to: &methods) { _, _ in
            var info = AssistantInfo(on: true)
            info.model = .miniLM
            return info
        }
        node.add(ModelServerOperation.self, to: &methods) { _, _ in
            var info = AssistantInfo(on: true)
            (info.model, info.chat) = (.rules, ModelInfo(name: "llama", address: "http://192.0.2.7:11434"))
            return info
        }
        node.add(AskOperation.self, to: &methods) { _, _ in
            let model = ModelInfo(name: "llama", address: "http://192.0.2.7:11434")
            var reply = AskReply(sources: near.sources, model: model)
            reply.answer = "At nine [1]."
            return reply
        }
        node.add(AskCancelOperation.self, to: &methods) { _, _ in AskCancelReply(cancelled: true) }
        node.add(TalkOperation.self, to: &methods) { _, _ in
            var turn = TalkTurn(
                id: 1,
                time: ControlTime(milliseconds: 1_772_000_000_000),
                question: "When does the ferry leave?",
                sources: [source("The ferry leaves at nine.")],
                model: ModelInfo(name: "llama", address: "http://192.0.2.7:11434")
            )
            turn.answer = "At nine [1]."
            return TalkReply(turns: [turn])
        }
        node.add(TalkClearOperation.self, to: &methods) { _, _ in TalkClearReply(turns: 1) }
        node.add(SummaryOperation.self, to: &methods) { _, _ in
            var reply = SummaryReply(
                conversation: ConversationInfo(id: "c", title: "Bob", peer: TestNode.bob.id),
                messages: 12,
                points: [source("The ferry leaves at nine.")],
                decisions: [decision],
                actions: [action],
                model: .rules
            )
            reply.answer = "The ferry leaves at nine [1]."
            return reply
        }
        node.add(ActionsOperation.self, to: &methods) { _, _ in ActionsReply(actions: [action], model: .rules) }
        node.add(ActionDoneOperation.self, to: &methods) { operation, _ in
            var done = action
            done.done = operation.done ?? true
            return done
        }
        node.add(DecisionsOperation.self, to: &methods) { _, _ in DecisionsReply(decisions: [decision], model: .rules) }
        node.add(PriorityOperation.self, to: &methods) { _, _ in
            PriorityReply(messages: [PriorityInfo(priority: .high, source: source("Help, now!"))], model: .rules)
        }
    }

    /// Each command of the assistant.
    static let commands = [
        ["assistant"], ["assistant", "on"], ["assistant", "off"],
        ["assistant", "model", "/m.whl"],
        ["assistant", "server", "http://192.0.2.7:11434"],
        ["assistant", "server", "http://192.0.2.7:11434", "--embedding", "near"],
        ["assistant", "server", "--none"], ["ask", "when"],
        ["search", "tea", "--meaning"],
        ["ask", "--in", "Bob", "when"],
        ["talk"], ["talk", "Crew"], ["talk", "clear"], ["talk", "clear", "--all"],
        ["summary", "Bob"], ["summary", "Bob", "--since", "3d"], ["actions"], ["actions", "list", "Bob"],
        ["actions", "done", "m1/1"],
        ["actions", "export"], ["actions", "export", "--csv"], ["deadlines"], ["decisions", "Bob"], ["priority"],
        ["priority", "--all"],
    ]

    /// What is near in meaning to a query.
    static var near: AskReply {
        var best = source("The ferry leaves at nine.")
        best.score = 0.75
        return AskReply(sources: [best], model: .miniLM)
    }

    private static let decision = DecisionInfo(text: "We take the boat.", source: source("Agreed. We take the boat."))

    private static var action: ActionInfo {
        let source = source("Ada, please order the filters by Friday.")
        var action = ActionInfo(id: "m1/1", task: "order the filters", priority: .high, done: false, source: source)
        (action.assignee, action.deadline) = ("Ada", "2026-03-06T12:00")
        return action
    }

    static func source(_ text: String) -> AssistantSource {
        AssistantSource(
            id: "m1",
            conversation: "c",
            kind: .group,
            title: "Crew",
            sender: Person(id: TestNode.bob.id, displayName: "Bob", trust: .accepted),
            time: ControlTime(milliseconds: 1_772_000_000_000),
            excerpt: text
        )
    }
}

extension TestNode {
    /// The commands whose answers stand in files of their own.
    static let laterCommands = TestAssistant.commands + TestWorkspace.commands
}
