package import ParlanceCore
package import ParlancePictures

/// What the sender of a file or folder is told, and what goes into the message.
package struct OutgoingFacts: Equatable, Sendable {
    /// Bytes of what is sent.
    package var size: UInt64
    /// Of a picture, in pixels.
    package var pixels: Pixels?
    package var isFolder = false
    /// Files in a folder; 1 otherwise.
    package var files = 1
    /// Links, devices, sockets and pipes in a folder, which are not sent.
    package var leftOut = 0
    /// Names in a folder that are not UTF-8. They are sent with U+FFFD for what is none.
    package var renamed = 0
    /// Files and folders in a folder that are saved under other names.
    package var otherNames: [FolderListing.Renaming] = []
    /// Pictures from which something was removed.
    package var cleaned = 0
    /// Pictures that are sent with whatever they tell, and why; of a folder the first few.
    package var uncleaned: [Uncleaned] = []
    /// How many there are of them.
    package var uncleanedCount = 0

    package struct Pixels: Equatable, Sendable {
        package var width: Int
        package var height: Int

        package init(width: Int, height: Int) {
            (self.width, self.height) = (width, height)
        }
    }

    package struct Uncleaned: Equatable, Sendable {
        package var path: String
        package var reason: PictureCleaning.Reason
    }

    /// As many pictures as are named one by one.
    static let namedUncleaned = 3

    init(size: UInt64) {
        self.size = size
    }

    /// Adds the outcome of cleaning one file's metadata.
    mutating func add(_ cleaning: SourceFile.Cleaning, _ path: String) {
        switch cleaning {
        case .none: break
        case .removed: cleaned += 1
        case .impossible(let reason):
            uncleanedCount += 1
            if uncleaned.count < Self.namedUncleaned { uncleaned.append(Uncleaned(path: path, reason: reason)) }
        }
    }
}
