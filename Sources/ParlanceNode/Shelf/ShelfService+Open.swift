import Foundation
package import Logging
import ParlanceFiles
package import ParlanceProfile
package import ParlanceStore
import ParlanceWords

extension ShelfService {
    /// Opens the shelf in the data folder of a profile.
    package static func open(
        in dataFolder: String,
        store: Store,
        inbox: Inbox,
        logger: Logger,
        allowed: Allowance
    ) throws(DaemonError) -> ShelfService {
        let path = dataFolder + "/files"
        do throws(ShelfError) {
            return ShelfService(try FileShelf(at: path), inbox: inbox, logger: logger, allowed: allowed) {
                () throws(StoreError) in try store.filesNamed()
            }
        } catch {
            throw DaemonError(
                Phrase("The folder \(path) for files cannot be used: \(error.reason)"),
                advice: Phrase("Make it and all that is in it yours, and check its disk.")
            )
        }
    }
}

extension ShelfError {
    /// Why a call failed, in the words of the system.
    var reason: String {
        switch self {
        case .failed(let code): String(cString: strerror(code))
        case .missing: String(cString: strerror(ENOENT))
        case .notAFile: String(cString: strerror(ENOTDIR))
        case .full: String(cString: strerror(ENOSPC))
        case .tooLarge: String(cString: strerror(EFBIG))
        case .changed, .damaged, .malformed: String(cString: strerror(EIO))
        }
    }
}
