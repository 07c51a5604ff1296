import Foundation
import ParlanceWire

// Identifiers as GRDB takes them.

extension Identifier32 {
    var data: Data { value.withUnsafeBytes { Data($0) } }
}

extension ReplicaID {
    var data: Data { Data(bytes) }
}
