/// The workspace a node is in, as people see it.
package struct WorkspaceInfo: Codable, Equatable, Sendable {
    package var name: String
    /// The invitation code: whoever has it gets in.
    package var code: String
    /// Counts the rotations of the key.
    package var number: UInt64
    /// Members that are linked now, by name.
    package var connected: [Person]
    /// Who was left out of a rotation, by name.
    package var removed: [Person]

    package init(name: String, code: String, number: UInt64, connected: [Person], removed: [Person]) {
        self.name = name
        self.code = code
        self.number = number
        self.connected = connected
        self.removed = removed
    }
}

/// To everything about the workspace: as it is now; absent if the node is in none.
package struct WorkspaceReply: Codable, Equatable, Sendable {
    package var workspace: WorkspaceInfo?

    package init(workspace: WorkspaceInfo?) {
        self.workspace = workspace
    }
}

/// Makes a workspace with a new key.
package struct WorkspaceCreateRequest: Codable, Equatable, Sendable {
    /// 1 to 64 bytes of UTF-8 without control characters.
    package var name: String

    package init(name: String) {
        self.name = name
    }
}

/// Joins a workspace, either by its invitation code or by its name and a passphrase.
package struct WorkspaceJoinRequest: Codable, Equatable, Sendable {
    /// The invitation code, with the name or without.
    package var code: String?
    package var name: String?
    /// All who give the same name and passphrase are in the same workspace.
    package var passphrase: String?

    package init(code: String? = nil, name: String? = nil, passphrase: String? = nil) {
        self.code = code
        self.name = name
        self.passphrase = passphrase
    }
}

/// Gives the workspace a new key.
package struct WorkspaceRotateRequest: Codable, Equatable, Sendable {
    /// Who is not to get it; absent for nobody.
    package var without: [String]?

    package init(without: [String]? = nil) {
        self.without = without
    }
}
