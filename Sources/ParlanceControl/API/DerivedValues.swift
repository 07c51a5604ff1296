// What follows from the members of the types of protocol/control.api.

package import ParlanceWords

extension NodeStatus.Counts {
    /// How many entries the outbox has: what waits, and what has failed for good.
    package var inOutbox: Int { outbox + (failed ?? 0) }
}

extension DepartureInfo {
    /// `Ada removed you`; it contains an unescaped name.
    package var sentence: Phrase {
        by.me == true ? Phrase("you left") : Phrase("\(by.displayName) removed you")
    }
}

extension FileInfo {
    /// The characters of a file's ID that commands show.
    package static let idCharacters = 8

    /// The shortest text that means the file in a command: `3f2a91c0`, `3f2a91c0/2`.
    package var shortReference: String {
        let parts = (reference ?? file).split(separator: "/", maxSplits: 1)
        return parts.enumerated().map { $0 == 0 ? String($1.prefix(Self.idCharacters)) : String($1) }
            .joined(separator: "/")
    }
}

extension InvitationInfo {
    /// What people type to end it.
    package var prefix: String { String(id.prefix(Self.prefixLength)) }

    package static let prefixLength = 8
}

extension DiskEntry {
    package var bytes: UInt64 { messageBytes + fileBytes }
}

extension SearchHit.Excerpt {
    /// The text in pieces, each with whether it is marked. Marks that do not fit the text are left out.
    package var pieces: [(text: String, isMarked: Bool)] {
        let scalars = Array(text.unicodeScalars)
        var pieces: [(String, Bool)] = []
        var end = 0
        let piece = { (range: Range<Int>) in String(String.UnicodeScalarView(scalars[range])) }
        for mark in marks where mark.from >= end && mark.to > mark.from && mark.to <= scalars.count {
            if mark.from > end { pieces.append((piece(end..<mark.from), false)) }
            pieces.append((piece(mark.from..<mark.to), true))
            end = mark.to
        }
        if end < scalars.count { pieces.append((piece(end..<scalars.count), false)) }
        return pieces
    }
}
