import ParlanceControl
import ParlanceCore
import ParlanceFiles
import ParlancePictures
import ParlanceTexts
import ParlanceWire
import ParlanceWords

/// Shows the pictures among files that are here. What a terminal cannot draw is described.
struct PictureShow {
    private let session: Session
    private let drawing: PictureDrawing?

    init(_ session: Session) {
        self.session = session
        drawing = Terminal.isOutputTerminal ? PictureDrawing(environment: Terminal.environment) : nil
    }

    /// - Throws: if the file is damaged.
    func show(_ file: FileInfo, from source: FilePathReply) throws(ControlFailure) {
        guard file.folder != true, source.size <= Limits.shownPictureBytes else {
            return tell(file, nil, source.size > Limits.shownPictureBytes ? .large : .noPicture)
        }
        let bytes: [UInt8]
        do throws(ShelfError) {
            guard let id = Base32.decode(file.file).flatMap({ FileID($0) }) else { throw .damaged }
            bytes = try FileDelivery.read(source.path, id, limit: Limits.shownPictureBytes)
        } catch {
            throw ControlFailure(saving: file.name, to: source.path, error)
        }
        guard let facts = PictureFacts(bytes) else { return tell(file, nil, .noPicture) }
        guard facts.width * facts.height <= Limits.shownPicturePixels else { return tell(file, facts, .large) }
        guard let drawing, drawing.draws(facts.type) else { return tell(file, facts, .noTerminal) }
        tell(file, facts, nil)
        guard !session.json else { return }
        let columns = session.terminal.window?.columns(width: facts.width, height: facts.height)
        session.terminal.write([drawing.text(bytes, columns: columns)])
    }

    private enum Reason { case noPicture, large, noTerminal }

    private func tell(_ file: FileInfo, _ facts: PictureFacts?, _ reason: Reason?) {
        if session.json {
            var fields: [JSON.Member] = [.init("file", .string(file.file))]
            if let facts {
                fields += [
                    .init("type", .string(facts.type.rawValue)), .init("width", .integer(Int64(facts.width))),
                    .init("height", .integer(Int64(facts.height))),
                ]
            }
            let line: JSON = .object([.init("type", .string("shown")), .init("data", .object(fields))])
            return session.terminal.write([JSONWriter.text(line)])
        }
        var parts = [FileText.facts(file)]
        if let facts {
            let size = "\(facts.width) x \(facts.height)"
            parts = [NameText.plain(file.name), FileText.size(file.size), facts.type.name, size]
        }
        session.terminal.write([VisibleText.line(parts.joined(separator: ", "))])
        guard let reason else { return }
        let words = [VisibleText.line(words(reason, file))]
        if Terminal.isOutputTerminal { return session.terminal.write(words) }
        // In a pipe nobody expects a picture to be drawn, but a file that is not a picture, or too large, was probably
        // named by mistake.
        if reason != .noTerminal { Terminal.standardError.write(words) }
    }

    private func words(_ reason: Reason, _ file: FileInfo) -> String {
        let id = file.shortReference
        return switch reason {
        case .noPicture: say("This file is not a picture that Parlance can draw. To save it: parlance fetch \(id)")
        case .large: say("It is too large to be drawn here. To save it: parlance fetch \(id)")
        case .noTerminal: say("This terminal cannot draw it. To save it: parlance fetch \(id)")
        }
    }
}

extension PictureType {
    /// As people write it.
    fileprivate var name: String {
        switch self {
        case .jpeg: "JPEG"
        case .png: "PNG"
        case .gif: "GIF"
        case .webp: "WebP"
        case .heic, .avif, .tiff, .jpegXL, .video: rawValue
        }
    }
}
