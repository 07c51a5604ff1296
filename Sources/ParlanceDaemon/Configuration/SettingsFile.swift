import Configuration
import Foundation
import ParlanceControl
import ParlanceCore
import Synchronization
import SystemPackage

/// The configuration file.
struct SettingsFile {
    let path: String
    /// The path that errors name: that of the file that this one would replace, if it is a draft.
    let shownPath: String
    /// The setting whose value a user has just given, if this is a draft.
    let given: SettingKey?

    init(path: String, shownAs shownPath: String? = nil, given: SettingKey? = nil) {
        self.path = path
        self.shownPath = shownPath ?? path
        self.given = given
    }

    /// What the file says.
    struct Contents {
        /// Its values; `nil` if there is no file, or if it sets nothing.
        var provider: (any ConfigProvider)?
        /// The line, from 1, of each setting; 0 if it does not begin a line.
        var lines: [SettingKey: Int] = [:]
    }

    /// `"port" in FILE, line 3`
    static func place(_ key: String, in path: String, line: Int?) -> String {
        "\"\(key.withoutControlCharacters)\" in \(path)" + (line.map { $0 > 0 ? ", line \($0)" : "" } ?? "")
    }

    /// Reads the file.
    ///
    /// An unknown key is an error, so that a typing mistake is not ignored. The words of a key may be joined by
    /// underscores as well as by hyphens.
    func read() async throws(DaemonError) -> Contents {
        guard FileManager.default.fileExists(atPath: path) else { return Contents() }
        let text = (try? String(contentsOfFile: path, encoding: .utf8)).map { SettingsText($0) }
        if let text, !text.saysSomething { return Contents() }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw DaemonError(
                "The configuration file \(shownPath) cannot be read by this user.",
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
                "The configuration file \(shownPath) cannot be read\(Self.reason("\(error)")).",
                advice: "Correct it, or move it away."
            )
        }
        let found = keys.withLock { $0 }
        var lines: [SettingKey: Int] = [:]
        for spelled in found {
            let key = try known(spelled, in: text)
            lines[key] = text?.line(of: spelled) ?? 0
        }
        return Contents(provider: provider.mapKeys(Self.spelling(found)), lines: lines)
    }

    /// What the reader of YAML says, on one line: `, line 3: while parsing a flow node, did not find expected node content`.
    /// It says `3:1: error: parser: while parsing a flow node in line 3, column 1`, more lines, and a picture of the place.
    private static func reason(_ error: String) -> String {
        guard let match = error.prefixMatch(of: #/(\d+):\d+: error: \w+: /#) else {
            return ": " + error.replacing("\n", with: " ")
        }
        let lines = error[match.range.upperBound...].split(separator: "\n").prefix(2)
            .map { $0.replacing(#/\ in line \d+, column \d+/#, with: "") }
        let text = lines.joined(separator: ", ")
        return ", line \(match.output.1): \(text.hasSuffix(":") ? String(text.dropLast()) : text)"
    }

    /// The setting of a key; an unknown one throws an error that names the nearest.
    private func known(_ spelled: String, in text: SettingsText?) throws(DaemonError) -> SettingKey {
        if let key = SettingKey(spelled: spelled) { return key }
        // A nested key, such as `peers.Bob`, begins with the key of its mapping.
        let line = text?.line(of: spelled) ?? text?.line(of: String(spelled.prefix { $0 != "." }))
        throw .unknownSetting(Self.place(spelled, in: shownPath, line: line), typed: spelled)
    }

    /// Looks a key up as the file spells it.
    private static func spelling(_ found: [String]) -> @Sendable (AbsoluteConfigKey) -> AbsoluteConfigKey {
        { key in
            let spelled = key.components.map { $0.replacing("-", with: "_") }
            return found.contains(spelled.joined(separator: "."))
                ? AbsoluteConfigKey(spelled, context: key.context) : key
        }
    }
}

extension DaemonError {
    /// - Parameter place: where the key was found, for people.
    static func unknownSetting(_ place: String, typed: String) -> DaemonError {
        let known = SettingKey.allCases.map(\.rawValue)
        return DaemonError(
            "\(place) is not a setting.\(NearestWord.question(typed.replacing("_", with: "-"), among: known))",
            advice: "The settings are: \(known.joined(separator: ", "))."
        )
    }
}
