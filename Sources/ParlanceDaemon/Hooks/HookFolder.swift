import Foundation

/// The folder of hooks, beside the configuration file.
struct HookFolder: Sendable {
    let path: String

    /// The hooks in the order of their names, those with a fault too; none if the folder does not exist.
    func look() -> [HookFile] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        let hooks = names.filter { HookKind.FileName($0) != .other }.sorted()
        return hooks.prefix(2 * HookLimits.files).enumerated().map { index, name in
            HookFile(name: name, in: path, isOneTooMany: index >= HookLimits.files)
        }
    }
}
