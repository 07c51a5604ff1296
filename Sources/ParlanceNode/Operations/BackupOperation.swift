import Dispatch
import ParlanceControl
import ParlanceErrorCode
import ParlanceStore

extension NodeOperations {
    static let backup: [any NodeOperation.Type] = [BackupOperation.self]
}

extension BackupOperation: NodeOperation {
    /// Makes one copy at a time: each takes the room of the store.
    private static let copies = DispatchQueue(label: "parlance.control.backup")

    func perform(on node: LocalControl) async throws(ControlError) -> BackupReply {
        let copy = try await node.read(on: Self.copies) { try node.store.makeBackupCopy() }
        return BackupReply(copy: copy, dataPath: node.facts.now.dataPath, config: node.host.settings.file)
    }
}
