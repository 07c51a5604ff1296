package import ParlanceWire

/// A hash of everything that happened, in order: the same seed gives the same hash in every process. Not for secrets.
package struct TraceHash: Equatable, Sendable {
    package private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    package init() {}

    package mutating func add(_ word: UInt64) {
        value = (value ^ word) &* 0x9FB2_1C65_1E98_DF25
        value ^= value >> 32
    }

    package mutating func add(_ bytes: Bytes32) {
        bytes.withUnsafeBytes { add($0) }
    }

    package mutating func add(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { add($0) }
        add(UInt64(bytes.count))
    }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        var offset = 0
        while offset + 8 <= bytes.count {
            add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
            offset += 8
        }
        while offset < bytes.count {
            add(UInt64(bytes[offset]))
            offset += 1
        }
    }
}
