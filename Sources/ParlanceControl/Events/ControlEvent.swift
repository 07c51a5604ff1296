/// One kind of event at a node, as told to its subscribers (protocol/control.md, "Events"): its name and what it carries.
///
/// The stored properties are the `data` of the notification; what is nil is left out.
///
/// To add a kind:
/// 1. Copy a type of this folder, with its name, and list it in `ControlEvents`.
/// 2. Publish it in `ParlanceDaemon`, in `EventHub`.
/// 3. Add its row to protocol/control.md, and its sentence to `EventText` of the command. Tests compare both with the list.
package protocol ControlEvent: Codable, Equatable, Sendable {
    static var kind: ControlEventKind { get }

    /// The conversation the event belongs to, if it belongs to one.
    var conversationID: String? { get }
    /// About how much memory the event takes while it waits for a slow subscriber, in bytes.
    var cost: Int { get }
}

extension ControlEvent {
    package var kind: ControlEventKind { Self.kind }
    package var conversationID: String? { nil }
    package var cost: Int { ControlLimits.eventCostBytes }
}
