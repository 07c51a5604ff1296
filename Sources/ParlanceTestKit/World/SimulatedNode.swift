package import ParlanceCore
import ParlanceRecords
package import ParlanceSodium
package import ParlanceWire

/// One node of the world: an engine, its disk, and what is known about it from outside.
package final class SimulatedNode {
    package let name: String
    package let signer: SigningKey
    package let identity: PeerID
    package internal(set) var replica: ReplicaID
    /// The replica that its disk names after a change: the next process has this replica.
    var renewed: ReplicaID?
    /// The replica with which it began.
    package let firstReplica: ReplicaID
    package internal(set) var disk: SimulatedDisk
    /// Its files. They outlive its process.
    package var shelf = SimulatedShelf()
    /// What its store says that messages name, in a test without messages; `nil`: what they name.
    package var named: [ConversationID: Set<FileID>]?
    /// The workspace keys with which its process accepts and opens links.
    package internal(set) var keys: [WorkspaceKey] = []
    /// The real store that gets the same batches, if this node has one.
    package var real: (any RealDisk)?
    /// `nil` while the process does not run.
    package internal(set) var engine: Engine?
    /// Whether there is an engine. To compare it with `nil` would copy it.
    package internal(set) var isUp = false
    package internal(set) var answers: [CommandID: Result<Answer, Refusal>] = [:]
    package internal(set) var notices: [Notice] = []
    /// Counts the starts; events scheduled for an earlier process are ignored.
    package internal(set) var life = 0
    /// Whether its settings say that members of the workspace are accepted automatically.
    var acceptsMembers = true
    /// The largest file that it fetches without being asked for.
    package var autoFetchBytes: UInt64 = Limits.autoFetchBytes
    /// The limit of bytes of files a second with which it starts; `nil`: no limit.
    package var fileRate: UInt64?
    /// The most bytes of one author that a conversation takes in a day.
    package var authorDayBytes: UInt64? = Limits.authorDayBytes
    /// The present faults of its disk.
    package var trouble = DiskTrouble()

    /// The batch that is being written.
    var writing: PersistBatch?
    /// The missing bodies that its disk found with a durable batch of which the engine has not heard yet.
    var unheard: [MissingBodies] = []
    /// The latest copy of the folder.
    var backup: SimulatedDisk?
    var backupReplica: ReplicaID?
    var wakeAt: Int64?
    var isStopping = false
    /// Its disk broke: nothing more is written until the next start.
    var isDiskGone = false
    /// Counts the replicas that it has had.
    var replicas = 1
    /// Counts the roll-backs that it did not notice: each may leave two branches.
    var rollbacks = 0

    init(_ number: Int, name: String, signer: SigningKey, identity: PeerID, replica: ReplicaID) {
        self.number = number
        self.name = name
        self.signer = signer
        self.identity = identity
        self.replica = replica
        firstReplica = replica
        disk = SimulatedDisk(name: name, identity: identity)
    }

    /// Its index in the world.
    package let number: Int

    package var endpoint: Endpoint { Endpoint(host: name, port: 4747) }
    /// Its address on the network.
    package var address: NumericAddress? { NumericAddress([10, 1, UInt8(number / 200), UInt8(number % 200 + 1)]) }
}

/// Faults of a disk.
package struct DiskTrouble: Equatable, Sendable {
    /// The longest time for syncing a batch, in milliseconds.
    package var slowest: Int64 = 8
    /// How many of the next batches fail while the node goes on.
    package var failures = 0
    /// The next batch fails fatally: the node stops, and it is not known whether the batch was written.
    package var breaks = false
    /// How many more bytes fit on the disk; `nil` if there is no limit.
    package var room: Int?
    /// How many of the next reads return nothing.
    package var emptyReads = 0
    /// How many of the next reads fail.
    package var failedReads = 0

    package init() {}
}
