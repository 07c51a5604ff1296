import ParlanceCore
import ParlanceRecords

extension PersistBatch {
    /// About how many bytes it takes on a disk.
    var byteCount: Int {
        // One sum of all of it takes the compiler 13 seconds.
        let rows = [
            conversations.count, branches.count, membership.count, signatures.count, named.count, peers.count,
            watermarks.count, recipients.count, prekeys.count, erasedPrekeys.count, erasedEnvelopes.count,
            preferences.count, transfers.count, pictures.count,
        ]
        var bytes = 120 * rows.reduce(0, +)
        for event in events { bytes += event.byteCount }
        for body in bodies { bytes += body.body.count }
        for envelope in envelopes { bytes += envelope.bytes.count }
        for picture in pictures { bytes += picture.picture?.content.count ?? 0 }
        return bytes
    }
}
