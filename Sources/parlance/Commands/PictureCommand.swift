import ArgumentParser
import FoundationEssentials
import ParlanceControl
import ParlanceWords

/// `parlance picture [FILE] [--remove] [--save PATH [WHO]]`
struct PictureCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "picture",
        abstract: "Show whether others see a picture of you, choose one, or save one.",
        discussion: """
            Those whom you have accepted, and members of your groups, see it; strangers do not. It has at most 64 KiB, and \
            1,024 pixels each way; what your camera wrote into it is removed. The page makes a larger one small by itself \
            (parlance open).

            Examples: parlance picture me.jpg
                      parlance picture --remove
                      parlance picture --save bob.jpg Bob
            """
    )

    @Argument(
        help: ArgumentHelp(
            "The new picture: JPEG, PNG or WebP. With --save: whose picture; without a name, yours.",
            valueName: "file-or-who"
        )
    )
    var word: UserPath?

    @Flag(help: "Remove your picture.")
    var remove = false

    @Option(help: ArgumentHelp("Save the picture as this file.", valueName: "path"))
    var save: UserPath?

    @Flag(help: "With --save: replace a file that is there.")
    var force = false

    @OptionGroup var options: Options

    func validate() throws {
        guard !remove || word == nil && save == nil else {
            throw ValidationError(say("--remove cannot be given together with a file or --save."))
        }
        guard save != nil || !force else { throw ValidationError(say("--force needs --save.")) }
    }

    var onlyShows: Bool { word == nil && !remove && save == nil }

    func run(_ session: Session) async throws {
        if let save { return try await saved(at: save, session) }
        if let word {
            let content = Data(try Self.read(word)).base64EncodedString()
            try await session.show(PictureOperation(new: content)) { _ in
                [say("Your contacts and the members of your groups see this picture of you now.")]
            }
        } else if remove {
            try await session.show(PictureOperation(remove: true)) { _ in
                [
                    say(
                        "Nobody is given a picture of you any more. Who is away keeps the old one until you are linked again."
                    )
                ]
            }
        } else {
            try await session.show(PictureOperation()) { reply in
                guard let picture = reply.picture else { return [say("There is no picture of you.")] }
                return [say("There is a picture of you, chosen \(session.clock.short(picture.chosen)).")]
            }
        }
    }

    private func saved(at path: UserPath, _ session: Session) async throws {
        let who = word?.argument
        // Whose picture it is, is a text; of other words it is a path.
        try ArgumentText.check(who as Any, of: [who ?? ""])
        let file = try OutputFile(path, isForced: force)
        let reply = try await session.client.call(PictureOperation(who: who, content: true))
        guard let content = reply.content.flatMap({ Data(base64Encoded: $0) }) else {
            throw ControlFailure(
                code: "noPicture",
                message: who == nil ? "There is no picture of you." : "There is no picture of \(who ?? "") here.",
                advice: "Nothing was written."
            )
        }
        try file.append([UInt8](content))
        try file.finish()
        let line =
            session.json
            ? JSONWriter.text(.object([.init("file", .string(path.shown))])) : say("Saved as \(path.shown).")
        session.terminal.write([VisibleText.line(line)])
    }

    /// Reads a file that is small enough for the node.
    private static func read(_ path: UserPath) throws(ControlFailure) -> [UInt8] {
        let limit = PictureOperation.mostBytes
        guard let bytes = try InputFile.bytes(of: path, limit: limit, advice: Phrase("Nothing was changed.")) else {
            throw ControlFailure(.largePicture)
        }
        return bytes
    }
}
