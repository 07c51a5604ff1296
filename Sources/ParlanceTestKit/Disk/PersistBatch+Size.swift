import ParlanceCore
import ParlanceRecords

extension PersistBatch {
    /// About how many bytes it takes on a disk.
    var byteCount: Int {
        let rows =
            conversations.count + branches.count + membership.count + signatures.count + named.count + peers.count
            + watermarks.count + recipients.count + prekeys.count + erasedPrekeys.count + erasedEnvelopes.count
            + preferences.count + transfers.count + pictures.count
        return 120 * rows + events.reduce(0) { $0 + $1.byteCount } + bodies.reduce(0) { $0 + $1.body.count }
            + envelopes.reduce(0) { $0 + $1.bytes.count }
            + pictures.reduce(0) { $0 + ($1.picture?.content.count ?? 0) }
    }
}
