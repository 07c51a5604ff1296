import ParlanceWire

// A file travels in pieces (files.md, "Pieces"). A chunk is a whole number of pieces, except at the end of the file.
extension FileShape {
    var pieceCount: UInt64 { (size + Self.pieceBytes - 1) / Self.pieceBytes }

    private static var pieceBytes: UInt64 { UInt64(Limits.pieceBytes) }

    /// The chunk to which a piece belongs; `nil` if the file has no such piece.
    func chunk(ofPiece number: UInt64) -> Int? {
        number < pieceCount ? chunk(at: number * Self.pieceBytes) : nil
    }

    /// The numbers of the pieces of a chunk; empty if there is no such chunk.
    func pieces(of chunk: Int) -> Range<UInt64> {
        guard let bytes = range(of: chunk) else { return 0..<0 }
        return (bytes.lowerBound / Self.pieceBytes)..<((bytes.upperBound + Self.pieceBytes - 1) / Self.pieceBytes)
    }

    /// The bytes of consecutive pieces; `nil` unless the file has all of them.
    func bytes(ofPieces first: UInt64, count: UInt64) -> Range<UInt64>? {
        guard count > 0, first < pieceCount, count <= pieceCount - first else { return nil }
        return (first * Self.pieceBytes)..<min((first + count) * Self.pieceBytes, size)
    }

    /// The bytes of the chunks in a set.
    func bytes(in set: ChunkSet) -> UInt64 {
        guard set.total == count, set.count > 0 else { return 0 }
        let whole = UInt64(set.count) * UInt64(chunkSize)
        return set.contains(count - 1) ? whole - UInt64(chunkSize - length(of: count - 1)) : whole
    }
}
