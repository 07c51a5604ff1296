import Foundation
package import ParlanceCore
package import ParlanceWire

/// The shelf of files of a simulated node, in memory, with the rules of the real one (files.md, "On the disk"): it verifies
/// each chunk, and a crash loses chunks that were not noted.
package struct SimulatedShelf: Sendable {
    /// Whole files.
    package private(set) var whole: [FileID: [UInt8]] = [:]
    private var manifests: [FileID: FileManifest] = [:]
    private var parts: [FileID: Part] = [:]
    /// The files that were begun since the last start.
    private var open: Set<FileID> = []
    /// When its last work ends: news come in order.
    var busyUntil: Int64 = 0
    /// Bytes for which there is room; `nil` if there is no limit.
    package var room: UInt64?
    /// Whether reads give wrong bytes, as those of a liar.
    package var lies = false
    /// Whether reads are never answered.
    package var stalls = false
    /// The highest number of bytes that it was given at once.
    package private(set) var mostKept = 0

    private struct Part: Sendable {
        var manifest: FileManifest
        var held: ChunkSet
        /// What a crash leaves.
        var noted: ChunkSet
        var bytes: [UInt8]
    }

    package init() {}

    /// Takes a file of the user.
    package mutating func take(_ bytes: [UInt8]) throws -> FileManifest {
        var hasher = try FileHasher(FileShape(size: UInt64(bytes.count)))
        try hasher.update(bytes)
        let manifest = try hasher.finish()
        (whole[manifest.id], manifests[manifest.id], parts[manifest.id]) = (bytes, manifest, nil)
        return manifest
    }

    /// The process has died.
    mutating func crash() {
        for (file, part) in parts { parts[file]?.held = part.noted }
        open = []
        busyUntil = 0
    }

    package mutating func remove(_ file: FileID) {
        (whole[file], manifests[file], parts[file]) = (nil, nil, nil)
    }

    /// How many chunks of a file are here.
    package func count(of file: FileID) -> Int { parts[file]?.held.count ?? manifests[file]?.shape.count ?? 0 }

    package mutating func perform(_ work: ShelfWork) -> ShelfNews? {
        switch work {
        case .look(let file): return .looked(file, content(of: file))
        case .begin(let manifest): return .begun(manifest.id, begin(manifest))
        case .keep(let file, let chunk, let pieces): return .kept(file, chunk: chunk, keep(file, chunk, pieces))
        case .finish(let file):
            if whole[file] != nil { return .finished(file, nil) }
            guard let part = parts[file], part.held.isComplete else { return .finished(file, .missing) }
            (whole[file], manifests[file], parts[file]) = (part.bytes, part.manifest, nil)
            return .finished(file, nil)
        case .read(let read, let file, let range): return stalls ? nil : .read(read, bytes(of: file, range))
        case .rest(let file):
            if let part = parts[file] { parts[file]?.noted = part.held }
            open.remove(file)
            return nil
        case .drop(let file):
            parts[file] = nil
            open.remove(file)
            return nil
        }
    }

    private func content(of file: FileID) -> ShelfContent {
        if let manifest = manifests[file] { return .whole(manifest) }
        return parts[file].map { .part($0.manifest, $0.held) } ?? .nothing
    }

    private mutating func begin(_ manifest: FileManifest) -> Result<ChunkSet, ShelfTrouble> {
        if whole[manifest.id] != nil { return .success(ChunkSet(all: manifest.shape.count)) }
        if let room, manifest.shape.size > room { return .failure(.full(needed: manifest.shape.size, free: room)) }
        let new = Part(
            manifest: manifest,
            held: ChunkSet(total: manifest.shape.count),
            noted: ChunkSet(total: manifest.shape.count),
            bytes: [UInt8](repeating: 0, count: Int(manifest.shape.size))
        )
        let part = parts[manifest.id] ?? new
        parts[manifest.id] = part
        open.insert(manifest.id)
        return .success(part.held)
    }

    private mutating func keep(_ file: FileID, _ chunk: Int, _ pieces: [Data]) -> ChunkOutcome {
        guard open.contains(file), let part = parts[file], case let manifest = part.manifest,
            let range = manifest.shape.range(of: chunk)
        else {
            return .failed(.missing)
        }
        let bytes = pieces.flatMap { [UInt8]($0) }
        mostKept = max(mostKept, bytes.count)
        guard manifest.verifies(bytes, as: chunk) else { return .wrong }
        if let room, UInt64(bytes.count) > room {
            // As after a failed write: nothing is believed but what was noted.
            parts[file]?.held = part.noted
            open.remove(file)
            return .failed(.full(needed: UInt64(bytes.count), free: room))
        }
        parts[file]?.bytes.replaceSubrange(Int(range.lowerBound)..<Int(range.upperBound), with: bytes)
        parts[file]?.held.insert(chunk)
        if let held = parts[file]?.held, held.count.isMultiple(of: 2) { parts[file]?.noted = held }
        return .written
    }

    private func bytes(of file: FileID, _ range: Range<UInt64>) -> [UInt8]? {
        guard let bytes = whole[file] ?? parts[file]?.bytes, range.upperBound <= UInt64(bytes.count) else { return nil }
        if let part = parts[file] {
            guard !range.isEmpty, let first = part.manifest.shape.chunk(at: range.lowerBound),
                let last = part.manifest.shape.chunk(at: range.upperBound - 1),
                (first...last).allSatisfy({ part.held.contains($0) })
            else { return nil }
        }
        let found = [UInt8](bytes[Int(range.lowerBound)..<Int(range.upperBound)])
        return lies ? found.map { ~$0 } : found
    }
}
