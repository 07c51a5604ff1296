package import ParlanceWire

/// What identifies a store when it is opened. Its owner judges by it whether this is the same copy as before, an older
/// state, or another copy (identity.md, "Replica").
package struct StoreMarks: Equatable, Sendable {
    /// The database's file in the file system.
    package struct File: Equatable, Sendable {
        /// The device number, which may change with each boot.
        package var device: UInt64
        package var inode: UInt64

        package init(device: UInt64, inode: UInt64) {
            self.device = device
            self.inode = inode
        }
    }

    package var replica: ReplicaID
    /// Number of starts of the replica; at 0 nothing was ever written under its ID.
    package var epoch: UInt64
    /// How often the generation was raised. It falls only if an older state is restored.
    package var generation: UInt64
    package var file: File

    package init(replica: ReplicaID, epoch: UInt64, generation: UInt64, file: File) {
        self.replica = replica
        self.epoch = epoch
        self.generation = generation
        self.file = file
    }
}
