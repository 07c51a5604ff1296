/// Makes keys of the bytes that a terminal sends; characters, sequences and pastes may be cut anywhere between two reads.
///
/// The sequences are those of xterm (XTerm Control Sequences, "PC-Style Function Keys" and "Bracketed Paste Mode"), with
/// the older ones of VT220, rxvt and the Linux console.
package struct KeyParser: Sendable {
    private enum State: Equatable {
        case ground
        /// The bytes of a character that has begun.
        case character([UInt8], missing: Int)
        case escape
        /// The parameters of a control sequence that has begun.
        case sequence([UInt8])
        /// After ESC O.
        case single
        /// An answer of the terminal about colours and the like, with the byte that began it; it ends with BEL or ESC \.
        case answer([UInt8])
        case paste([UInt8])
        /// Behind the end mark of a paste, with bytes that may be the beginning of a mark or of a character.
        case tail([UInt8])
    }

    private var state = State.ground
    /// Whether bytes of the present paste were dropped.
    private var isPasteCut = false
    /// Whether something followed the end mark of a paste, so that it was most likely not its end.
    private var isTailOpen = false
    /// The bytes that came in the same read and are not looked at yet.
    private var rest: ArraySlice<UInt8> = []
    /// Whether this read is a paste without marks: a carriage return with more behind it.
    private var isUnmarkedPaste = false
    /// Whether the text that came in this read reaches up to the next byte.
    private var isBehindText = false

    /// Bytes of a paste that are kept: a message holds 64 KiB.
    private static let pasteLimit = 65_536
    private static let pasteStart = Array("\u{1B}[200~".utf8)
    private static let pasteEnd = Array("\u{1B}[201~".utf8)
    /// Bytes of a sequence after which it is none: the longest have some 20.
    private static let longestSequence = 64
    /// Bytes of an answer after which it is none: colours take some 30, and nobody asks for more.
    private static let longestAnswer = 128
    /// Bytes of a text in one read from which on it is the beginning of a paste without marks: programs that type for
    /// people write a line, and Enter follows it at once.
    private static let longestLine = 256
    /// Milliseconds after which nothing of a sequence follows. Terminals send it in one piece; networks may cut it.
    private static let sequencePatience = 50
    /// Milliseconds after which nothing of a paste follows. Slow links deliver one in many pieces.
    private static let pastePatience = 3_000
    /// Milliseconds after a paste within which nobody types: what comes then still belongs to it.
    private static let tailPatience = 50
    /// The same once something has followed an end mark: the true one is still to come, and somebody who did type there
    /// presses Enter again after that.
    private static let openTailPatience = 1_000

    package init() {}

    /// For how many milliseconds the rest of what has begun may still come: after that the caller says that nothing
    /// followed. Nil if nothing has begun that could hold keys back.
    package var patience: Int? {
        switch state {
        case .ground, .character: nil
        case .escape, .sequence, .single, .answer: Self.sequencePatience
        case .paste: Self.pastePatience
        case .tail: isTailOpen ? Self.openTailPatience : Self.tailPatience
        }
    }

    /// Nothing followed: what has begun is what it looks like.
    package mutating func nothingFollowed() -> [Key] {
        var keys: [Key] = []
        let begun = state
        if patience != nil { state = .ground }
        switch begun {
        case .ground, .character: break
        case .escape: keys = [.named(.escape)]
        case .single: keys = [.alt("O")]
        case .sequence(let parameters): keys = [parameters.isEmpty ? .alt("[") : .unknown]
        case .answer(let bytes): giveBack(bytes, &keys)
        case .paste(let bytes): keys = [paste(of: bytes[...])]
        case .tail(let bytes): addText(bytes[...], &keys)
        }
        return keys
    }

    /// - Parameter bytes: what came in one read. Nobody types so fast that more than a key comes at once, so several
    ///   characters there are a paste: with marks or, from some terminals, without. A paste presses no keys and sends
    ///   nothing by itself, even if it contains an end mark: what comes behind one is text until nothing follows.
    package mutating func read(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        rest = Array(bytes)[...]
        (isUnmarkedPaste, isBehindText) = (false, false)
        while !rest.isEmpty {
            if case .tail(let begun) = state {
                readTail(begun, &keys)
            } else if state != .ground || !readText(&keys) {
                read(rest.removeFirst(), &keys)
                isBehindText = false
            }
        }
        return keys
    }

    /// Takes several characters that came at once as a paste without marks. A line end or a tab behind a single line is
    /// left: whoever types ahead on a slow connection presses Enter or Tab there.
    ///
    /// - Returns: whether there were several.
    private mutating func readText(_ keys: inout [Key]) -> Bool {
        let run = rest.prefix { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
        guard run.contains(where: { $0 > 0x20 }), !Self.isOneCharacter(run) else { return false }
        var text = run
        for end in [[0x0D], [0x0D, 0x0A], [0x09]] as [[UInt8]] where run.suffix(end.count).elementsEqual(end) {
            text = run.dropLast(end.count)
        }
        isUnmarkedPaste = isUnmarkedPaste || text.contains { $0 == 0x0A || $0 == 0x0D }
        if isUnmarkedPaste || text.count == run.count && text.count > Self.longestLine, run.endIndex == rest.endIndex {
            // The next read may bring the rest of it.
            readTail([], &keys)
            isTailOpen = false
            return true
        }
        text = text.dropLast(Self.unfinished(Array(text)))
        addText(text, &keys)
        rest = rest[text.endIndex...]
        isBehindText = !text.isEmpty
        return !text.isEmpty
    }

    private static func isOneCharacter(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 1
            || bytes.count <= 4 && bytes.first.map { $0 >= 0xC0 } == true
                && bytes.dropFirst().allSatisfy { $0 & 0xC0 == 0x80 }
    }

    /// Takes what follows the end mark of a paste as text, up to the next paste.
    private mutating func readTail(_ begun: [UInt8], _ keys: inout [Key]) {
        var bytes = (begun + rest)[...]
        rest = []
        var text: [UInt8] = []
        while !bytes.isEmpty {
            if bytes.starts(with: Self.pasteStart) {
                addText(text[...], &keys)
                rest = bytes.dropFirst(Self.pasteStart.count)
                state = .paste([])
                isPasteCut = false
                return
            }
            if bytes.starts(with: Self.pasteEnd) {
                bytes.removeFirst(Self.pasteEnd.count)
                isTailOpen = !bytes.isEmpty
            } else if Self.pasteStart.starts(with: bytes) || Self.pasteEnd.starts(with: bytes) {
                break
            } else {
                isTailOpen = true
                text.append(bytes.removeFirst())
            }
        }
        // The rest of a character, or the line feed of a pair, may still come.
        let held = Self.unfinished(text)
        state = .tail(text.suffix(held) + bytes)
        addText(text.dropLast(held), &keys)
    }

    private func addText(_ bytes: ArraySlice<UInt8>, _ keys: inout [Key]) {
        let text = Self.text(bytes)
        if !text.isEmpty { keys.append(.paste(text)) }
    }

    /// How many bytes at the end are the beginning of a character or of a pair of line ends.
    private static func unfinished(_ bytes: [UInt8]) -> Int {
        if bytes.last == 0x0D { return 1 }
        let following = bytes.reversed().prefix(3).prefix { $0 & 0xC0 == 0x80 }.count
        guard following < bytes.count else { return 0 }
        let length =
            switch bytes[bytes.count - 1 - following] {
            case 0xC2..<0xE0: 2
            case 0xE0..<0xF0: 3
            case 0xF0..<0xF5: 4
            default: 1
            }
        return following + 1 < length ? following + 1 : 0
    }

    /// The end mark of a paste came.
    private mutating func endPaste() {
        state = .tail([])
        isTailOpen = false
    }

    /// Enter sends; a carriage return within a paste begins a new line.
    private mutating func carriageReturn(_ keys: inout [Key]) {
        // Some terminals send a line feed with it.
        let isPair = rest.first == 0x0A
        if isPair { rest.removeFirst() }
        isUnmarkedPaste = isUnmarkedPaste || !rest.isEmpty
        keys.append(.named(.enter, isUnmarkedPaste ? .alt : isBehindText ? .atOnce : []))
    }

    private mutating func read(_ byte: UInt8, _ keys: inout [Key]) {
        switch state {
        case .ground: ground(byte, &keys)
        case .character(let begun, let missing): character(byte, begun, missing, &keys)
        case .escape: escape(byte, &keys)
        case .sequence(let parameters): sequence(byte, parameters, &keys)
        case .single: single(byte, &keys)
        case .answer(let bytes): answer(byte, bytes, &keys)
        case .paste: paste(byte, &keys)
        case .tail(let begun):
            rest.insert(byte, at: rest.startIndex)
            readTail(begun, &keys)
        }
    }

    private mutating func ground(_ byte: UInt8, _ keys: inout [Key]) {
        switch byte {
        case 0x1B: state = .escape
        case 0x0D: carriageReturn(&keys)
        case 0x0A: keys.append(.named(.enter, .alt))
        case 0x09: keys.append(.named(.tab))
        case 0x7F, 0x08: keys.append(.named(.backspace))
        case 0x01...0x1A: keys.append(.control(Character(Unicode.Scalar(byte + 0x60))))
        case 0..<0x20: keys.append(.unknown)
        case 0x20..<0x7F: keys.append(.text(Unicode.Scalar(byte)))
        case 0xC2..<0xE0: state = .character([byte], missing: 1)
        case 0xE0..<0xF0: state = .character([byte], missing: 2)
        case 0xF0..<0xF5: state = .character([byte], missing: 3)
        default: keys.append(.text("\u{FFFD}"))
        }
    }

    private mutating func character(_ byte: UInt8, _ begun: [UInt8], _ missing: Int, _ keys: inout [Key]) {
        guard byte & 0xC0 == 0x80 else {
            state = .ground
            keys.append(.text("\u{FFFD}"))
            return ground(byte, &keys)
        }
        guard missing == 1 else {
            state = .character(begun + [byte], missing: missing - 1)
            return
        }
        state = .ground
        let scalars = String(decoding: begun + [byte], as: UTF8.self).unicodeScalars
        // C1 controls have no key; a terminal that sent them would mean something else.
        keys += scalars.map { (0x80..<0xA0).contains($0.value) ? .unknown : .text($0) }
    }

    private mutating func escape(_ byte: UInt8, _ keys: inout [Key]) {
        state = .ground
        switch byte {
        case 0x5B: state = .sequence([])
        case 0x4F: state = .single
        case 0x5D, 0x50, 0x58, 0x5E, 0x5F: state = .answer([byte])
        case 0x0D, 0x0A: keys.append(.named(.enter, .alt))
        case 0x7F, 0x08: keys.append(.named(.backspace, .alt))
        case 0x20..<0x7F: keys.append(.alt(Unicode.Scalar(byte)))
        // A letter beyond ASCII that was typed with Alt is the letter.
        case 0x80...: ground(byte, &keys)
        default:
            keys.append(.named(.escape))
            ground(byte, &keys)
        }
    }

    private mutating func single(_ byte: UInt8, _ keys: inout [Key]) {
        state = .ground
        let key = Self.key(final: byte, modifiers: [])
        if key != .unknown { return keys.append(key) }
        keys.append(.alt("O"))
        ground(byte, &keys)
    }

    /// An answer has printable characters of ASCII and an end; anything else was typed.
    private mutating func answer(_ byte: UInt8, _ begun: [UInt8], _ keys: inout [Key]) {
        let bytes = begun + [byte]
        if byte == 0x07 || begun.last == 0x1B && byte == 0x5C {
            state = .ground
        } else if begun.last != 0x1B, bytes.count <= Self.longestAnswer, (0x20..<0x7F).contains(byte) || byte == 0x1B {
            state = .answer(bytes)
        } else {
            giveBack(bytes, &keys)
        }
    }

    /// The bytes of what looked like an answer are keys, after the ESC that began it.
    private mutating func giveBack(_ bytes: [UInt8], _ keys: inout [Key]) {
        state = .ground
        guard bytes.count > 1 else { return keys.append(.alt(Unicode.Scalar(bytes.first ?? 0x5D))) }
        keys.append(.named(.escape))
        ground(bytes[0], &keys)
        for byte in bytes.dropFirst() { read(byte, &keys) }
    }

    private mutating func sequence(_ byte: UInt8, _ parameters: [UInt8], _ keys: inout [Key]) {
        switch byte {
        case 0x20...0x3F where parameters.count < Self.longestSequence: state = .sequence(parameters + [byte])
        // The Linux console sends ESC [ [ A for F1.
        case 0x5B where parameters.isEmpty: state = .sequence([byte])
        case 0x40...0x7E:
            state = .ground
            end(parameters, final: byte, &keys)
        default:
            state = .ground
            keys.append(parameters.isEmpty ? .alt("[") : .unknown)
            ground(byte, &keys)
        }
    }

    private mutating func end(_ parameters: [UInt8], final: UInt8, _ keys: inout [Key]) {
        if parameters == [0x5B] {
            return keys.append(final == 0x41 ? .named(.f1) : final == 0x42 ? .named(.f2) : .unknown)
        }
        let numbers = String(decoding: parameters, as: UTF8.self).split(separator: ";").map { UInt8($0) ?? 0 }
        let modifiers = Key.Modifiers(rawValue: numbers.count > 1 ? Int(max(1, numbers[1]) - 1) & 7 : 0)
        guard final == 0x7E else { return keys.append(Self.key(final: final, modifiers: modifiers)) }
        if numbers.first == 200 {
            state = .paste([])
            isPasteCut = false
        } else if numbers.first == 201 {
            endPaste()
        } else {
            keys.append(Self.names[numbers.first ?? 0].map { .named($0, modifiers) } ?? .unknown)
        }
    }

    /// The keys of sequences that end with ~, by their first parameter.
    private static let names: [UInt8: Key.Name] = [
        1: .home, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end, 11: .f1, 12: .f2,
    ]

    private static func key(final: UInt8, modifiers: Key.Modifiers) -> Key {
        switch final {
        case 0x41: .named(.up, modifiers)
        case 0x42: .named(.down, modifiers)
        case 0x43: .named(.right, modifiers)
        case 0x44: .named(.left, modifiers)
        case 0x46: .named(.end, modifiers)
        case 0x48: .named(.home, modifiers)
        case 0x50: .named(.f1, modifiers)
        case 0x51: .named(.f2, modifiers)
        case 0x5A: .named(.backTab)
        case 0x4D: .named(.enter)
        default: .unknown
        }
    }

    private mutating func paste(_ byte: UInt8, _ keys: inout [Key]) {
        guard case .paste(var bytes) = state else { return }
        // So that the bytes are not copied for each one that comes.
        state = .ground
        bytes.append(byte)
        if byte == Self.pasteEnd.last, bytes.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
            keys.append(paste(of: bytes.dropLast(Self.pasteEnd.count)))
            return endPaste()
        }
        if bytes.count > Self.pasteLimit + 4096 {
            // The middle is dropped, and the end still looked for.
            bytes.removeSubrange(Self.pasteLimit..<(bytes.count - Self.pasteEnd.count))
            isPasteCut = true
        }
        state = .paste(bytes)
    }

    /// The paste, up to the last whole character that fits.
    private func paste(of bytes: ArraySlice<UInt8>) -> Key {
        guard isPasteCut || bytes.count > Self.pasteLimit else { return .paste(Self.text(bytes)) }
        var end = bytes.startIndex + min(bytes.count, Self.pasteLimit)
        while end > bytes.startIndex, end < bytes.endIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return .paste(String(Self.text(bytes[..<end]).dropLast()), isCut: true)
    }

    /// The text of a paste: line feeds for the carriage returns that terminals send, and no control characters.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
        var kept = String.UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for scalar in scalars {
            defer { last = scalar }
            switch scalar {
            case "\r": kept.append("\n")
            case "\n" where last == "\r": continue
            case "\n", "\t": kept.append(scalar)
            case _ where scalar.properties.generalCategory == .control: continue
            default: kept.append(scalar)
            }
        }
        return String(kept)
    }
}
