import Foundation
import ParlanceCore

/// Changes one setting in the configuration file, and leaves its other lines and its comments as they are.
///
/// It writes the whole new text beside the file, reads and checks it there, and only then moves it into place. So the file
/// is never wrong because of it, and never half-written.
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
            throw .unknownSetting("\"\(typed.withoutControlCharacters)\"", typed: typed)
        }
        return key
    }

    /// Puts values in place of the present ones.
    ///
    /// - Parameter values: one, or any number for a list; nil removes the setting, so that its default holds.
    func set(_ key: SettingKey, to values: [String]?) async throws(DaemonError) {
        if let values { try checkForm(values, of: key) }
        var text = SettingsText(try present())
        let before = try? await Settings.load(SettingsFile(path: target, shownAs: shownPath))
        text.set(key, values.map(key.yaml))
        let draft = try write(text.text)
        defer { unlink(draft) }
        let after = try await Settings.load(SettingsFile(path: draft, shownAs: shownPath, given: key))
        let expected = values ?? Settings.standard.values(of: key)
        let others = SettingKey.allCases.filter { $0 != key }
        guard after.values(of: key) == expected,
            before.map({ before in others.allSatisfy { before.values(of: $0) == after.values(of: $0) } }) ?? true
        else {
            throw DaemonError(
                "The file \(shownPath) has a form that this command cannot change.",
                advice: "Nothing was changed. Edit the file yourself, then run: parlance config reload"
            )
        }
        guard rename(draft, target) == 0 else { throw cannotWrite() }
        let folder = Foundation.open((target as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    private func checkForm(_ values: [String], of key: SettingKey) throws(DaemonError) {
        let typed = values.joined(separator: " ").withoutControlCharacters
        let fits =
            switch key.form {
            case .list: true
            case .number: values.count == 1 && values[0] == Int(values[0]).map { "\($0)" }
            case .flag: values == ["true"] || values == ["false"]
            case .text, .word: values.count == 1
            }
        guard fits else {
            throw DaemonError(
                "\"\(key.rawValue)\": \"\(typed)\" does not fit.",
                advice: "It takes \(key.form.words)."
            )
        }
    }

    private func present() throws(DaemonError) -> String {
        guard FileManager.default.fileExists(atPath: target) else { return "" }
        guard let text = try? String(contentsOfFile: target, encoding: .utf8) else {
            throw DaemonError(
                "The configuration file \(shownPath) cannot be read by this user, or is not UTF-8.",
                advice: "Make it readable: chmod u+r, or write it again."
            )
        }
        return text
    }

    /// Writes a draft beside the file and returns its path.
    private func write(_ text: String) throws(DaemonError) -> String {
        let folder = (target as NSString).deletingLastPathComponent
        try? FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let attributes = try? FileManager.default.attributesOfItem(atPath: target)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.uint32Value ?? 0o600
        let draft = target + ".\(getpid()).new"
        unlink(draft)
        let file = Foundation.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw cannotWrite() }
        let bytes = Array(text.utf8)
        let isWritten =
            Foundation.write(file, bytes, bytes.count) == bytes.count && fchmod(file, mode) == 0 && fsync(file) == 0
        let reason = errno
        close(file)
        guard isWritten else {
            unlink(draft)
            throw cannotWrite(reason)
        }
        return draft
    }

    private func cannotWrite(_ reason: Int32 = errno) -> DaemonError {
        DaemonError(
            "The configuration file \(shownPath) cannot be written: \(String(cString: strerror(reason))).",
            advice: "Check that its folder is yours and that the disk is not full. Nothing was changed."
        )
    }
}
