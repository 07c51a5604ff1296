import ParlanceControl
import ParlanceErrorCode
import ParlanceFiles
import ParlanceTexts
package import ParlanceWeb
import ParlanceWords

/// Copies a file that the user sends from the page, by the one way in which files of the user are copied.
package enum PageCopy {
    package static let copy: PageFileCopy = { descriptor, name, place, keepMetadata in
        do throws(SourceError) {
            let facts = try Outgoing.copy(
                descriptor: descriptor,
                name: name,
                to: place.path,
                limit: place.limit,
                keepMetadata: keepMetadata
            ) { _ in }
            let notes = facts.notes(name, showsPaths: false)
            return .success(PageFileFacts(width: facts.pixels?.width, height: facts.pixels?.height, notes: notes))
        } catch { return .failure(ControlError(error, name, limit: place.limit)) }
    }
}

extension ControlError {
    fileprivate init(_ error: SourceError, _ name: String, limit: UInt64) {
        switch error.cause {
        case .file(.tooLarge):
            self.init(
                .invalidValue,
                Phrase("\(name) is larger than \(FileText.phrase(limit)), the most that this node takes."),
                advice: Phrase("Nothing was sent. Raise the setting file-limit, or send a smaller file.")
            )
        case .file(.full):
            self.init(
                .storeFailed,
                Phrase("There is no room on the disk for \(name)."),
                advice: Phrase("Nothing was sent. Make room, and try it again.")
            )
        default:
            self.init(
                .storeFailed,
                Phrase("\(name) could not be copied to the node."),
                advice: Phrase("Nothing was sent. Try it again.")
            )
        }
    }
}
