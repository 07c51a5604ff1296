/// The reply of every operation here: the workspace as it is now; absent if the node is in none.
package struct WorkspaceReply: Codable, Equatable, Sendable {
    package var workspace: WorkspaceInfo?

    package init(workspace: WorkspaceInfo?) {
        self.workspace = workspace
    }
}

/// `workspace.create`: makes a workspace with a new key.
package struct WorkspaceCreateOperation: ControlOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.create"

    /// 1 to 64 bytes of UTF-8 without control characters.
    package var name: String

    package init(name: String) {
        self.name = name
    }
}

/// `workspace.join`: joins a workspace, either by its invitation code or by its name and a passphrase.
package struct WorkspaceJoinOperation: ControlOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.join"

    /// The invitation code, with or without the name.
    package var code: String?
    /// The name to show for the workspace here; with a passphrase, the workspace's name.
    package var name: String?
    /// All who give the same name and passphrase are in the same workspace.
    package var passphrase: String?

    package init(code: String? = nil, name: String? = nil, passphrase: String? = nil) {
        self.code = code
        self.name = name
        self.passphrase = passphrase
    }
}

/// `workspace.show`: asks for the workspace.
package struct WorkspaceShowOperation: BareOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.show"

    package init() {}
}

/// `workspace.leave`: leaves the workspace.
package struct WorkspaceLeaveOperation: BareOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.leave"

    package init() {}
}

/// `workspace.rotate`: gives the workspace a new key.
package struct WorkspaceRotateOperation: ControlOperation {
    package typealias Reply = WorkspaceReply
    package static let method = "workspace.rotate"

    /// The peers that do not get the new key (see WHO in protocol/control.md); absent means none.
    package var without: [String]?

    package init(without: [String]? = nil) {
        self.without = without
    }
}
