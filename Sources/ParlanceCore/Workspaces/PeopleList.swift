import ParlanceRecords
package import ParlanceWire

/// A list of people that somebody hands over as a file: a name and a peer ID in each line, separated by a comma, a
/// semicolon or a tab, in the form of RFC 4180 (control-reference.md, `workspace.import`).
package struct PeopleList: Equatable, Sendable {
    package struct Entry: Equatable, Sendable {
        package var name: String
        package var peer: PeerID

        package init(name: String, peer: PeerID) {
            self.name = name
            self.peer = peer
        }
    }

    /// Why a line is not one of a list. Nothing is taken of a list with such a line.
    package struct Fault: Error, Equatable, Sendable {
        /// Counted from 1.
        package let line: Int
        package let reason: Reason

        package init(line: Int, reason: Reason) {
            self.line = line
            self.reason = reason
        }
    }

    package enum Reason: Equatable, Sendable {
        /// A quotation mark is not closed, or something stands before or behind the quotation.
        case quotation
        /// There are not exactly two fields.
        case fields(Int)
        /// There is one field, but two with another separator than that of an earlier line.
        case otherSeparator(line: Int)
        /// Neither field is a peer ID; the one that was to be.
        case noPeerID(String)
        /// Both fields are peer IDs, so it is not known which is the name.
        case noName
        case name(NameFault)
        /// The program uses the name itself.
        case reservedName(String)
        /// The same person stands in an earlier line.
        case samePeer(line: Int)
        /// Somebody else has the same name in an earlier line.
        case sameName(line: Int)
        /// There are more lines than a list may have.
        case long
        /// There is no line with a person.
        case empty
    }

    package var entries: [Entry] = []

    /// What may stand between the fields. A spreadsheet writes what its country uses.
    private static let separators = Array(",;\t".utf8)

    /// Reads all lines, or none. The first line may be a heading; blank lines do not count.
    ///
    /// Of the separators the one counts by which the list can be read. If there is none, the fault is that of the separator
    /// by which most could be read.
    package init(csv text: String) throws(Fault) {
        var worst: Fault?
        for separator in Self.separators {
            do throws(Fault) {
                self = try Self(csv: text, separator)
                return
            } catch {
                if error.goesFarther(than: worst) { worst = error }
            }
        }
        throw worst ?? Fault(line: 1, reason: .empty)
    }

    private init(csv text: String, _ separator: UInt8) throws(Fault) {
        var (peers, names): ([PeerID: Int], [String: Int]) = ([:], [:])
        var reader = Reader(text, separator)
        var isFirst = true
        // The first line that has this separator.
        var separated: Int?
        while let (line, read) = try reader.next() {
            var fields = read
            if fields.count > 1, !fields.allSatisfy(\.isEmpty) { separated = separated ?? line }
            if isFirst, fields == Self.directive { continue }
            defer { isFirst = false }
            // A spreadsheet fills up short lines.
            while fields.count > 2 || fields.count > 1 && fields[0].isEmpty, fields.last?.isEmpty == true {
                fields.removeLast()
            }
            if fields == [""] { continue }
            if fields.count == 1, let separated, Self.hasOtherSeparator(fields[0], than: separator) {
                throw Fault(line: line, reason: .otherSeparator(line: separated))
            }
            guard fields.count == 2 else { throw Fault(line: line, reason: .fields(fields.count)) }
            let ids = fields.map { PeerID(text: $0) }
            if isFirst, ids == [nil, nil], Self.isHeading(fields) { continue }
            guard entries.count < Limits.importedPeople else { throw Fault(line: line, reason: .long) }
            let entry: Entry
            switch (ids[0], ids[1]) {
            case (nil, let peer?): entry = Entry(name: fields[0].trimmed, peer: peer)
            case (let peer?, nil): entry = Entry(name: fields[1].trimmed, peer: peer)
            case (nil, nil): throw Fault(line: line, reason: .noPeerID(fields[1].withoutControlCharacters))
            default: throw Fault(line: line, reason: .noName)
            }
            if let fault = entry.name.faultAsName { throw Fault(line: line, reason: .name(fault)) }
            guard !entry.name.isReservedName else {
                throw Fault(line: line, reason: .reservedName(entry.name.withoutControlCharacters))
            }
            if let other = peers.updateValue(line, forKey: entry.peer) {
                throw Fault(line: line, reason: .samePeer(line: other))
            }
            if let other = names.updateValue(line, forKey: entry.name.lowercased()) {
                throw Fault(line: line, reason: .sameName(line: other))
            }
            entries.append(entry)
        }
        if entries.isEmpty { throw Fault(line: 1, reason: .empty) }
    }

    /// Whether a line that is one field by a separator is a name and a peer ID by another.
    private static func hasOtherSeparator(_ line: String, than separator: UInt8) -> Bool {
        separators.contains { other in
            var reader = Reader(line, other)
            guard other != separator, let fields = try? reader.next()?.fields else { return false }
            return fields.count > 1 && fields.contains { PeerID(text: $0) != nil }
        }
    }

    /// A first line that says what separates the fields, as some spreadsheets write it: `sep=;`.
    private static let directive = ["sep=", ""]

    /// Whether a first line says what the fields are. Nothing else does, so that no line with a wrong ID is skipped.
    private static func isHeading(_ fields: [String]) -> Bool {
        let words = Set(fields.map { $0.lowercased().filter { $0 != " " && $0 != "-" && $0 != "_" } })
        return words.contains("name") && !words.isDisjoint(with: ["peerid", "id", "peer"])
    }

    /// Takes records apart into fields.
    private struct Reader {
        private let bytes: [UInt8]
        private var place = 0
        private var line = 1

        private let separator: UInt8

        init(_ text: String, _ separator: UInt8) {
            self.separator = separator
            // A spreadsheet writes this mark before the first line.
            bytes = Array((text.hasPrefix("\u{FEFF}") ? text.dropFirst() : text[...]).utf8)
        }

        private static let quote = UInt8(ascii: "\"")
        private static let (feed, carriage) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

        /// The next record, with the line in which it begins.
        mutating func next() throws(Fault) -> (line: Int, fields: [String])? {
            guard place < bytes.count else { return nil }
            let start = line
            var fields: [String] = []
            while true {
                fields.append(try field(of: start))
                guard place < bytes.count, bytes[place] == separator else { break }
                place += 1
            }
            if place < bytes.count, bytes[place] == Self.carriage { place += 1 }
            if place < bytes.count, bytes[place] == Self.feed { place += 1 }
            line += 1
            return (start, fields)
        }

        /// A field, without spaces around it.
        private mutating func field(of start: Int) throws(Fault) -> String {
            skipSpaces()
            guard place < bytes.count, bytes[place] == Self.quote else {
                let end = bytes[place...].firstIndex { [separator, Self.feed, Self.carriage].contains($0) }
                var field = bytes[place..<(end ?? bytes.count)]
                place = end ?? bytes.count
                while let last = field.last, isSpace(last) { field.removeLast() }
                guard !field.contains(Self.quote) else { throw Fault(line: start, reason: .quotation) }
                return String(decoding: field, as: UTF8.self)
            }
            var quoted: [UInt8] = []
            place += 1
            while place < bytes.count {
                let byte = bytes[place]
                place += 1
                if byte == Self.quote {
                    guard place < bytes.count, bytes[place] == Self.quote else {
                        try end(start)
                        return String(decoding: quoted, as: UTF8.self)
                    }
                    place += 1
                }
                if byte == Self.feed { line += 1 }
                quoted.append(byte)
            }
            throw Fault(line: start, reason: .quotation)
        }

        /// Behind a quotation, the field ends.
        private mutating func end(_ start: Int) throws(Fault) {
            skipSpaces()
            guard place < bytes.count else { return }
            guard [separator, Self.feed, Self.carriage].contains(bytes[place]) else {
                throw Fault(line: start, reason: .quotation)
            }
        }

        private mutating func skipSpaces() {
            while place < bytes.count, isSpace(bytes[place]) { place += 1 }
        }

        private func isSpace(_ byte: UInt8) -> Bool {
            byte != separator && (byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t"))
        }
    }
}

extension PeopleList.Fault {
    /// Whether this is the fault to tell, rather than that of another separator: the one by which more lines could be read,
    /// or by which the line has at least two fields.
    fileprivate func goesFarther(than other: Self?) -> Bool {
        guard let other else { return true }
        let isWhole = reason != .fields(1)
        return isWhole == (other.reason != .fields(1)) ? line > other.line : isWhole
    }
}
