import GRDBSQLite
import ParlanceHistory
import ParlanceWire

/// A value for a parameter of a statement.
protocol BoundValue {
    /// Binds it to a parameter, counted from 1, and copies what it refers to. This fails only for a wrong number or for
    /// gigabytes, which our statements do not have.
    func bind(_ index: Int32, of statement: OpaquePointer)
}

extension Int64: BoundValue {
    func bind(_ index: Int32, of statement: OpaquePointer) { sqlite3_bind_int64(statement, index, self) }
}

/// Binds all 64 bits, as SQLite's signed integer with the same bits.
extension UInt64: BoundValue {
    func bind(_ index: Int32, of statement: OpaquePointer) { Int64(bitPattern: self).bind(index, of: statement) }
}

extension Int: BoundValue {
    func bind(_ index: Int32, of statement: OpaquePointer) { Int64(self).bind(index, of: statement) }
}

extension Bool: BoundValue {
    func bind(_ index: Int32, of statement: OpaquePointer) { Int64(self ? 1 : 0).bind(index, of: statement) }
}

extension Optional: BoundValue where Wrapped: BoundValue {
    func bind(_ index: Int32, of statement: OpaquePointer) {
        if let self { self.bind(index, of: statement) } else { sqlite3_bind_null(statement, index) }
    }
}

extension [UInt8]: BoundValue {
    func bind(_ index: Int32, of statement: OpaquePointer) {
        withUnsafeBytes { bindBlob($0, copied, index, of: statement) }
    }
}

extension ReplicaID: BoundValue {
    func bind(_ index: Int32, of statement: OpaquePointer) { bytes.bind(index, of: statement) }
}

extension BoundValue where Self: Identifier32 {
    func bind(_ index: Int32, of statement: OpaquePointer) {
        value.withUnsafeBytes { bindBlob($0, copied, index, of: statement) }
    }
}

extension LineFlags: BoundValue {
    func bind(_ index: Int32, of statement: OpaquePointer) { rawValue.bind(index, of: statement) }
}

extension ConversationID: BoundValue {}
extension EventID: BoundValue {}
extension FileID: BoundValue {}
extension PeerID: BoundValue {}

/// Bytes to be bound without a copy, or `NULL`: they must stay in place until the statement has been stepped.
struct LentBytes: BoundValue {
    private let bytes: UnsafeRawBufferPointer?

    init(_ bytes: UnsafeRawBufferPointer?) { self.bytes = bytes }

    func bind(_ index: Int32, of statement: OpaquePointer) {
        if let bytes { bindBlob(bytes, nil, index, of: statement) } else { sqlite3_bind_null(statement, index) }
    }
}

/// UTF-8 to be bound as a text.
struct BoundText: BoundValue {
    private let utf8: [UInt8]

    init(_ utf8: some Collection<UInt8>) { self.utf8 = Array(utf8) }

    func bind(_ index: Int32, of statement: OpaquePointer) {
        utf8.withUnsafeBytes { bytes in
            let start = bytes.bindMemory(to: CChar.self).baseAddress
            if let start {
                sqlite3_bind_text(statement, index, start, Int32(clamping: bytes.count), copied)
            } else {
                sqlite3_bind_text(statement, index, "", 0, copied)
            }
        }
    }
}

/// Tells SQLite to copy the bytes (`SQLITE_TRANSIENT`, a macro that Swift does not import).
private var copied: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

private func bindBlob(
    _ bytes: UnsafeRawBufferPointer,
    _ destructor: sqlite3_destructor_type?,
    _ index: Int32,
    of statement: OpaquePointer
) {
    if bytes.isEmpty {
        sqlite3_bind_zeroblob(statement, index, 0)
    } else {
        sqlite3_bind_blob(statement, index, bytes.baseAddress, Int32(clamping: bytes.count), destructor)
    }
}
