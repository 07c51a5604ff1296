import Configuration
import Foundation
import ParlanceCore
import Synchronization
import SystemPackage

/// The configuration file.
struct SettingsFile {
    let path: String

    /// Reads the file; `nil` if there is none, or if it sets nothing.
    ///
    /// An unknown key is an error, so that a typing mistake is not ignored. The words of a key may be joined by
    /// underscores as well as by hyphens.
    func provider() async throws(DaemonError) -> (any ConfigProvider)? {
        guard saysSomething else { return nil }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw DaemonError(
                "The configuration file \(path) cannot be read by this user.",
                advice: "Make it readable: chmod u+r, or give it to the user that runs parlanced."
            )
        }
        let keys = Mutex<[String]>([])
        // The library does not list a file's keys, but it asks for each key in turn whether it is secret.
        let options = YAMLSnapshot.ParsingOptions(
            secretsSpecifier: .dynamic { key, _ in
                keys.withLock { $0.append(key) }
                return false
            }
        )
        let provider: FileProvider<YAMLSnapshot>
        do {
            provider = try await FileProvider<YAMLSnapshot>(parsingOptions: options, filePath: FilePath(path))
        } catch {
            throw DaemonError(
                "The configuration file \(path) cannot be read: \(error)",
                advice: "Mend it, or move it away."
            )
        }
        let found = keys.withLock { $0 }
        if let key = found.first(where: { SettingKey(rawValue: $0.replacing("_", with: "-")) == nil }) {
            throw DaemonError(
                "\"\(key.withoutControlCharacters)\" in \(path) is no setting.",
                advice: "There are: \(SettingKey.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        return provider.mapKeys { key in
            let spelled = key.components.map { $0.replacing("-", with: "_") }
            return found.contains(spelled.joined(separator: "."))
                ? AbsoluteConfigKey(spelled, context: key.context) : key
        }
    }

    /// Whether the file has more than comments; YAML does not treat comments alone as a mapping.
    private var saysSomething: Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return true }
        return text.split(whereSeparator: \.isNewline).contains { line in
            line.first { !$0.isWhitespace }.map { $0 != "#" } ?? false
        }
    }
}
