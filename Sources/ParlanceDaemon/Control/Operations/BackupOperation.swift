import Dispatch
import ParlanceControl
import ParlanceStore

extension NodeOperations {
    static let backup: [any NodeOperation.Type] = [BackupOperation.self]
}

extension BackupOperation: NodeOperation {
    /// Makes one copy at a time: each takes the room of the store.
    private static let copies = DispatchQueue(label: "parlance.control.backup")

    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<BackupReply>) {
        Self.copies.async {
            do throws(StoreError) {
                let copy = try node.store.makeBackupCopy()
                let config = node.reload.settings.info.file
                reply(.success(BackupReply(copy: copy, dataPath: node.facts.now.dataPath, config: config)))
            } catch {
                reply(.failure(ControlError(.storeFailed, error.message, advice: error.advice)))
            }
        }
    }
}
