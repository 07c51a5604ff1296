/// Makes a terminal show pictures: keeps what it shows, and writes what differs, in one piece.
package struct ScreenWriter: Sendable {
    /// What the terminal shows; nil if nobody knows.
    private var shown: Picture?
    private let isColoured: Bool
    /// The bytes of a character that takes so many columns, for a terminal that does not read UTF-8.
    private let encode: (@Sendable (Character, Int) -> [UInt8])?
    private var bytes: [UInt8] = []
    private var style = Style.plain

    package init(isColoured: Bool, encode: (@Sendable (Character, Int) -> [UInt8])? = nil) {
        self.isColoured = isColoured
        self.encode = encode
    }

    /// Notes how the terminal sends what is typed with Alt or Meta (XTSAVE). Only before the first `enter` and after a
    /// `leave`: otherwise it would note what `enter` has set.
    package static let save = "\u{1B}[?1036;1039s"
    /// The other screen, pastes with marks around them, no line breaks by the terminal, and ESC before what is typed with
    /// Alt or Meta (xterm otherwise sends another letter).
    package static let enter = "\u{1B}[?1049h\u{1B}[?2004h\u{1B}[?1036h\u{1B}[?1039h\u{1B}[?7l\u{1B}[2J"
    /// Undoes that; first it ends a picture, in the middle of which a crash may come. A terminal without another screen
    /// is cleared.
    ///
    /// Alt and Meta are reset, which is xterm's default, and then restored as they were (XTRESTORE). A terminal that knows
    /// the modes and does not save them keeps the default. Both sequences have the `?` of private modes, which parsers
    /// look at before the last letter: the Linux console, tmux and screen ignore them. One that took them for `CSI s` and
    /// `CSI r` would save the cursor and be given margins below its last row, which it ignores; the end of the other screen
    /// puts the cursor back.
    package static let leave =
        "\u{1B}[?2026l\u{1B}[0m\u{1B}[?7h\u{1B}[?1039l\u{1B}[?1036l\u{1B}[?1036;1039r\u{1B}[?2004l\u{1B}[?25h"
        + "\u{1B}[2J\u{1B}[H\u{1B}[?1049l\r"

    /// The next picture is written whole.
    package mutating func forget() {
        shown = nil
    }

    /// The bytes that make the terminal show a picture, between the marks of a synchronized update (mode 2026).
    package mutating func show(_ picture: Picture) -> [UInt8] {
        guard shown != picture else { return [] }
        bytes = []
        put("\u{1B}[?2026h\u{1B}[?25l")
        let before: Picture
        if let shown, shown.height == picture.height, shown.width == picture.width {
            before = shown
        } else {
            put("\u{1B}[0m\u{1B}[2J")
            style = .plain
            before = Picture(height: picture.height, width: picture.width)
        }
        for row in 0..<picture.height { write(row, of: picture, over: Array(before.row(row))) }
        set(.plain)
        if let cursor = picture.cursor, picture.width > 0 {
            move(cursor.row, min(cursor.column, picture.width - 1))
            put("\u{1B}[?25h")
        }
        put("\u{1B}[?2026l")
        shown = picture
        return bytes
    }

    private mutating func write(_ row: Int, of picture: Picture, over old: [Cell]) {
        let new = Array(picture.row(row))
        guard var first = zip(old, new).enumerated().first(where: { $1.0 != $1.1 })?.offset else { return }
        var old = old
        let isSimple = zip(old[first...], new[first...]).allSatisfy { isPlain($0) && isPlain($1) }
        if !isSimple {
            // Where something wide comes or goes, terminals treat its other half differently: the rest of the
            // row is written anew.
            while first > 0, old[first].width == 0 || new[first].width == 0 { first -= 1 }
            move(row, first)
            eraseRest()
            for column in first..<old.count { old[column] = .blank }
        }
        var column = first
        var at: Int? = isSimple ? nil : first
        while column < new.count {
            let cell = new[column]
            defer { column += max(1, cell.width) }
            guard old[column] != cell, cell.width > 0 else { continue }
            if at != column { move(row, column) }
            set(cell.style)
            put(cell.character, width: cell.width)
            at = column + cell.width
            if !DisplayWidth.isCertain(cell.character), column + cell.width < new.count {
                // The cursor is set anew and the rest erased: where the terminal counts other columns, this character
                // looks odd and nothing behind it moves.
                move(row, column + cell.width)
                eraseRest()
            }
        }
    }

    private func isPlain(_ cell: Cell) -> Bool { cell.width == 1 && DisplayWidth.isCertain(cell.character) }

    private mutating func put(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func put(_ character: Character, width: Int) {
        guard let encode else { return bytes.append(contentsOf: character.utf8) }
        bytes.append(contentsOf: encode(character, width))
    }

    private mutating func move(_ row: Int, _ column: Int) { put("\u{1B}[\(row + 1);\(column + 1)H") }

    private mutating func eraseRest() {
        set(.plain)
        put("\u{1B}[K")
    }

    private mutating func set(_ wanted: Style) {
        guard wanted != style else { return }
        style = wanted
        put("\u{1B}[0\(wanted.parameters(coloured: isColoured))m")
    }
}
