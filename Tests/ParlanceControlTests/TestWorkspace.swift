import ParlanceControl
import ParlanceWords

/// The test node's answers about its workspace.
enum TestWorkspace {
    static let code = "Ship aaaaaaaa bbbbbbbb cccccccc dddddddd eeeeeeee ffffffff gggggggg"

    private static let ship = WorkspaceInfo(
        name: "Ship",
        code: code,
        number: 1,
        connected: [Person(id: TestNode.bob.id, displayName: "Bob")],
        removed: []
    )

    static func add(to methods: inout ControlMethods, of node: TestNode) {
        node.add(WorkspaceCreateOperation.self, to: &methods) { _, _ in WorkspaceReply(workspace: ship) }
        node.add(WorkspaceShowOperation.self, to: &methods) { _, _ in WorkspaceReply(workspace: ship) }
        node.add(WorkspaceLeaveOperation.self, to: &methods) { _, _ in WorkspaceReply(workspace: nil) }
        node.add(WorkspaceJoinOperation.self, to: &methods) { request, _ throws(ControlError) in
            guard request.code == code else {
                throw ControlError(.invalidValue, "This is no invitation code.", advice: "Copy it whole.")
            }
            return WorkspaceReply(workspace: ship)
        }
        node.add(WorkspaceRotateOperation.self, to: &methods) { request, _ in
            var ship = ship
            ship.number = 2
            ship.removed = (request.without ?? []).map { Person(id: "x", displayName: $0) }
            return WorkspaceReply(workspace: ship)
        }
    }
}
