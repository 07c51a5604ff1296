import ParlanceControl

/// The test node's answers about conversations that are cleared, deleted and hidden, and about room.
enum TestClearing {
    static func add(to methods: inout ControlMethods, of node: TestNode) {
        node.add(ConversationClearOperation.self, to: &methods) { asked, state in
            state.changed = [asked.who]
            return ClearReply(conversation: "b", title: "Bob", trust: .accepted, waiting: 2)
        }
        node.add(ConversationDeleteOperation.self, to: &methods) { asked, state in
            state.changed = [asked.who]
            return ClearReply(conversation: "b", title: "Bob", trust: .accepted, hidden: true)
        }
        node.add(ConversationHideOperation.self, to: &methods) { _, _ in
            var info = TestPeers.preference()
            info.hidden = true
            return info
        }
        node.add(ConversationShowOperation.self, to: &methods) { _, _ in TestPeers.preference() }
        node.add(DiskOperation.self, to: &methods) { _, _ in
            DiskReply(
                conversations: [DiskEntry(conversation: "b", title: "Bob", messages: 3, messageBytes: 2_048)],
                pictures: 3_072
            )
        }
    }
}
