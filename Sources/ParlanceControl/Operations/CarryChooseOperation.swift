/// `carry.choose`: the files that can go with the parcels for a peer, and their keys (protocol/carry.md, "Packing files").
package struct CarryChooseOperation: ControlOperation {
    package typealias Reply = CarryChooseReply
    package static let method = "carry.choose"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String
    /// The most bytes that all of them may have on the stick; absent means 4 GiB.
    package var limit: UInt64?
    /// IDs of files, or their first 8 or more characters: these come first, whether or not their messages are packed.
    package var also: [String]?

    package init(who: String, limit: UInt64? = nil, also: [String]? = nil) {
        (self.who, self.limit, self.also) = (who, limit, also)
    }
}

package struct CarryChooseReply: Codable, Equatable, Sendable {
    /// Those that were asked for, then the newest first.
    package var files: [SealedFileInfo]
    /// Files that cannot go, the newest first.
    package var left: [LeftFile]
    /// Whether the keys of the peer are here; if not, there are no files.
    package var sealed: Bool

    package init(files: [SealedFileInfo], left: [LeftFile], sealed: Bool) {
        (self.files, self.left, self.sealed) = (files, left, sealed)
    }
}

/// A file that lies sealed on a stick, or is to lie there. The key is as secret as the file.
package struct SealedFileInfo: Codable, Equatable, Sendable {
    /// The ID of the file.
    package var file: String
    /// Bytes of the file.
    package var size: UInt64
    /// 64 hexadecimal digits.
    package var key: String
    /// As its sender calls it, made safe.
    package var name: String?
    /// 0 to 255; absent as long as the caller has given it none.
    package var slot: Int?
    /// The name of the sealed file on the stick, where it is to be read.
    package var place: String?

    package init(
        file: String,
        size: UInt64,
        key: String,
        name: String? = nil,
        slot: Int? = nil,
        place: String? = nil
    ) {
        (self.file, self.size, self.key, self.name, self.slot, self.place) = (file, size, key, name, slot, place)
    }
}

/// A file that a message for somebody names and that is not on the stick.
package struct LeftFile: Codable, Equatable, Sendable {
    package var file: String
    package var name: String
    package var size: UInt64
    package var why: Reason

    package enum Reason: String, Codable, JSONWord, Sendable {
        /// The file is not on this computer as a whole.
        case notHere
        /// With it, all would have more bytes than allowed.
        case beyondLimit
        /// There are as many as a stick takes for one person.
        case tooMany
        /// The stick has no room.
        case noRoom
        /// It could not be written.
        case failed
    }

    package init(file: String, name: String, size: UInt64, why: Reason) {
        (self.file, self.name, self.size, self.why) = (file, name, size, why)
    }
}
