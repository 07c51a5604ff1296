import CParlanceSystem
import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceProfile
import ParlanceRecords
import ParlanceWords
import SystemPackage

/// Changes one setting in the configuration file, and leaves its other lines and its comments as they are.
///
/// It checks the whole new text before it replaces the file, so the file is never wrong because of it. Of two changes at
/// once, the second waits (`AtomicFile`).
struct SettingsEditor {
    /// The file to replace: what a symbolic link leads to.
    private let target: String
    /// The path that people know.
    private let shownPath: String

    init(file: String) {
        target = URL(fileURLWithPath: file).resolvingSymlinksInPath().path
        shownPath = file
    }

    /// Finds the setting of a key that a user typed.
    static func key(_ typed: String) throws(DaemonError) -> SettingKey {
        guard let key = SettingKey(spelled: typed) else {
            throw .unknownSetting(Phrase("\"\(typed.withoutControlCharacters)\"", hint: "quote"), typed: typed)
        }
        return key
    }

    /// Puts values in place of the present ones.
    ///
    /// - Parameter values: one, or any number for a list; nil removes the setting, so that its default holds.
    /// - Returns: what the group of the file can no longer do, because it could not be kept; nil if nothing was lost.
    @discardableResult
    func set(_ key: SettingKey, to values: [String]?) throws(DaemonError) -> AtomicFile.GroupLoss? {
        var wanted = Settings()
        if let values {
            do throws(SettingFault) {
                try key.descriptor.read(values, &wanted)
                try key.checkNew(wanted)
            } catch { throw error.error(key, at: Phrase("\"\(key.rawValue)\"", hint: "quote"), values) }
        }
        let file: AtomicFile
        do throws(Errno) {
            try makeFolder()
            file = try AtomicFile(target)
        } catch { throw cannotWrite(error) }
        let text = try changed(key, isRemoved: values == nil, wanted)
        do throws(Errno) {
            try file.write(Array(text.utf8), mode: file.oldMode ?? 0o600)
            try file.replace()
        } catch { throw file.isMoved ? .notSynced(shownPath, error) : cannotWrite(error) }
        return file.groupLoss
    }

    /// The new text of the file, in which this one setting has its wanted value and the others have those of before.
    private func changed(
        _ key: SettingKey,
        isRemoved: Bool,
        _ wanted: Settings
    ) throws(DaemonError) -> String {
        let bytes = try SettingsFile.bytes(at: shownPath) ?? []
        let present = try SettingsFile.text(bytes, path: shownPath)
        // A wrong value may be replaced.
        let before = try? SettingsFile(bytes, path: shownPath).settings()
        var text = SettingsText(present)
        text.set(key, isRemoved ? nil : key.yaml(wanted.texts(of: key)))
        let after = try SettingsFile(Array(text.text.utf8), path: shownPath).settings()
        let isRight = SettingKey.allCases.allSatisfy { each in
            after.texts(of: each) == (each == key ? wanted : before ?? after).texts(of: each)
        }
        guard isRight else {
            throw DaemonError(
                .invalidValue,
                "The file \(shownPath) has a form that this command cannot change.",
                advice: "Nothing was changed. Edit the file yourself, then run: parlance config reload"
            )
        }
        return text.text
    }

    /// Makes the folder of the file. What root makes belongs to the owner of the folder above, as the file will. Each
    /// folder is named in an open one, so that nobody can put a link in its place.
    private func makeFolder() throws(Errno) {
        var missing: [String] = []
        var path = Self.parent(of: target)
        while !FileManager.default.fileExists(atPath: path), path != "/" {
            missing.append((path as NSString).lastPathComponent)
            path = Self.parent(of: path)
        }
        var above = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { close(above) }
        guard above >= 0 else { throw .current }
        for name in missing.reversed() {
            let isMade = mkdirat(above, name, 0o700) == 0
            guard isMade || errno == EEXIST else { throw .current }
            let folder = openat(above, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard folder >= 0 else { throw .current }
            defer { above = folder }
            defer { close(above) }
            guard isMade, geteuid() == 0 else { continue }
            var owner = stat()
            guard fstat(above, &owner) == 0, fchown(folder, owner.st_uid, owner.st_gid) == 0 else { throw .current }
        }
    }

    private static func parent(of path: String) -> String { (path as NSString).deletingLastPathComponent }

    private func cannotWrite(_ reason: Errno) -> DaemonError {
        DaemonError(
            "The configuration file \(shownPath) cannot be written: \(reason).",
            advice: "Check that it and its folder are yours and that the disk is not full.",
            because: reason
        )
    }
}
