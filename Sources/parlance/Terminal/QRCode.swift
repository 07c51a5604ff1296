import CQREncode
import ParlanceControl

/// QR codes as text: two rows of modules in each line.
enum QRCode {
    /// The light border that readers need (ISO 18004: 4 modules).
    private static let border = 4

    /// The lines that draw a text as a QR code; none if it is too long for one.
    ///
    /// With colours, draws black on white whatever the terminal's colours are. Without colours, draws the light
    /// modules, which is right on a dark terminal; on a light one the code is inverted, which most readers accept.
    static func lines(for text: String, style: TextStyle) -> [String] {
        let modules = modules(of: text)
        let size = modules.count
        guard size > 0 else { return [] }
        func isDark(_ row: Int, _ column: Int) -> Bool {
            modules.indices.contains(row) && modules.indices.contains(column) && modules[row][column]
        }
        return stride(from: -border, to: size + border, by: 2).map { row in
            let line = (-border..<size + border).map { column in
                let (top, bottom) = (isDark(row, column), isDark(row + 1, column))
                // The drawn blocks are dark on white, or light on the terminal's dark background.
                let isBelow = row + 1 < size + border
                return style.isColoured ? block(top, bottom) : block(!top, !bottom && isBelow)
            }
            return style.isColoured ? "\u{1B}[38;5;16;48;5;231m\(line.joined())\u{1B}[0m" : line.joined()
        }
    }

    private static func block(_ top: Bool, _ bottom: Bool) -> String {
        switch (top, bottom) {
        case (true, true): "\u{2588}"
        case (true, false): "\u{2580}"
        case (false, true): "\u{2584}"
        case (false, false): " "
        }
    }

    /// Rows of modules, true where dark. The lowest level of error correction is enough, since a screen is not damaged.
    private static func modules(of text: String) -> [[Bool]] {
        guard let code = QRcode_encodeString(text, 0, QR_ECLEVEL_L, QR_MODE_8, 1) else { return [] }
        defer { QRcode_free(code) }
        let size = Int(code.pointee.width)
        return (0..<size).map { row in
            (0..<size).map { code.pointee.data[row * size + $0] & 1 == 1 }
        }
    }
}

extension Session {
    /// The lines of a QR code on a terminal; none for a file or another program, where nobody scans it.
    func qrCode(for text: String) -> [String] {
        Terminal.isOutputTerminal ? QRCode.lines(for: text, style: style) : []
    }
}
