import ParlanceCore
import ParlancePictures
import ParlanceRecords
package import ParlanceWords

extension OutgoingFacts {
    /// What the sender has to know, in whole sentences.
    ///
    /// - Parameter showsPaths: whether pictures are named by their paths, since there are several files.
    package func notes(_ name: String, showsPaths: Bool) -> [Phrase] {
        var notes = uncleaned.map { $0.note(showsPaths ? $0.path : name) }
        let more = uncleanedCount - uncleaned.count
        if more > 0 { notes.append(Phrase("The same is so for \(more) more pictures.")) }
        if leftOut == 1 { notes.append(Phrase("1 link or device in \(name) was left out.")) }
        if leftOut > 1 { notes.append(Phrase("\(leftOut) links and devices in \(name) were left out.")) }
        if renamed == 1 {
            notes.append(Phrase("1 name in \(name) is not UTF-8; it is sent with � for what cannot be read."))
        }
        if renamed > 1 {
            notes.append(
                Phrase("\(renamed) names in \(name) are not UTF-8; they are sent with � for what cannot be read.")
            )
        }
        let safe = SafeFileName(name).text
        if !safe.utf8.elementsEqual(name.utf8) {
            notes.append(Phrase("\(name) will be saved as \(safe): not every system shows and takes the name."))
        }
        if let first = otherNames.first {
            let (old, new) = (first.path, first.name.text)
            notes.append(
                otherNames.count == 1
                    ? Phrase("1 name in \(name) will be saved as another: \(old) as \(new).")
                    : Phrase("\(otherNames.count) names in \(name) will be saved as others, such as \(old) as \(new).")
            )
        }
        return notes
    }
}

extension OutgoingFacts.Uncleaned {
    /// One sentence that says what was not removed, and why.
    fileprivate func note(_ name: String) -> Phrase {
        switch reason {
        case .noPicture: ""
        case .notRemovable(let type):
            Phrase(
                "\(name) is sent with what it tells, such as place and time: that cannot be removed from \(type.name)."
            )
        case .damaged:
            Phrase("\(name) is sent with what it tells, such as place and time: the file breaks the rules of its type.")
        case .tooLarge:
            Phrase("\(name) is sent with what it tells, such as place and time: the picture is larger than 64 MiB.")
        }
    }
}

extension PictureType {
    fileprivate var name: Phrase {
        switch self {
        case .jpeg: Phrase(verbatim: "JPEG")
        case .png: Phrase(verbatim: "PNG")
        case .gif: Phrase(verbatim: "GIF")
        case .webp: Phrase(verbatim: "WebP")
        case .heic: Phrase(verbatim: "HEIC")
        case .avif: Phrase(verbatim: "AVIF")
        case .tiff: Phrase(verbatim: "TIFF")
        case .jpegXL: Phrase(verbatim: "JPEG XL")
        case .video: Phrase("films")
        }
    }
}
