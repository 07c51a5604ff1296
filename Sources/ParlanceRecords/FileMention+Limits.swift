package import ParlanceWire

extension FileMention {
    /// - Returns: `nil` for what breaks a limit.
    package init?(_ wire: WireFileMention) {
        guard let file = FileID(wire.file) else { return nil }
        self.init(
            file: file,
            name: wire.name,
            size: wire.size,
            isFolder: wire.folder,
            width: wire.width,
            height: wire.height
        )
        guard isWellFormed else { return nil }
    }

    /// Whether it keeps to the limits.
    package var isWellFormed: Bool {
        size <= Limits.fileBytes && !name.isEmpty && name.utf8.count <= Limits.fileMentionNameBytes
    }
}
