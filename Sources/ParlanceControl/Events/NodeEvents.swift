package import ParlanceWords

// Events about the node and about subscriptions.

/// Discovery began, stopped or failed.
extension DiscoveryInfo: ControlEvent {
    package static let kind = ControlEventKind(of: "discovery")
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
