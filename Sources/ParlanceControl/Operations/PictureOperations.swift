import ParlanceErrorCode
import ParlanceWords

/// `picture`: asks for the picture of this user or of a peer, or changes that of this user.
package struct PictureOperation: ControlOperation {
    package typealias Reply = PictureReply
    package static let method = "picture"

    /// Bytes of a file that can be sent to the node: cameras add much that is removed there.
    package static let mostBytes = 512 * 1024

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md); absent for this user.
    package var who: String?
    /// Whether the reply has the picture itself.
    package var content: Bool?
    /// The new picture: a JPEG, PNG or WebP file, in base64.
    package var new: String?
    /// Whether the picture is to be removed.
    package var remove: Bool?

    package init(who: String? = nil, content: Bool? = nil, new: String? = nil, remove: Bool? = nil) {
        self.who = who
        self.content = content
        self.new = new
        self.remove = remove
    }
}

/// A picture; empty if there is none.
package struct PictureReply: Codable, Equatable, Sendable {
    package var picture: PictureInfo?
    /// Its bytes, in base64. Those of others may be of any format, or of none.
    package var content: String?

    package init(picture: PictureInfo? = nil, content: String? = nil) {
        self.picture = picture
        self.content = content
    }
}

/// Which picture somebody has.
package struct PictureInfo: Codable, Equatable, Sendable {
    /// The hash of its bytes.
    package var id: String
    /// When its person chose it.
    package var chosen: ControlTime

    package init(id: String, chosen: ControlTime) {
        self.id = id
        self.chosen = chosen
    }
}

extension ControlError {
    /// A picture of a person is too large.
    package static let largePicture = ControlError(
        .invalidValue,
        "The picture is too large: 64 KiB at most, and 1,024 pixels each way.",
        advice:
            "Nothing was changed. Choose it on the page, which makes it small (parlance open), or make it smaller with another program."
    )
}
