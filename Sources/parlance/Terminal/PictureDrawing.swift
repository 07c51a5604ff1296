import FoundationEssentials
import ParlancePictures

/// How a terminal draws a picture from the bytes of its file, which nobody decodes here.
enum PictureDrawing: Equatable, Sendable {
    /// The graphics protocol of Kitty (sw.kovidgoyal.net/kitty/graphics-protocol).
    case kitty
    /// The inline images of iTerm2 (iterm2.com/documentation-images.html).
    case inline

    /// Nil unless the terminal says by its name that it can. None can through a program that draws the screen itself.
    init?(environment: [String: String]) {
        func has(_ name: String) -> Bool { environment[name].map { !$0.isEmpty } ?? false }
        let terminal = environment["TERM"] ?? ""
        guard !["TMUX", "STY", "ZELLIJ"].contains(where: has),
            !["", "dumb"].contains(terminal), !["tmux", "screen"].contains(where: terminal.hasPrefix)
        else { return nil }
        switch (terminal, environment["TERM_PROGRAM"]) {
        case ("xterm-kitty", _), ("xterm-ghostty", _), (_, "ghostty"): self = .kitty
        case (_, "WezTerm"), (_, "iTerm.app"): self = .inline
        default:
            if let version = environment["KONSOLE_VERSION"].flatMap({ Int($0) }), version >= Self.firstKonsole {
                self = .inline
            } else if has("KITTY_WINDOW_ID") {
                self = .kitty
            } else {
                return nil
            }
        }
    }

    /// Konsole 22.04.
    private static let firstKonsole = 220_400

    /// Whether it draws pictures of a type; Kitty has a decoder for PNG alone.
    func draws(_ type: PictureType) -> Bool { self == .inline || type == .png }

    /// The size of a terminal.
    struct Window: Equatable, Sendable {
        var columns: Int
        var rows: Int
        /// Pixels.
        var width: Int
        var height: Int

        /// In how many columns a picture is drawn that would not fit otherwise; nil if it fits. A line stays free below it.
        func columns(width: Int, height: Int) -> Int? {
            guard columns > 0, rows > 1, self.width > 0, self.height > 0, width > 0, height > 0 else { return nil }
            let room = self.height / rows * (rows - 1)
            guard width > self.width || height > room else { return nil }
            let fitting = min(
                Double(columns),
                Double(room) / Double(height) * Double(width) / Double(self.width) * Double(columns)
            )
            return max(1, Int(fitting))
        }
    }

    /// Characters of base64 in one part of a picture, as Kitty wants.
    private static let partCharacters = 4_096

    /// What makes the terminal draw a picture.
    ///
    /// - Parameter columns: in so many columns; nil for the size that it has.
    func text(_ bytes: [UInt8], columns: Int?) -> String {
        switch self {
        case .inline:
            let width = columns.map { ";width=\($0)" } ?? ""
            let coded = Data(bytes).base64EncodedString()
            return "\u{1B}]1337;File=inline=1;size=\(bytes.count)\(width):\(coded)\u{07}"
        case .kitty:
            let coded = Data(bytes).base64EncodedData()
            var text = ""
            // `q=2`: the terminal answers nothing, which a shell would take for typed.
            var keys = "f=100,a=T,q=2" + (columns.map { ",c=\($0)" } ?? "")
            for start in stride(from: 0, to: coded.count, by: Self.partCharacters) {
                let part = String(decoding: coded[start..<min(start + Self.partCharacters, coded.count)], as: UTF8.self)
                let isLast = start + Self.partCharacters >= coded.count
                text += "\u{1B}_G\(keys),m=\(isLast ? 0 : 1);\(part)\u{1B}\\"
                keys = "q=2"
            }
            return text
        }
    }
}
