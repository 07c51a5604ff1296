import ParlanceWire

/// The part of a text in which a query was found, with the places to mark.
package struct SearchExcerpt: Equatable, Sendable {
    package var text: String
    /// In Unicode scalars (code points) of `text`, ascending and apart.
    package var marks: [Range<Int>]
    /// Whether the whole text goes on before and after it.
    package var isCutBefore = false
    package var isCutAfter = false

    /// Characters before the first mark, so that its context shows.
    private static let before = 40
    /// Bytes of the text that are looked at around the first mark: enough for an excerpt in any script.
    private static let window = 4096
    /// Characters that are given up to begin with a whole word.
    private static let slack = 12

    /// - Parameter ranges: the places to mark in the whole text, in bytes of UTF-8.
    package init(of whole: String, marking ranges: [Range<Int>]) {
        let size = whole.utf8.count
        let focus = Self.focus(ranges)
        let lower = Self.align(whole, max(0, focus - Self.window / 4))
        let upper = Self.align(whole, min(size, focus + Self.window))
        let near = Array(whole[lower..<upper])
        var (first, offset) = (0, whole.utf8.distance(from: whole.startIndex, to: lower))
        var last = near.count
        if near.count > Limits.searchExcerptCharacters || offset > 0 {
            (first, offset) = Self.start(near, from: offset, focus: focus)
            last = min(near.count, first + Limits.searchExcerptCharacters)
        }
        text = String(near[first..<last])
        let end = offset + text.utf8.count
        isCutBefore = offset > 0
        isCutAfter = end < size
        let inside = ranges.map { $0.clamped(to: offset..<end) }.filter { !$0.isEmpty }
        marks = Self.scalars(text, inside.map { $0.lowerBound - offset..<$0.upperBound - offset })
    }

    /// Where the most marks are together.
    private static func focus(_ ranges: [Range<Int>]) -> Int {
        var best = (count: 0, start: 0)
        for (index, range) in ranges.enumerated() {
            let end = range.lowerBound + Limits.searchExcerptCharacters - before
            let count = ranges[index...].prefix { $0.upperBound <= end }.count
            if count > best.count || index == 0 { best = (count, range.lowerBound) }
        }
        return best.start
    }

    /// The scalar that holds a byte, as an index.
    private static func align(_ text: String, _ offset: Int) -> String.Index {
        var index = text.utf8.index(text.startIndex, offsetBy: offset)
        while index < text.endIndex, text.utf8[index] & 0xC0 == 0x80 { index = text.utf8.index(before: index) }
        return index
    }

    /// The character from which the excerpt goes, and its offset in bytes.
    private static func start(_ near: [Character], from offset: Int, focus: Int) -> (Int, Int) {
        var offsets: [Int] = []
        var next = offset
        for character in near {
            offsets.append(next)
            next += character.utf8.count
        }
        let marked = offsets.lastIndex { $0 <= focus } ?? 0
        var first = max(0, marked - before)
        // Do not begin at the end of a text that would fill more.
        first = min(first, max(0, near.count - Limits.searchExcerptCharacters))
        if first > 0 || offset > 0,
            let space = near[first..<min(marked, first + slack)].firstIndex(where: \.isWhitespace)
        {
            first = space + 1
        }
        return (first, first < offsets.count ? offsets[first] : next)
    }

    /// Ranges of bytes as ranges of scalars.
    private static func scalars(_ text: String, _ ranges: [Range<Int>]) -> [Range<Int>] {
        var starts: [Int: Int] = [:]
        var (offset, count) = (0, 0)
        for scalar in text.unicodeScalars {
            starts[offset] = count
            offset += UTF8.width(scalar)
            count += 1
        }
        starts[offset] = count
        return ranges.compactMap { range in
            guard let from = starts[range.lowerBound], let to = starts[range.upperBound] else { return nil }
            return from..<to
        }
    }
}
