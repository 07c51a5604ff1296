/// One kind of event of a node, as subscribers get it (protocol/control.md, "Events"): its name and its data.
///
/// The stored properties are the `data` of the notification; nil properties are left out.
///
/// protocol/control.api describes the kinds, from which contrib/generate makes their types. To add one:
/// 1. Describe it there, run `contrib/generate --api`, and list its type in `ControlEvents`.
/// 2. Publish it in `ParlanceDaemon`, in `EventHub`.
/// 3. Add its sentence to `EventText` of the command. Tests compare both with the list.
package protocol ControlEvent: Codable, Equatable, Sendable {
    static var kind: ControlEventKind { get }

    /// The conversation that the event belongs to, if any.
    var conversationID: String? { get }
    /// An estimate of the memory that the event takes while it waits for a slow subscriber, in bytes.
    var cost: Int { get }
}

extension ControlEvent {
    package var kind: ControlEventKind { Self.kind }
    package var conversationID: String? { nil }
    package var cost: Int { ControlLimits.eventCostBytes }
}
