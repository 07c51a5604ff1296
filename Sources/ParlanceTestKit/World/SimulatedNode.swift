package import ParlanceCore
package import ParlanceSodium
package import ParlanceWire

/// One node of the world: an engine, its disk, and what is known of it from outside.
package final class SimulatedNode {
    package let name: String
    package let signer: SigningKey
    package let identity: PeerID
    package internal(set) var replica: ReplicaID
    /// The one that its disk names since it took a new one: the next process is that.
    var renewed: ReplicaID?
    /// The replica it began with.
    package let firstReplica: ReplicaID
    package internal(set) var disk: SimulatedDisk
    /// The workspace keys with which its process takes and opens links.
    package internal(set) var keys: [WorkspaceKey] = []
    /// A real store that gets the same batches, if this node has one.
    package var real: (any RealDisk)?
    /// `nil` while the process does not run.
    package internal(set) var engine: Engine?
    package internal(set) var answers: [CommandID: Result<Answer, CommandError>] = [:]
    package internal(set) var notices: [Notice] = []
    /// Counts the starts; what was meant for an earlier process is void.
    package internal(set) var life = 0
    /// What goes wrong with its disk at present.
    package var trouble = DiskTrouble()

    /// The batch that is being written.
    var writing: PersistBatch?
    /// What its disk found missing with a batch that is durable, and of which the engine has not heard yet.
    var unheard: [MissingBodies] = []
    /// The copy of the folder that was made last.
    var backup: SimulatedDisk?
    var backupReplica: ReplicaID?
    var wakeAt: Int64?
    var isStopping = false
    /// Its disk broke: nothing is written any more until the next start.
    var isDiskGone = false
    /// Counts the replicas it has had.
    var replicas = 1
    /// Counts how often it was rolled back and did not notice: each may leave two branches.
    var rollbacks = 0

    init(_ number: Int, name: String, signer: SigningKey, identity: PeerID, replica: ReplicaID) {
        self.number = number
        self.name = name
        self.signer = signer
        self.identity = identity
        self.replica = replica
        firstReplica = replica
        disk = SimulatedDisk(name: name)
    }

    /// Its place in the world.
    package let number: Int

    package var endpoint: Endpoint { Endpoint(host: name, port: 4747) }
    /// The address that the network has for it.
    package var address: NumericAddress? { NumericAddress([10, 1, UInt8(number / 200), UInt8(number % 200 + 1)]) }
    package var isUp: Bool { engine != nil }
}

/// What goes wrong with a disk.
package struct DiskTrouble: Equatable, Sendable {
    /// The longest a batch takes to be synced, in milliseconds.
    package var slowest: Int64 = 8
    /// So many of the next batches fail, and the node goes on.
    package var failures = 0
    /// The next batch fails for good: the node stops, and nobody knows whether it was written.
    package var breaks = false
    /// Bytes that the disk still takes; `nil`: it is not full.
    package var room: Int?
    /// So many of the next reads return nothing.
    package var emptyReads = 0
    /// So many of the next reads fail.
    package var failedReads = 0

    package init() {}
}
