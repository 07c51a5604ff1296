/// `backup`: makes a copy of the store, from which the caller makes a backup file.
package struct BackupOperation: BareOperation {
    package typealias Reply = BackupReply
    package static let method = "backup"

    package init() {}
}

/// Where the caller finds what belongs into a backup.
package struct BackupReply: Codable, Equatable, Sendable {
    /// The path of the copy. The caller opens and deletes it at once.
    package var copy: String
    /// The data folder, where the identity file is.
    package var dataPath: String
    /// The path of the configuration file, which may not exist.
    package var config: String

    package init(copy: String, dataPath: String, config: String) {
        self.copy = copy
        self.dataPath = dataPath
        self.config = config
    }
}
