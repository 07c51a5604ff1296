import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Synchronization

/// Counts what the node has done since its start. All counts are made on the node's event loop; any thread reads them.
package final class Counters: Sendable {
    struct Values: Equatable {
        var linksOpened = 0
        var linksClosed = 0
        var dialsFailed = 0
        var framesReceived = 0
        /// The size of these frames, without the encryption.
        var bytesReceived = 0
        var framesSent = 0
        var bytesSent = 0
        var batches = 0
        var batchesFailed = 0
        /// Messages that became durable here, by their authors; notes and changes of messages are not counted.
        var messagesWritten = 0
        var messagesReceived = 0
        var breaches = 0
    }

    private let values = Mutex(Values())

    var now: Values { values.withLock { $0 } }

    func note(_ input: Input) {
        values.withLock { values in
            switch input {
            case .linkOpened: values.linksOpened += 1
            case .linkClosed: values.linksClosed += 1
            case .dialFailed: values.dialsFailed += 1
            case .frameReceived(_, _, let bytes):
                values.framesReceived += 1
                values.bytesReceived += bytes
            case .persisted: values.batches += 1
            case .persistFailed: values.batchesFailed += 1
            default: break
            }
        }
    }

    /// - Parameter bytes: the size of the frame, without the encryption.
    func noteSent(bytes: Int) {
        values.withLock { values in
            values.framesSent += 1
            values.bytesSent += bytes
        }
    }

    /// - Parameter own: the identity of this node.
    func note(_ effect: Effect, own: PeerID) {
        switch effect {
        case .report(_, .breach): values.withLock { $0.breaches += 1 }
        case .notify(.message(let message)) where message.note == nil:
            values.withLock { values in
                if message.log.author == own { values.messagesWritten += 1 } else { values.messagesReceived += 1 }
            }
        default: break
        }
    }
}
