package import ParlanceWire

/// What a store says of itself when it is opened, from which its owner tells whether it is the copy it was, and not
/// an older state of it or a copy of it (identity.md, "Replica").
package struct StoreMarks: Equatable, Sendable {
    /// Which file of the file system the database is.
    package struct File: Equatable, Sendable {
        /// The number of the device, which may be another after each boot.
        package var device: UInt64
        package var inode: UInt64

        package init(device: UInt64, inode: UInt64) {
            self.device = device
            self.inode = inode
        }
    }

    package var replica: ReplicaID
    /// Starts of the replica so far; at 0 nothing was ever written under its name.
    package var epoch: UInt64
    /// How often the generation was raised; it never falls but by going back to an older state.
    package var generation: UInt64
    package var file: File

    package init(replica: ReplicaID, epoch: UInt64, generation: UInt64, file: File) {
        self.replica = replica
        self.epoch = epoch
        self.generation = generation
        self.file = file
    }
}
