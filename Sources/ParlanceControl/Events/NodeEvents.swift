package import ParlanceWords

// Events about the node, its assistant and subscriptions.

/// Discovery began, stopped or failed.
extension DiscoveryInfo: ControlEvent {
    package static let kind = ControlEventKind(of: "discovery")
}

/// A chat model has written more of its answer to a question that has a label.
///
/// It passes only filters that name its kind: whoever has not asked does not need it.
package struct AnswerEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "answer")

    /// The label of the question.
    package var turn: String
    /// What was written since the last of these events. What the reply of `ask` says counts in the end.
    package var text: String

    package init(turn: String, text: String) {
        (self.turn, self.text) = (turn, text)
    }

    package var cost: Int { ControlLimits.eventCostBytes + turn.utf8.count + text.utf8.count }
}

/// The node is about to stop.
package struct StoppingEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "stopping")

    /// One sentence for people, which says that the node stops, and why.
    package var why: Phrase

    package init(why: Phrase) {
        self.why = why
    }
}

/// A subscription has ended because its reader was too slow.
package struct LaggedEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "lagged")

    /// How many events the buffer held when it overflowed; they are dropped.
    package var dropped: Int

    package init(dropped: Int) {
        self.dropped = dropped
    }
}
