import Foundation
package import ParlanceControl
import ParlanceCore

/// Whether somebody has chosen the name of a node, so that nobody is asked for it twice: an empty file in the data folder.
package struct ChosenName {
    let path: String

    package init(in folder: String) { path = folder + "/name-chosen" }

    /// A name that differs from the login name was chosen, with or without the file; but a word that the program uses
    /// itself is no longer a name, even if it was chosen with an earlier version.
    package func isMissing(_ name: String, configured: ConfiguredName?) -> Bool {
        guard configured == nil else { return false }
        return name.isReservedName || name == OpenedProfile.loginName() && !FileManager.default.fileExists(atPath: path)
    }

    /// If it fails, somebody is asked once more.
    package func note() {
        _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
}
