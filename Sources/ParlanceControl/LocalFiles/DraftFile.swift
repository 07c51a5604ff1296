import ParlanceWords
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The file of the user's state folder in which the drafts of one node's chat screens are kept.
///
/// It is for its owner only, and replaced as a whole under a lock, so that two chat screens keep each other's drafts. It
/// holds texts in the clear, as the store of messages does. A file that cannot be read counts as empty.
package struct DraftFile: Sendable {
    private let folder: String
    private let name: String

    /// The contents of the file.
    private struct Contents: Codable {
        static let version = 1
        var version: Int
        /// The draft that was changed last is the last.
        var drafts: [KeptDraft]
    }

    /// - Parameters:
    ///   - folder: the user's state folder; the first `apply` creates it.
    ///   - owner: the ID of the node.
    /// - Returns: nil if that is no ID.
    package init?(in folder: String, of owner: String) {
        let isID = owner.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) }
        guard isID, (1...ControlLimits.conversationIDBytes).contains(owner.utf8.count) else { return nil }
        self.folder = folder
        name = "drafts-" + owner
    }

    package var path: String { folder + "/" + name }

    /// The drafts; none if the file cannot be read, which `apply` says.
    package func read() -> [KeptDraft] { (try? contents())?.drafts ?? [] }

    /// Changes some drafts; an empty one is removed. Without any draft there is no file.
    package func apply(_ changes: [KeptDraft]) throws(ControlFailure) {
        do {
            try SocketFile.prepareFolder(folder, for: path)
        } catch { throw cannotKeep(Phrase("its folder belongs to somebody else, or cannot be made")) }
        do throws(Errno) {
            let file = try AtomicFile(path)
            let old = try contents()
            // A later version may keep more than this one knows.
            if let old, old.version != Contents.version { return }
            let changed = Set(changes.map(\.who))
            let rest = (old?.drafts ?? []).filter { !changed.contains($0.who) }
            let drafts = rest + changes.filter { !$0.isEmpty }.map(\.bounded)
            guard let bytes = Self.bytes(of: drafts) else {
                guard unlink(path) == 0 || errno == ENOENT else { throw .current }
                return
            }
            try file.write(bytes)
            try file.replace()
        } catch { throw cannotKeep(Phrase(verbatim: error.description), ControlFailure.fileCode(error)) }
    }

    private func cannotKeep(_ reason: Phrase, _ code: String = ControlFailure.fileDenied) -> ControlFailure {
        ControlFailure(
            code: code,
            message: Phrase("What you begin to write cannot be kept in \(path): \(reason)."),
            advice: Phrase("Make its folder yours and make room on its disk.")
        )
    }

    /// The file with as many drafts as it may hold, the newest; nil for none.
    private static func bytes(of drafts: [KeptDraft]) -> [UInt8]? {
        var kept: [KeptDraft] = []
        var left = ControlLimits.draftFileBytes
        for draft in drafts.suffix(ControlLimits.drafts).reversed() {
            guard draft.mostBytes <= left else { continue }
            left -= draft.mostBytes
            kept.insert(draft, at: 0)
        }
        // Texts and numbers always encode.
        guard !kept.isEmpty,
            let json = try? JSONValueEncoder.encode(Contents(version: Contents.version, drafts: kept))
        else { return nil }
        return Array(JSONWriter.text(json).utf8)
    }

    /// What is in the file; nil if there is none, or nothing that can be understood.
    ///
    /// - Throws: why it cannot be read: then it must not be replaced.
    private func contents() throws(Errno) -> Contents? {
        guard let folder = try? StickFolder(UserPath(folder)) else { return nil }
        let bytes: [UInt8]
        switch folder.read(name, limit: ControlLimits.draftFileBytes) {
        case .file(let found): bytes = found
        case .failed(let reason): throw reason
        case .nothing, .tooLong, .notAFile: return nil
        }
        guard let json = try? JSONParser.parse(bytes) else { return nil }
        if case .integer(let version) = json["version"], version != Contents.version {
            return Contents(version: Int(version), drafts: [])
        }
        return try? JSONValueDecoder.decode(Contents.self, from: json, name: "drafts", strict: false)
    }
}
