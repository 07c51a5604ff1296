/// A small terminal that interprets what a program writes, as far as ours and shells write it: text, the cursor's position, styles,
/// erasing, and private modes.
package struct ScreenModel: Sendable {
    package struct Cell: Equatable, Sendable {
        package var character: Character = " "
        /// 0 in the cells that a wide character covers behind its first.
        package var width = 1
        package var style = "0"
    }

    package private(set) var height: Int
    package private(set) var width: Int
    package private(set) var cells: [[Cell]]
    package private(set) var cursor: (row: Int, column: Int) = (0, 0)
    package private(set) var modes: Set<String> = []
    /// How often modes were set or reset.
    package private(set) var modeChanges: [String] = []
    private var style = "0"
    /// The private modes that were saved, and whether they were set; nil for a terminal that does not save them.
    private var saved: [String: Bool]?
    /// Bytes of a character or a sequence whose end has not come.
    private var pending: [UInt8] = []
    private let columns: @Sendable (Character) -> Int

    /// - Parameters:
    ///   - savesModes: whether it knows XTSAVE and XTRESTORE.
    ///   - columns: how many columns this terminal takes for a character.
    package init(height: Int, width: Int, savesModes: Bool = true, columns: @escaping @Sendable (Character) -> Int) {
        saved = savesModes ? [:] : nil
        self.height = height
        self.width = width
        self.columns = columns
        cells = Array(repeating: Array(repeating: Cell(), count: width), count: height)
    }

    package mutating func resize(height: Int, width: Int) {
        self = ScreenModel(height: height, width: width, columns: columns)
    }

    /// The rows as text, without the blanks at their ends.
    package var lines: [String] {
        cells.map { row in
            var line = String(row.filter { $0.width > 0 }.map(\.character))
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    package mutating func write(_ bytes: some Sequence<UInt8>) {
        let all = pending + bytes
        // A character or sequence that is cut waits for its rest.
        let end = Self.complete(all)
        pending = Array(all[end...])
        var text = ""
        var scalars = String(decoding: all[..<end], as: UTF8.self).unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            if scalar.value >= 0x20, scalar.value != 0x7F {
                text.unicodeScalars.append(scalar)
                continue
            }
            print(text)
            text = ""
            if scalar == "\r" { cursor.column = 0 }
            if scalar == "\n" { cursor.row = min(cursor.row + 1, height - 1) }
            if scalar == "\u{8}" { cursor.column = max(0, cursor.column - 1) }
            if scalar == "\u{1B}" { escape(&scalars) }
        }
        print(text)
    }

    /// Obeys a sequence whose beginning was taken. The choice of a character set and the title of the window change nothing
    /// here.
    private mutating func escape(_ scalars: inout Substring.UnicodeScalarView) {
        switch scalars.popFirst() {
        case "(": _ = scalars.popFirst()
        case "]": while let next = scalars.popFirst(), next != "\u{7}" {}
        case "[":
            var parameters = ""
            while let next = scalars.popFirst() {
                guard !(0x40...0x7E).contains(next.value) else { return control(parameters, next) }
                parameters.unicodeScalars.append(next)
            }
        default: break
        }
    }

    /// How many bytes from the start contain only whole sequences and characters.
    private static func complete(_ bytes: [UInt8]) -> Int {
        if let escape = bytes.lastIndex(of: 0x1B) {
            let rest = bytes[(escape + 1)...]
            if rest.isEmpty { return escape }
            if rest.first == 0x28, rest.count < 2 { return escape }
            if rest.first == 0x5D, !rest.contains(0x07) { return escape }
            if rest.first == 0x5B, !rest.dropFirst().contains(where: { (0x40...0x7E).contains($0) }) { return escape }
        }
        var start = bytes.count
        while start > 0, bytes.count - start < 4 {
            start -= 1
            let byte = bytes[start]
            if byte < 0x80 { return bytes.count }
            if byte >= 0xC0 {
                let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
                return bytes.count - start < length ? start : bytes.count
            }
        }
        return bytes.count
    }

    private mutating func print(_ text: String) {
        for character in text {
            let taken = columns(character)
            guard taken > 0 else { continue }
            let column = min(cursor.column, width - 1)
            for covered in column..<min(width, column + taken) { blank(covered) }
            cells[cursor.row][column] = Cell(character: character, width: taken, style: style)
            for covered in column..<min(width, column + taken) where covered > column {
                cells[cursor.row][covered] = Cell(width: 0, style: style)
            }
            cursor.column = min(column + taken, width)
        }
    }

    /// Blanks the character that a cell belongs to.
    private mutating func blank(_ column: Int) {
        var first = column
        while first > 0, cells[cursor.row][first].width == 0 { first -= 1 }
        for index in first..<min(width, first + max(1, cells[cursor.row][first].width)) {
            cells[cursor.row][index] = Cell()
        }
    }

    private mutating func eraseRest() {
        let column = min(cursor.column, width - 1)
        var first = column
        while first > 0, cells[cursor.row][first].width == 0 { first -= 1 }
        // What is left of a character that reached further.
        if first < column { cells[cursor.row][first].width = column - first }
        for erased in column..<width { cells[cursor.row][erased] = Cell() }
    }

    private mutating func control(_ parameters: String, _ final: Unicode.Scalar) {
        let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
        switch final {
        case "H":
            cursor.row = min(max(0, (numbers.first ?? 1) - 1), height - 1)
            cursor.column = min(max(0, (numbers.count > 1 ? numbers[1] : 1) - 1), width - 1)
        case "C": cursor.column = min(cursor.column + max(1, numbers.first ?? 1), width - 1)
        case "D": cursor.column = max(0, cursor.column - max(1, numbers.first ?? 1))
        case "J": cells = Array(repeating: Array(repeating: Cell(), count: width), count: height)
        case "K": eraseRest()
        case "m": style = parameters
        case "h":
            modes.insert(parameters)
            modeChanges.append(parameters + "h")
        case "l":
            modes.remove(parameters)
            modeChanges.append(parameters + "l")
        case "s" where parameters.hasPrefix("?"):
            for mode in Self.modes(parameters) { saved?[mode] = modes.contains(mode) }
        case "r" where parameters.hasPrefix("?"):
            for mode in Self.modes(parameters) {
                guard let isSet = saved?[mode] else { continue }
                if isSet { modes.insert(mode) } else { modes.remove(mode) }
            }
        default: break
        }
    }

    /// "?1036;1039" names two modes.
    private static func modes(_ parameters: String) -> [String] {
        parameters.dropFirst().split(separator: ";").map { "?\($0)" }
    }
}
