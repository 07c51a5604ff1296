import FoundationEssentials
package import ParlanceWire

/// A file that a message names (files.md, "Messages with files"). All but the ID is what its sender says of it.
package struct FileMention: Hashable, Sendable {
    package var file: FileID
    /// As the sender has it: make it safe (`SafeFileName`) before it is shown or written.
    package var name: String
    /// Bytes.
    package var size: UInt64
    /// The file is a folder that was packed (files.md, "Folders").
    package var isFolder: Bool
    /// Of a picture, in pixels; 0 if it is not known.
    package var width: UInt32
    package var height: UInt32

    package init(
        file: FileID,
        name: String,
        size: UInt64,
        isFolder: Bool = false,
        width: UInt32 = 0,
        height: UInt32 = 0
    ) {
        self.file = file
        self.name = name
        self.size = size
        self.isFolder = isFolder
        self.width = width
        self.height = height
    }

    package var wire: WireFileMention {
        var wire = WireFileMention()
        wire.file = Data(file.bytes)
        wire.name = name
        wire.size = size
        wire.folder = isFolder
        wire.width = width
        wire.height = height
        return wire
    }
}
