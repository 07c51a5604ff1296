import Foundation
import ParlanceWire

// Identifiers in the form that GRDB accepts.

extension Identifier32 {
    var data: Data { value.withUnsafeBytes { Data($0) } }
}

extension ReplicaID {
    var data: Data { Data(bytes) }
}
