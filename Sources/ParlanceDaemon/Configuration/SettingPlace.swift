import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceWords

/// Where a value was found, so that an error can say where to correct it.
enum SettingPlace: Equatable, Sendable {
    case flag, variable
    /// - `line`: from 1; `nil` if the key does not begin a line.
    case file(String, line: Int?)
    /// The name that `parlance name` stored, or the login name.
    case store

    var origin: SettingInfo.Origin {
        switch self {
        case .flag: .flag
        case .variable: .environment
        case .file: .file
        case .store: .store
        }
    }

    /// The place for people: `--port`, `PARLANCE_PORT`, or `"port" in FILE, line 3`.
    func text(for key: SettingKey) -> Phrase {
        switch self {
        case .flag: Phrase(verbatim: key.flag)
        case .variable: Phrase(verbatim: key.variable)
        case .file(let path, let line): Self.file(path, line, key.rawValue)
        case .store: Phrase("the data folder")
        }
    }

    static func file(_ path: String, _ line: Int?, _ key: String) -> Phrase {
        let key = key.withoutControlCharacters
        return line.map { Phrase("\"\(key)\" in \(path), line \($0)") } ?? Phrase("\"\(key)\" in \(path)")
    }
}
