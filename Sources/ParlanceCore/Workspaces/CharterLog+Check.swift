import ParlanceRecords
import ParlanceWire

// Checking an audit log without a node (charter.md, "Checking").
extension CharterLog {
    /// What is wrong with a log, and in which line, counted from 1.
    package struct Fault: Error, Equatable {
        package let line: Int
        package let reason: Reason

        package init(line: Int, reason: Reason) {
            self.line = line
            self.reason = reason
        }
    }

    package enum Reason: Equatable, Sendable, CaseIterable {
        /// There is no line.
        case empty
        /// The first line does not say that this is an audit log of a form that is known, and of which charter.
        case form
        /// The line does not have the form of one: it is cut off, or something else.
        case line
        /// The hash does not follow from this line and those before it: one was changed, added or removed.
        case chain
        /// It contains no event of this charter.
        case event
        /// Its author did not sign the event.
        case signature
        /// The events do not give this line: it says something else than its event, it stands at another place, or an
        /// event is missing that its author had seen.
        case content
    }

    /// The charter that a log tells, if each line is as the events in it give it.
    package static func check(_ text: some Collection<UInt8>) throws(Fault) -> Charter {
        let most = Limits.charterSeen + Limits.charterVoid + 1
        guard text.count(where: { $0 == UInt8(ascii: "\n") }) <= most else {
            throw Fault(line: most + 1, reason: .line)
        }
        var lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard let first = lines.first.map({ Array($0) }) else { throw Fault(line: 1, reason: .empty) }
        guard let id = Self.charter(of: first) else { throw Fault(line: 1, reason: .form) }
        var charter = Charter(id: id)
        var chain = Chain()
        var events: [StoredEvent] = []
        for (index, line) in lines.enumerated() {
            guard let parts = Parts(line) else { throw Fault(line: index + 1, reason: .line) }
            // Compare bytes: two texts may be equal and have other bytes.
            guard chain.seal(parts.sealed).utf8.elementsEqual(line) else {
                throw Fault(line: index + 1, reason: .chain)
            }
            if index > 0 { events.append(try Self.event(parts, at: index + 1, in: id)) }
        }
        charter.insert(events)
        let found = Self.lines(of: charter)
        for (index, line) in lines.enumerated()
        where index >= found.count || !found[index].utf8.elementsEqual(line) {
            throw Fault(line: index + 1, reason: .content)
        }
        return charter
    }

    /// The hash of the last line, which stands for the whole log.
    package static func fingerprint(of lines: [String]) -> String {
        lines.last.flatMap { Parts($0.utf8)?.hash } ?? ""
    }

    /// What a line consists of.
    private struct Parts {
        /// What its hash covers.
        let sealed: String
        let hash: String
        /// The digits of its event; `nil` in the first line.
        let event: String?

        init?(_ line: some Collection<UInt8>) {
            let bytes = Array(line)
            let key = Array(CharterLog.hashKey.utf8)
            // The hash has 64 digits; a quotation mark and a brace follow.
            let start = bytes.count - key.count - 66
            guard start > 0, bytes[start...].starts(with: key), bytes.suffix(2).elementsEqual("\"}".utf8) else {
                return nil
            }
            sealed = String(decoding: bytes[..<start], as: UTF8.self)
            hash = String(decoding: bytes[(start + key.count)...].dropLast(2), as: UTF8.self)
            event = CharterLog.value(after: CharterLog.eventKey, in: bytes[..<start])
        }
    }

    /// The value of a member that ends what is given. In a string every quotation mark is escaped, so the mark before
    /// the last one begins the value.
    private static func value(after key: String, in bytes: ArraySlice<UInt8>) -> String? {
        guard bytes.last == UInt8(ascii: "\""), let open = bytes.dropLast().lastIndex(of: UInt8(ascii: "\"")),
            bytes[...open].suffix(key.utf8.count).elementsEqual(key.utf8)
        else { return nil }
        return String(decoding: bytes[(open + 1)...].dropLast(), as: UTF8.self)
    }

    /// The charter that the first line names.
    private static func charter(of line: [UInt8]) -> ConversationID? {
        let key = ",\"charter\":\""
        guard let sealed = Parts(line).map({ Array($0.sealed.utf8) }),
            sealed.starts(with: ("{\"log\":\"\(form)\"" + key).utf8), let text = value(after: key, in: sealed[...]),
            let bytes = Base32.decode(text)
        else { return nil }
        return ConversationID(bytes)
    }

    private static func event(_ parts: Parts, at line: Int, in charter: ConversationID) throws(Fault) -> StoredEvent {
        guard let bytes = parts.event.flatMap(Self.bytes(ofHex:)), let wire = WireEvent(decoding: bytes) else {
            throw Fault(line: line, reason: .event)
        }
        do {
            return try RunVerifier.verify(single: ReceivedEvent(wire), in: charter)
        } catch {
            throw Fault(line: line, reason: error == .eventSignature ? .signature : .event)
        }
    }

    private static func bytes(ofHex text: String) -> [UInt8]? {
        guard text.utf8.count.isMultiple(of: 2) else { return nil }
        func value(_ byte: UInt8) -> UInt8? {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
            default: nil
            }
        }
        var bytes: [UInt8] = []
        var high: UInt8?
        for byte in text.utf8 {
            guard let digit = value(byte) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }
}
