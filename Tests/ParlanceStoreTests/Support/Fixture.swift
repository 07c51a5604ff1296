import Foundation
import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire

/// A store of an earlier schema version, and what the program of that time showed of it.
struct Fixture {
    static var folder: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures")
    }

    let version: Int
    /// By name; the lists are compared line by line.
    let shown: [String: [String]]

    init(version: Int) throws {
        self.version = version
        let data = try Data(contentsOf: Self.folder.appending(path: "store-\(version).json"))
        shown = try JSONDecoder().decode([String: [String]].self, from: data)
    }

    var identity: PeerID? { shown["identity"]?.first.flatMap { PeerID(Self.bytes($0)) } }

    private static func bytes(_ hex: String) -> [UInt8] {
        let digits = hex.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
    }

    /// Unpacks the store into a folder.
    func unpack(to folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let packed = Self.folder.appending(path: "store-\(version).sqlite.gz").path
        try Self.gzip(["-dc", packed], into: folder + "/store.sqlite")
    }

    /// Closes a store, and writes it and what it shows as the fixture of a version.
    static func write(_ store: Store, of folder: String, version: Int) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let shown = try encoder.encode(Self.shown(by: store))
        store.close()
        // The last batches may still be in the write-ahead log.
        let queue = try DatabaseQueue(path: folder + "/store.sqlite")
        try queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        try queue.close()
        try shown.write(to: Self.folder.appending(path: "store-\(version).json"))
        let packed = Self.folder.appending(path: "store-\(version).sqlite.gz").path
        try gzip(["-9nc", folder + "/store.sqlite"], into: packed)
    }

    private static func gzip(_ arguments: [String], into path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil) else { throw CocoaError(.fileWriteUnknown) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/gzip")
        process.arguments = arguments
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

extension Fixture {
    /// What a store shows, in the format of the fixtures. A fixture lacks the parts that its version did not have.
    static func shown(by store: Store) throws -> [String: [String]] {
        let snapshot = try store.snapshot()
        var shown: [String: [String]] = [:]
        shown["identity"] = [hex(store.identity.bytes)]
        shown["replica"] = [hex(store.replica.bytes)]
        shown["name"] = [snapshot.profile.name]
        var outbox: [String] = []
        let own = LogID(author: store.identity, replica: store.replica)
        for summary in try store.conversations() {
            let id = summary.record.id
            let label = snapshot.labels.first { $0.conversation == id }
            let counts = "unread \(summary.unread) mentions \(summary.mentions) messages \(summary.messages)"
            let title = "\(counts) title \"\(label?.title ?? "")\" topic \"\(label?.topic ?? "")\""
            shown["conversation \(hex(id.bytes))"] = [title] + (try store.history(id, limit: 100_000).map { line($0) })
            for message in try store.ownMessages(id, log: own, after: 0, limit: 100_000) {
                outbox.append("\(hex(id.bytes)) \(line(message))")
            }
        }
        shown["outbox"] = outbox
        shown.merge(records(snapshot)) { $1 }
        return shown
    }

    private static func records(_ snapshot: EngineSnapshot) -> [String: [String]] {
        var shown: [String: [String]] = [:]
        shown["peers"] = snapshot.peers.map {
            "\(hex($0.id.bytes)) \($0.trust) \($0.announcedName) \($0.alias ?? "-")"
        }
        shown["watermarks"] = snapshot.watermarks.map {
            "\(hex($0.key.conversation.bytes)) \(hex($0.key.member.bytes)) \(hex($0.key.replica.bytes)) "
                + "\(name($0.key.log)) \($0.key.level) \($0.position.sequence) \(hex($0.position.head.bytes))"
        }
        shown["preferences"] = snapshot.preferences.map {
            "\(hex($0.conversation.bytes)) \($0.preference.isPinned) \($0.preference.mute, default: "-")"
        }
        shown["membership"] = snapshot.membership.map { hex($0.id.bytes) }
        shown["recipients"] = snapshot.recipients.map {
            "\(hex($0.conversation.bytes)) \(hex($0.peer.bytes)) \($0.after)"
        }
        shown["branches"] = snapshot.branches.map {
            "\(hex($0.conversation.bytes)) \(name($0.log)) \(name($0.parent)) \($0.base.sequence)"
        }
        shown["logs"] = snapshot.logs.map {
            "\(hex($0.conversation.bytes)) \(name($0.log)) \($0.position.sequence) \(hex($0.position.head.bytes)) "
                + "applied \($0.applied.sequence) signed \($0.signedThrough.sequence) named \($0.namedThrough) "
                + "missing \($0.missingBodies)"
        }
        shown["workspace"] =
            snapshot.workspace.map { workspace in
                let keys = workspace.keys.map { "\($0.number) \(hex($0.hash.bytes)) \($0.superseded ?? -1)" }
                return [workspace.name] + keys + workspace.removed.map { hex($0.bytes) }.sorted()
            } ?? []
        shown["prekeys"] = snapshot.prekeys.map { "\($0.id) \($0.made)" }
        shown["envelopes"] = snapshot.envelopes.map { "\($0.id) \(hex($0.recipient.bytes)) \($0.expires)" }
        return shown.mapValues { $0.sorted() }
    }

    private static func hex(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }

    private static func name(_ log: LogID) -> String { "\(hex(log.author.bytes)) \(hex(log.replica.bytes))" }

    private static func line(_ message: ShownMessage) -> String {
        let text = "\(hex(message.id.bytes)) \(name(message.log)) \(message.sequence) \(message.effective)"
        if let note = message.note { return "\(text) * \(line(note))" }
        guard let rich = message.rich else { return text }
        var parts = [text, "\"\(message.text)\" versions \(rich.versions)"]
        if let deletion = rich.deletion { parts.append("deleted by \(hex(deletion.author.bytes))") }
        if let quote = rich.quote { parts.append("quotes \(hex(quote.message.id.bytes)) \"\(quote.text)\"") }
        for reaction in rich.reactions { parts.append("\(reaction.emoji)\(reaction.members.count)") }
        for peer in rich.mentions { parts.append("mentions \(hex(peer.bytes))") }
        return parts.joined(separator: " ")
    }

    private static func line(_ note: GroupNote) -> String {
        switch note {
        case .created(let title, let members): "created \(title) \(members.count)"
        case .added(let peers): "added \(peers.map { hex($0.bytes) })"
        case .removed(let peers): "removed \(peers.map { hex($0.bytes) })"
        case .left: "left"
        case .appointed(let peers): "appointed \(peers.map { hex($0.bytes) })"
        case .dismissed(let peers): "dismissed \(peers.map { hex($0.bytes) })"
        case .renamed(let title): "renamed \(title)"
        case .topic(let topic): "topic \(topic)"
        case .lifetime(let seconds): "lifetime \(seconds)"
        case .forked: "forked"
        }
    }
}
