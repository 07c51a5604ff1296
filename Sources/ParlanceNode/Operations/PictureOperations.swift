import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlancePictures
import ParlanceStore
import ParlanceWire
import ParlanceWords

// Operations on the pictures of people.

extension NodeOperations {
    static let pictures: [any NodeOperation.Type] = [PictureOperation.self]
}

extension PictureOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> PictureReply {
        guard new != nil || remove == true else {
            guard let who else { return try await tell(node.store.identity, node) }
            return try await tell(try await node.ask(.find(who: who), \.peer).record.id, node)
        }
        try await node.ask(.setPicture(try chosen()), \.done)
        return try await tell(node.store.identity, node)
    }

    private func chosen() throws(ControlError) -> [UInt8]? {
        guard who == nil, new == nil || remove != true else {
            throw ControlError(
                .invalidValue,
                "Only your own picture can be changed, or removed.",
                advice: "Nothing was changed. Give either the new picture or remove, and nobody's name."
            )
        }
        return try new.map { text throws(ControlError) in
            try Self.small(Data(base64Encoded: text).map { [UInt8]($0) } ?? [])
        }
    }

    private func tell(_ peer: PeerID, _ node: LocalControl) async throws(ControlError) -> PictureReply {
        try await node.read {
            guard let found = try node.store.picture(of: peer) else { return PictureReply() }
            let info = PictureInfo(PictureMark(peer: peer, id: found.id, made: found.made))
            let bytes = content == true ? Data(found.content).base64EncodedString() : nil
            return PictureReply(picture: info, content: bytes)
        }
    }

    /// A picture as it is shown to others, without what cameras write beside it. Nothing is decoded, so nothing is made
    /// smaller here.
    static func small(_ bytes: [UInt8]) throws(ControlError) -> [UInt8] {
        let cleaning = PictureCleaning(bytes)
        switch cleaning {
        case .clean(.jpeg), .clean(.png), .clean(.webp), .removed(.jpeg, _), .removed(.png, _), .removed(.webp, _):
            break
        case .unchanged(.tooLarge): throw .largePicture
        case .unchanged(.damaged):
            throw ControlError(
                .invalidValue,
                "The picture is damaged.",
                advice: "Nothing was changed. Save it anew with the program that made it."
            )
        case .unchanged, .clean, .removed:
            throw ControlError(
                .invalidValue,
                "Others cannot be shown this picture: only JPEG, PNG and WebP work.",
                advice: "Nothing was changed. Save it as one of these with another program."
            )
        }
        let small = cleaning.applied(to: bytes)
        guard let facts = PictureFacts(small), max(facts.width, facts.height) <= Limits.pictureEdge,
            small.count <= Limits.pictureBytes
        else { throw .largePicture }
        return small
    }
}

extension PictureInfo {
    init(_ mark: PictureMark) {
        self.init(id: mark.id.text, chosen: ControlTime(milliseconds: Int64(clamping: mark.made)))
    }
}
