/// The workspace a node is in, as people see it.
package struct WorkspaceInfo: Codable, Equatable, Sendable {
    package var name: String
    /// The invitation code: anybody who has it can join.
    package var code: String
    /// Counts the rotations of the key.
    package var number: UInt64
    /// Members that are linked now, by name.
    package var connected: [Person]
    /// Peers that were left out of a rotation, by name.
    package var removed: [Person]

    package init(name: String, code: String, number: UInt64, connected: [Person], removed: [Person]) {
        self.name = name
        self.code = code
        self.number = number
        self.connected = connected
        self.removed = removed
    }
}
