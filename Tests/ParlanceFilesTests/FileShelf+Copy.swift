import ParlanceCore
import ParlanceFiles
import ParlanceRecords
import ParlanceWire
import ParlanceWords
import Testing

extension FileShelf {
    /// Copies a file as `parlance fetch` does.
    func copy(_ id: FileID, to folder: String, as name: SafeFileName) throws -> SafeFileName {
        SafeFileName(
            try FileDelivery.copy(try #require(path(of: id)), id, to: UserPath(folder), as: .free(name)).shown
        )
    }
}
