import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceWaiting
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// Pictures of people, as the user chooses them.
@Suite struct PictureTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "ParlancePicturesTests/Pictures")

    private func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
    }

    @Test(arguments: ["baseline.jpg", "progressive.jpg", "upright.png", "lossy.webp", "plain.jpg"])
    func whatCamerasWriteIsRemoved(_ name: String) throws {
        let small = try PictureOperation.small(read(name))
        #expect(!small.isEmpty && Data(small).range(of: Data("Reykjavik".utf8)) == nil)
    }

    @Test(arguments: ["animated.gif", "small.avif", "small.tiff", "make.py"])
    func onlyThreeTypesAreShown(_ name: String) throws {
        let error = #expect(throws: ControlError.self) { try PictureOperation.small(read(name)) }
        #expect(error?.message.english.contains("only JPEG, PNG and WebP") == true)
        #expect(throws: ControlError.self) { try PictureOperation.small([]) }
    }

    @Test func aDamagedOneIsRefused() throws {
        let error = try #require(throws: ControlError.self) {
            try PictureOperation.small(read("plain.png").dropLast(20))
        }
        #expect(error.message.english == "The picture is damaged.")
    }

    /// A PNG file of a size that its header says, with so many more bytes of pixels than it needs.
    private func png(_ width: Int, _ height: Int, bytes: Int = 0) -> [UInt8] {
        func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
            UInt64(data.count).bigEndianBytes.suffix(4) + Array(type.utf8) + data + [0, 0, 0, 0]
        }
        let size = UInt64(width).bigEndianBytes.suffix(4) + UInt64(height).bigEndianBytes.suffix(4)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", size + [8, 2, 0, 0, 0])
            + chunk("IDAT", [UInt8](repeating: 0, count: bytes)) + chunk("IEND", [])
    }

    @Test func aLargeOneIsRefused() throws {
        let edge = Limits.pictureEdge
        let frame = png(edge, edge).count
        let most = png(edge, edge, bytes: Limits.pictureBytes - frame)
        #expect(most.count == Limits.pictureBytes)
        #expect(try PictureOperation.small(most) == most)
        for large in [png(edge + 1, 1), png(1, edge + 1), png(1, 1, bytes: Limits.pictureBytes - frame + 1)] {
            #expect(throws: ControlError.largePicture) { try PictureOperation.small(large) }
        }
    }
}

extension ProgramTests {
    /// The picture of a person, between real daemons (contacts.md, "Pictures").
    @Suite struct PictureTests {
        @Test func aFriendSeesIt() async throws {
            try await Lab.run(limit: .seconds(60)) { lab in
                let pair = try await Pair.meeting(in: lab)
                let face = ParlanceDaemonTests.PictureTests.folder.appending(path: "baseline.jpg").path
                #expect(try await pair.ada.parlance("picture").output == "There is no picture of you.\n")
                let chosen = try await pair.ada.parlance("picture", face)
                #expect(chosen.code == 0, "\(chosen.errors)")
                #expect(try await pair.ada.parlance("picture").output.hasPrefix("There is a picture of you, chosen "))
                let own = try #require(try await pair.ada.ask(StatusOperation()).picture)
                try await eventually("Bob has it") {
                    try await pair.bob.ask(PeersOperation()).peers.contains { $0.picture == own }
                }
                let place = lab.folder.appending(path: "ada.jpg").path
                let saved = try await pair.bob.parlance("picture", "--save", place, "Ada")
                #expect(saved.output == "Saved as \(place).\n", "\(saved.errors)")
                let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: place)))
                #expect(PictureID(hashing: bytes).text == own.id)
                #expect(Data(bytes).range(of: Data("Reykjavik".utf8)) == nil)
                let again = try await pair.bob.parlance("picture", "--save", place, "Ada")
                #expect(again.code != 0 && again.errors.contains("already"))
                #expect(try await pair.ada.parlance("picture", "--remove").code == 0)
                try await eventually("Bob has none") {
                    try await pair.bob.ask(PictureOperation(who: "Ada")) == PictureReply()
                }
                let none = try await pair.bob.parlance("picture", "--save", place + "2", "Ada")
                #expect(none.errors.contains("There is no picture of Ada here."))
                #expect(!FileManager.default.fileExists(atPath: place + "2"))
            }
        }
    }
}
