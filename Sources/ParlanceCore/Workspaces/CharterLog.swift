import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceWire

/// The audit log of a workspace as lines of JSON (charter.md, "Audit log"): a pure function of the charter, so every node
/// that holds the same events writes the same lines.
package enum CharterLog {
    /// What the first line says about the form.
    package static let form = "parlance-charter-1"

    /// The lines, without their ends: one about the charter, then one for each event that is evaluated.
    package static func lines(of charter: Charter) -> [String] {
        let events = Dictionary(charter.events.map { ($0.id, $0) }) { first, _ in first }
        var chain = Chain()
        let first = "{\"log\":\"\(form)\",\"charter\":\"\(charter.id.text)\""
        return [chain.seal(first)]
            + charter.entries.enumerated().compactMap { index, entry in
                events[entry.change.id].map { chain.seal(line(index + 1, entry, $0)) }
            }
    }

    /// Everything of a line but its hash.
    private static func line(_ number: Int, _ entry: Charter.Entry, _ event: StoredEvent) -> String {
        let change = entry.change
        var members: [(String, String)] = [
            ("line", "\(number)"), ("id", quoted(change.id.text)), ("author", quoted(whole(change.log.author))),
            ("time", "\(event.header.time.milliseconds)"), ("action", quoted(change.action.word)),
        ]
        switch change.action {
        case .create(let title): members.append(("title", quoted(title)))
        case .note(.rotate(let number, let key, let isAutomatic)):
            members += [
                ("number", "\(number)"), ("key", quoted(Base32.encode(key.bytes))), ("automatic", "\(isAutomatic)"),
            ]
        case .note(.policy(let name, let value)): members += [("name", quoted(name)), ("value", quoted(value))]
        case .note(.link): break
        case .add, .remove, .leave, .appoint, .dismiss, .admit:
            if let admission = change.admission {
                members += [("name", quoted(admission.invitation)), ("automatic", "\(admission.isAutomatic)")]
            }
            members.append(("people", list(change.subjects)))
        }
        if !entry.spared.isEmpty { members.append(("spared", list(entry.spared))) }
        members += [("counts", "\(entry.counts)"), ("event", quoted(hexText(event.wire.encodedBytes())))]
        return "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",")
    }

    private static func list(_ peers: [PeerID]) -> String {
        "[" + peers.map { quoted(whole($0)) }.joined(separator: ",") + "]"
    }

    /// The text form of a peer ID.
    private static func whole(_ peer: PeerID) -> String { peer.text + CheckCharacters.of(peer.bytes) }

    /// A JSON string of ASCII alone, so that nothing in a name plays tricks with who reads the log.
    private static func quoted(_ text: String) -> String {
        var out = "\""
        for unit in text.utf16 {
            switch unit {
            case 0x22: out += "\\\""
            case 0x5C: out += "\\\\"
            case 0x20...0x7E: out.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return out + "\""
    }

    static func hexText(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The hash that each line adds to those before it.
    struct Chain {
        private var last: [UInt8] = []

        /// The whole line.
        mutating func seal(_ line: String) -> String {
            last = Blake2b.hash(Domain.charterLog, last, Array(line.utf8))
            return line + CharterLog.hashKey + CharterLog.hexText(last) + "\"}"
        }
    }

    static let hashKey = ",\"hash\":\""
    static let eventKey = ",\"event\":\""
}

extension MembershipChange.Action {
    /// The word for it in an audit log.
    fileprivate var word: String {
        switch self {
        case .create: "create"
        case .add: "readmit"
        case .admit: "admit"
        case .remove: "exclude"
        case .leave: "leave"
        case .appoint: "appoint"
        case .dismiss: "dismiss"
        case .note(.rotate): "rotate"
        case .note(.policy): "policy"
        case .note(.link): "link"
        }
    }
}
