/// The pieces of a picture that is being cleaned. What continues the last piece lengthens it.
struct PieceList {
    private(set) var pieces: [PictureCleaning.Piece] = []
    /// Bytes of all pieces.
    private(set) var count = 0

    mutating func copy(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        count += range.count
        if case .copy(let last)? = pieces.last, last.upperBound == range.lowerBound {
            pieces[pieces.count - 1] = .copy(last.lowerBound..<range.upperBound)
        } else {
            pieces.append(.copy(range))
        }
    }

    mutating func add(_ bytes: [UInt8]) {
        count += bytes.count
        pieces.append(.bytes(bytes))
    }
}
