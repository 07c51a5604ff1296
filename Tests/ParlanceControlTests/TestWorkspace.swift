import ParlanceControl

/// What the test node says of its workspace.
enum TestWorkspace {
    static let code = "Ship aaaaaaaa bbbbbbbb cccccccc dddddddd eeeeeeee ffffffff gggggggg"

    static func answer(_ request: ControlRequest) -> Result<ControlReply, ControlError> {
        var ship = WorkspaceInfo(
            name: "Ship",
            code: code,
            number: 1,
            connected: [Person(id: TestNode.bob.id, displayName: "Bob")],
            removed: []
        )
        switch request {
        case .workspaceLeave: return .success(.workspace(WorkspaceReply(workspace: nil)))
        case .workspaceJoin(let join) where join.code != code:
            return .failure(ControlError(.invalidValue, "This is no invitation code.", advice: "Copy it whole."))
        case .workspaceRotate(let rotate):
            ship.number = 2
            ship.removed = (rotate.without ?? []).map { Person(id: "x", displayName: $0) }
        default: break
        }
        return .success(.workspace(WorkspaceReply(workspace: ship)))
    }
}
