package import ParlanceWords
package import SystemPackage

extension Errno {
    /// Why a file could not be written, with the limits of the file system that most sticks have.
    package var whyNotWritten: Phrase {
        switch self {
        case .fileTooLarge:
            Phrase("the file system there takes no file of this size; FAT takes none of 4 GiB or more")
        case .invalidArgument:
            Phrase("the file system there takes no such name; FAT takes none with \" * / : < > ? \\ or |")
        default: Phrase(verbatim: description)
        }
    }
}
