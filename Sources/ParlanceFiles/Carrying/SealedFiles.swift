import Glibc
package import ParlanceCore
import ParlanceWire

/// Sealed files of a stick that anybody may have filled (carry.md, "Taking files").
package enum SealedFiles {
    /// Why a sealed file was not taken. Nothing is left of it.
    package enum Failure: Error, Equatable, Sendable {
        /// It is another one, or no sealed file.
        case foreign
        /// It was changed or cut off.
        case damaged
        /// The stick cannot be read, with this `errno`.
        case stick(Int32)
        /// Where it was to be written, it could not.
        case disk(ShelfError)
    }

    /// Opens a sealed file and writes what is in it to a new file, one piece in memory at a time.
    ///
    /// - Parameters:
    ///   - descriptor: that of the sealed file, which stays open.
    ///   - place: where nothing is; `nil` only verifies.
    ///   - progress: is told how many bytes of the file were written.
    package static func open(
        _ descriptor: Int32,
        _ carried: CarriedFile,
        to place: String?,
        progress: (UInt64) -> Void = { _ in }
    ) throws(Failure) {
        do throws(Failure) {
            try read(descriptor, carried, to: place, progress)
        } catch {
            if let place { unlink(place) }
            throw error
        }
    }

    /// With what a sealed file begins: its author tells by it what lies there already. `nil` if it is shorter or unreadable.
    package static func mark(of descriptor: Int32) -> [UInt8]? {
        guard let sealed = try? duplicate(descriptor), let mark = try? bytes(Bytes32.count, of: sealed, at: 0),
            mark.count == Bytes32.count
        else { return nil }
        return mark
    }

    private static func read(
        _ descriptor: Int32,
        _ carried: CarriedFile,
        to place: String?,
        _ progress: (UInt64) -> Void
    ) throws(Failure) {
        let sealed = try duplicate(descriptor)
        let opening = try begin(sealed, carried)
        guard let place else { return try pieces(of: sealed, opening) { (_) throws(Failure) in } }
        let copy = try onDisk { () throws(ShelfError) in try Outgoing.create(place, carried.size) }
        var room = RoomWatch()
        var offset: UInt64 = 0
        try pieces(of: sealed, opening) { (bytes) throws(Failure) in
            try onDisk { () throws(ShelfError) in
                try bytes.writing { (bytes) throws(ShelfError) in try copy.write(bytes, at: offset) }
                try room.wrote(bytes.count, to: copy)
            }
            offset += UInt64(bytes.count)
            progress(offset)
        }
    }

    private static func begin(
        _ sealed: borrowing OpenFile,
        _ carried: CarriedFile
    ) throws(Failure) -> SealedFileOpening {
        let size = try onStick { () throws(ShelfError) in try sealed.size() }
        let head = try bytes(SealedFileShape.headBytes, of: sealed, at: 0)
        do throws(SealedFileOpening.Fault) {
            return try SealedFileOpening(carried, head: head, byteCount: size)
        } catch { throw Failure(error) }
    }

    private static func pieces(
        of sealed: borrowing OpenFile,
        _ begun: consuming SealedFileOpening,
        _ take: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var opening = begun
        var offset = UInt64(SealedFileShape.headBytes)
        while let wanted = opening.wanted {
            let piece = try bytes(wanted, of: sealed, at: offset)
            offset += UInt64(piece.count)
            let opened: [UInt8]
            do throws(SealedFileOpening.Fault) {
                opened = Array(try opening.open(piece))
            } catch { throw Failure(error) }
            try take(opened)
        }
    }

    /// Fewer only at the end of the file.
    private static func bytes(_ count: Int, of file: borrowing OpenFile, at offset: UInt64) throws(Failure) -> [UInt8] {
        do throws(ShelfError) {
            return try [UInt8].reading(count) { (buffer) throws(ShelfError) in try file.read(into: buffer, at: offset) }
        } catch { throw Failure(reading: error) }
    }

    private static func duplicate(_ descriptor: Int32) throws(Failure) -> OpenFile {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw .stick(errno) }
        return OpenFile(descriptor: copy)
    }

    private static func onStick<Value>(_ body: () throws(ShelfError) -> Value) throws(Failure) -> Value {
        do throws(ShelfError) { return try body() } catch { throw Failure(reading: error) }
    }

    private static func onDisk<Value: ~Copyable>(_ body: () throws(ShelfError) -> Value) throws(Failure) -> Value {
        do throws(ShelfError) { return try body() } catch { throw .disk(error) }
    }
}

extension SealedFiles.Failure {
    fileprivate init(reading error: ShelfError) {
        if case .failed(let code) = error { self = .stick(code) } else { self = .damaged }
    }

    fileprivate init(_ fault: SealedFileOpening.Fault) {
        switch fault {
        case .foreign: self = .foreign
        case .damaged: self = .damaged
        }
    }
}
