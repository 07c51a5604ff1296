import ParlanceCore
import ParlanceNoise
import ParlanceWire

/// The type of a record: the first byte of its plaintext.
enum RecordType: UInt8 {
    /// A piece of the frame stream.
    case data = 0
    /// The end of the stream: nothing follows, and everything before it has arrived.
    case close = 1
    /// The responder's certificate, in its first record only.
    case certificate = 2
}

/// Sizes of a record, in bytes.
enum RecordSize {
    static let length = 2
    static let type = 1
    /// The smallest length of a record: a type and the tag.
    static let smallest = type + NoiseLimits.tagByteCount
    /// The most bytes that this node puts in one record. This is far less than a record may contain, so that a
    /// receiver can read on while it buffers little of a peer that it has not accepted.
    static let sentPayload = 8 * 1024

    /// The payload of a record of at least the smallest size that was opened in place.
    static func payload(of record: UnsafeMutableRawBufferPointer) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: record[type..<record.count - NoiseLimits.tagByteCount])
    }
}

/// Seals the records of one direction, rekeying as it goes.
struct RecordSealer: ~Copyable {
    private var cipher: CipherState
    private var underThisKey = 0

    init(_ cipher: consuming CipherState) {
        self.cipher = cipher
    }

    /// Appends one record to `output`. `payload` has at most `RecordSize.sentPayload` bytes.
    mutating func seal(
        _ type: RecordType,
        _ payload: some Collection<UInt8>,
        into output: inout [UInt8]
    ) throws(LinkError) {
        let plaintext = RecordSize.type + payload.count
        let sealed = plaintext + NoiseLimits.tagByteCount
        output.append(UInt8(truncatingIfNeeded: sealed >> 8))
        output.append(UInt8(truncatingIfNeeded: sealed))
        let start = output.count
        output.append(type.rawValue)
        output.append(contentsOf: payload)
        output.append(contentsOf: repeatElement(0, count: NoiseLimits.tagByteCount))
        do throws(NoiseError) {
            try output.withUnsafeMutableBufferPointer { buffer throws(NoiseError) in
                let record = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[start...]))
                try cipher.encrypt(UnsafeRawBufferPointer(rebasing: record[..<plaintext]), into: record)
            }
        } catch {
            throw .noise(error)
        }
        underThisKey += 1
        if underThisKey == Limits.recordsPerKey {
            cipher.rekey()
            underThisKey = 0
        }
    }
}

/// Opens the records of one direction, in order, rekeying as it goes.
struct RecordOpener: ~Copyable {
    private var cipher: CipherState
    private var underThisKey = 0

    init(_ cipher: consuming CipherState) {
        self.cipher = cipher
    }

    /// Opens a record in place and returns its type; `RecordSize.payload(of:)` then gives its content.
    mutating func open(_ record: UnsafeMutableRawBufferPointer) throws(LinkError) -> RecordType {
        do throws(NoiseError) {
            try cipher.decrypt(UnsafeRawBufferPointer(record), into: record)
        } catch {
            throw .noise(error)
        }
        underThisKey += 1
        if underThisKey == Limits.recordsPerKey {
            cipher.rekey()
            underThisKey = 0
        }
        guard record.count >= RecordSize.smallest, let type = RecordType(rawValue: record[0]) else {
            throw .record(.recordType)
        }
        return type
    }
}
