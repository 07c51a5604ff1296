import Configuration
import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceProfile
import ParlanceWords
import Synchronization
import SystemPackage

/// The contents of a configuration file.
struct SettingsFile {
    private let path: String
    /// The parsed file; `nil` if it sets nothing.
    private let snapshot: YAMLSnapshot?
    /// The keys that it has, as it spells them.
    private var spellings: [SettingKey: String] = [:]
    private let text: SettingsText

    /// Parses a file.
    ///
    /// An unknown key is an error, so that a typing mistake is not ignored. The words of a key may be joined by
    /// underscores as well as by hyphens.
    ///
    /// - Parameter path: the path that errors name.
    init(_ bytes: [UInt8], path: String) throws(DaemonError) {
        self.path = path
        text = SettingsText(try Self.text(bytes, path: path))
        if !text.saysSomething {
            snapshot = nil
            return
        }
        let keys = Mutex<[String]>([])
        // The library does not list a file's keys, but it asks for each key in turn whether it is secret.
        let options = YAMLSnapshot.ParsingOptions(
            secretsSpecifier: .dynamic { key, _ in
                keys.withLock { $0.append(key) }
                return false
            }
        )
        do {
            snapshot = try YAMLSnapshot(data: bytes.span.bytes, providerName: "file", parsingOptions: options)
        } catch {
            throw DaemonError(
                .invalidValue,
                "The configuration file \(path) cannot be read: \(text.fault("\(error)")).",
                advice: "Correct it, or move it away."
            )
        }
        for spelled in keys.withLock({ $0 }) {
            guard let key = SettingKey(spelled: spelled) else {
                // A nested key, such as `peers.Bob`, begins with the key of its mapping.
                let line = text.line(of: spelled) ?? text.line(of: String(spelled.prefix { $0 != "." }))
                throw .unknownSetting(SettingPlace.file(path, line, spelled), typed: spelled)
            }
            spellings[key] = spelled
        }
    }

    /// Puts the value of a setting into the settings, if the file has one.
    func read(_ key: SettingKey, into settings: inout Settings) throws(DaemonError) {
        guard let spelled = spellings[key] else { return }
        let place = SettingPlace.file(path, line: text.line(of: spelled))
        guard let texts = try snapshot?.texts(of: key, spelled: spelled, at: place) else { return }
        try settings.read(texts, of: key, at: place)
    }

    /// All settings as they are if nothing else sets any.
    func settings() throws(DaemonError) -> Settings {
        var settings = Settings()
        for key in SettingKey.allCases { try read(key, into: &settings) }
        return settings
    }

    /// Reads the bytes of a file; `nil` if there is none.
    static func bytes(at path: String) throws(DaemonError) -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        do throws(Errno) {
            return try contents(of: path)
        } catch Errno.isDirectory {
            throw DaemonError(
                .invalidValue,
                "The configuration file \(path) is a folder.",
                advice: "Move it away, or name another file with --config."
            )
        } catch {
            throw DaemonError(
                "The configuration file \(path) cannot be read by this user: \(error.description).",
                advice: "Make it readable: chmod u+r, or give it to the user that runs parlanced.",
                because: error
            )
        }
    }

    private static func contents(of path: String) throws(Errno) -> [UInt8] {
        guard let file = fopen(path, "re") else { throw .current }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = fread(&piece, 1, piece.count, file)
            bytes += piece.prefix(count)
            guard count < piece.count else { continue }
            guard ferror(file) == 0 else { throw .current }
            return bytes
        }
    }

    /// The text of a file.
    static func text(_ bytes: [UInt8], path: String) throws(DaemonError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DaemonError(
                .invalidValue,
                "The configuration file \(path) is not UTF-8.",
                advice: "Convert it, for example with iconv, or write it again."
            )
        }
        return text
    }
}

extension DaemonError {
    /// - Parameter place: where the key was found, for people.
    static func unknownSetting(_ place: Phrase, typed: String) -> DaemonError {
        let known = SettingKey.allCases.map(\.rawValue)
        return DaemonError(
            .invalidValue,
            Phrase.joined(
                [
                    Phrase("\(place) is not a setting."),
                    NearestWord.question(typed.replacing("_", with: "-"), among: known),
                ].compactMap { $0 }
            ),
            advice: "The settings are: \(known.joined(separator: ", "))."
        )
    }
}
