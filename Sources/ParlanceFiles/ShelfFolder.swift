import FoundationEssentials
import Glibc
import ParlanceCore
import ParlanceWire

/// Where the files of a shelf are. Everything is the owner's alone.
///
/// `whole/ab/ID` is a file, `ID.leaves` beside it its manifest. `parts/ID` is a file that is being fetched, each chunk at its
/// place; beside it `ID.leaves`, and in `ID.chunks` which chunks are there. `incoming` has what somebody is about to put on
/// the shelf.
struct ShelfFolder: Sendable {
    let path: String

    var whole: String { path + "/whole" }
    var parts: String { path + "/parts" }
    var incoming: String { path + "/incoming" }

    func folder(of id: FileID) -> String { whole + "/" + id.hex.prefix(2) }
    func whole(_ id: FileID) -> String { folder(of: id) + "/" + id.hex }
    func part(_ id: FileID) -> String { parts + "/" + id.hex }

    static let leaves = ".leaves"
    static let chunks = ".chunks"
    static let new = ".new"

    /// Creates the folders.
    func prepare() throws(ShelfError) {
        for folder in [path, whole, parts, incoming] { try Self.make(folder) }
        // A process may have died before the folders that it had made were durable.
        try Self.sync(whole)
    }

    /// Creates the folder in which a file is to be. It survives a loss of power.
    func makeFolder(of id: FileID) throws(ShelfError) {
        let folder = folder(of: id)
        guard access(folder, F_OK) != 0 else { return }
        try Self.make(folder)
        do throws(ShelfError) {
            try Self.sync(whole)
        } catch {
            rmdir(folder)
            throw error
        }
    }

    static func make(_ folder: String) throws(ShelfError) {
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .lastFailure }
        let opened = try OpenFile(folder, O_RDONLY | O_DIRECTORY)
        guard fchmod(opened.descriptor, 0o700) == 0 else { throw .lastFailure }
    }

    /// The names in a folder; none if it is not there.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Writes a small file anew: whoever reads it finds the former one or this one.
    ///
    /// - Parameter isSynced: whether that is so after a loss of power too.
    static func replace(_ path: String, _ bytes: [UInt8], isSynced: Bool = true) throws(ShelfError) {
        do {
            let file = try OpenFile(path + new, O_WRONLY | O_CREAT | O_TRUNC)
            try bytes.writing { (bytes) throws(ShelfError) in try file.write(bytes, at: 0) }
            if isSynced { try file.sync() }
        }
        try move(path + new, to: path)
    }

    static func move(_ from: String, to path: String) throws(ShelfError) {
        guard rename(from, path) == 0 else { throw .lastFailure }
    }

    /// Makes what was created, renamed or removed in a folder survive a loss of power.
    static func sync(_ folder: String) throws(ShelfError) {
        try OpenFile(folder, O_RDONLY | O_DIRECTORY).sync()
    }

    static func read(_ path: String, limit: Int) throws(ShelfError) -> [UInt8] {
        let file = try OpenFile(path, O_RDONLY)
        let size = try file.size()
        guard size <= UInt64(limit) else { throw .damaged }
        return try [UInt8].reading(Int(size)) { (buffer) throws(ShelfError) in try file.read(into: buffer, at: 0) }
    }

    /// Bytes that others than the administrator can still write to the disk.
    func free() throws(ShelfError) -> UInt64 {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { throw .lastFailure }
        return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
    }

    /// Refuses what the disk has no room for, so that it is known before anything is fetched.
    func checkRoom(for bytes: UInt64) throws(ShelfError) {
        let free = try free()
        let needed = bytes + Limits.diskReserveBytes
        guard needed <= free else { throw .full(needed: needed, free: free) }
    }
}

extension FileID {
    /// 64 lower-case digits, as the files of the shelf are called.
    var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count == 64, digits.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
            return nil
        }
        func value(_ digit: UInt8) -> UInt8 { digit < 58 ? digit - 48 : digit - 87 }
        self.init(stride(from: 0, to: 64, by: 2).map { value(digits[$0]) << 4 | value(digits[$0 + 1]) })
    }
}

extension ContiguousBytes {
    /// Calls a function with the bytes. A closure of the standard library does not keep the type of what it throws.
    func writing(_ body: (UnsafeRawBufferPointer) throws(ShelfError) -> Void) throws(ShelfError) {
        let result: Result<Void, ShelfError> = withUnsafeBytes { bytes in
            do throws(ShelfError) {
                return .success(try body(bytes))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }
}

extension [UInt8] {
    /// Bytes that a function reads, which returns how many it has read.
    static func reading(
        _ count: Int,
        _ body: (UnsafeMutableRawBufferPointer) throws(ShelfError) -> Int
    ) throws(ShelfError) -> [UInt8] {
        var failure: ShelfError?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            do throws(ShelfError) {
                initialized = try body(UnsafeMutableRawBufferPointer(buffer))
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
