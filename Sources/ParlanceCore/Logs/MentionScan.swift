import ParlanceLetters
import ParlanceRecords
package import ParlanceWire

/// Finds the names that a text mentions (events.md, "Mentions").
///
/// An `@` within a word, an address, a link, a path, code or a quotation mentions nobody: `info@bob.de`,
/// `https://x.org/@Bob`, `src/@Bob`. The name must end where a word ends: `@Bobby`, `@bob.de`, `@bob@x.org`,
/// `@bob:x.org` and `@Bob/core` do not mention Bob.
package struct MentionScan {
    /// A name that a text can mention.
    package struct Name {
        /// As search compares it.
        fileprivate let folded: [Unicode.Scalar]
        /// In lower case.
        fileprivate let lowered: [String]
        fileprivate let peer: PeerID?

        /// - Parameter peer: whose name it is; `nil` for the name that stands for everybody.
        package init(_ name: String, of peer: PeerID?) {
            let name = name.trimmed
            folded = name.flatMap(MentionScan.folded)
            (lowered, self.peer) = (name.map { $0.lowercased() }, peer)
        }
    }

    /// A place where names are mentioned.
    package struct Mention {
        /// As it stands in the text, without the `@`.
        package let typed: String
        /// Whose name it is. Several people can have one name, and `nil` stands for everybody.
        package let meant: [PeerID?]
        /// The characters of the text from the `@` to the end of the name.
        fileprivate let characters: Range<Int>
    }

    /// Schemes behind whose colon no slashes have to stand (events.md, "Mentions").
    package static let schemes: Set<String> = [
        "acct", "callto", "data", "facetime", "file", "ftp", "ftps", "geo", "git", "http", "https", "im", "imap", "irc",
        "jabber", "ldap", "ldaps", "mailto", "matrix", "mumble", "nfs", "rsync", "rtsp", "scp", "sftp", "sip", "sips",
        "skype", "smb", "sms", "smsto", "ssh", "svn", "tel", "telnet", "urn", "ws", "wss", "xmpp",
    ]

    private let text: [Character]
    /// By their first letters.
    private let names: [Unicode.Scalar: [Name]]

    package init(_ text: String, names: [Name]) {
        self.text = Array(text)
        self.names = Dictionary(grouping: names.filter { !$0.folded.isEmpty }) { $0.folded[0] }
    }

    /// A character as search compares it.
    private static func folded(_ character: Character) -> [Unicode.Scalar] {
        if let value = character.asciiValue, character.isLetter || character.isNumber {
            return [Unicode.Scalar(value | 0x20)]
        }
        return Array(String(character).folded.unicodeScalars)
    }

    /// The mentions of the text in their order.
    package var mentions: [Mention] {
        var found: [Mention] = []
        scan { mentions, _ in
            found += mentions
            return true
        }
        return found
    }

    /// Where the first mentions of the text stand, in their order, in UTF-16 units.
    ///
    /// - Parameter most: how many are wanted.
    package func places(_ most: Int) -> [Range<Int>] {
        var found: [Range<Int>] = []
        scan { mentions, _ in
            found += mentions.map(\.characters)
            return found.count < most
        }
        var (units, at) = (0, 0)
        return found.prefix(most).map { mention in
            units += text[at..<mention.lowerBound].reduce(0) { $0 + $1.utf16.count }
            let length = text[mention].reduce(0) { $0 + $1.utf16.count }
            defer { (units, at) = (units + length, mention.upperBound) }
            return units..<(units + length)
        }
    }

    /// What stands behind the signs where a mention could begin and none does: what may be meant for one.
    ///
    /// - Parameters:
    ///   - most: how many of them are wanted.
    ///   - letters: how many characters of each.
    package func others(_ most: Int, letters: Int) -> [String] {
        var found: [String] = []
        scan { mentions, place in
            guard mentions.isEmpty, place == 0 || text[place - 1] != "@" else { return true }
            found.append(String(text[(place + 1)...].prefix(letters)))
            return found.count < most
        }
        return found
    }

    /// Calls for each sign where a mention could begin, with the mentions that begin there and its place.
    ///
    /// - Parameter body: returns whether to go on.
    private func scan(_ body: ([Mention], _ place: Int) -> Bool) {
        var run = AddressScan()
        var at = 0
        // A chain that ends in no mention does so from each of its places, so it is not tried again from them.
        var failedBefore = 0
        let asides = AsideSpans(in: text)
        while at < text.count {
            if let end = asides.end(from: at) {
                run.take("`")
                at = end
                continue
            }
            if text[at] == "@", at >= failedBefore, run.mayEnd {
                let (chain, end) = chain(from: at)
                guard body(chain, at) else { return }
                if chain.isEmpty {
                    failedBefore = end
                } else {
                    run = AddressScan(behindMention: true)
                    at = end
                    continue
                }
            }
            run.take(text[at])
            at += 1
        }
    }

    /// The mentions that follow each other without anything between them, `@Ada@Bob`, and where the last one ends. If one
    /// of them is none, the whole may be an address; then there are none, up to that place.
    private func chain(from start: Int) -> ([Mention], end: Int) {
        var (found, at) = ([Mention](), start)
        repeat {
            guard let (mention, end) = mention(at: at) else { return ([], at) }
            found.append(mention)
            at = end
        } while at < text.count && text[at] == "@"
        return (found, at)
    }

    /// The longest name behind the `@` at a place. Of those with other accents, the one that is written so comes first.
    private func mention(at place: Int) -> (Mention, end: Int)? {
        let start = place + 1
        guard start < text.count, let first = Self.folded(text[start]).first, let names = names[first] else {
            return nil
        }
        let behind = FoldedText(text, from: start, atLeast: names.map(\.folded.count).max() ?? 0)
        var (end, isExact, meant) = (start, false, [PeerID?]())
        for name in names {
            guard let place = behind.end(of: name.folded), place >= end, isWordEnd(place) else { continue }
            let isSame = text[start..<place].map { $0.lowercased() } == name.lowered
            if place == end, isExact, !isSame { continue }
            if place > end || isSame && !isExact { (end, isExact, meant) = (place, isSame, []) }
            if !meant.contains(name.peer) { meant.append(name.peer) }
        }
        guard end > start else { return nil }
        return (Mention(typed: String(text[start..<end]), meant: meant, characters: place..<end), end)
    }

    /// Whether no longer word goes on at a place.
    private func isWordEnd(_ end: Int) -> Bool {
        guard end < text.count else { return true }
        let last = WordLetter(text[end - 1])
        if let next = WordLetter(text[end]) { return !next.continues(last) }
        // "Bob/core" and "all\x" are paths; "Ada/@Bob" names two.
        if "/\\".contains(text[end]) { return end + 1 < text.count && text[end + 1] == "@" }
        if text[end] == ":" { return !isHost(from: end + 1) }
        // "bob.de" and "all-hands" are other words; "Bob." and "Bob - and you" are not.
        guard ".-_".contains(text[end]), end + 1 < text.count else { return true }
        return WordLetter(text[end + 1]) != .cased
    }

    /// Whether a host stands at a place, as in "@bob:x.org": words with dots between them, the last one of two letters or
    /// more. "@Bob:12.30", "@Bob:z.B." and "@Bob:look" mention Bob.
    private func isHost(from start: Int) -> Bool {
        let host = text[start...].prefix(Self.hostLetters).prefix {
            WordLetter($0) == .cased || $0 == "-" || $0 == "."
        }
        let words = host.split(separator: ".", omittingEmptySubsequences: false)
        // What ends a sentence behind it is no part of it.
        let parts = words.last?.isEmpty == true ? words.dropLast() : words[...]
        guard parts.count > 1, parts.allSatisfy({ !$0.isEmpty }), let last = parts.last else { return false }
        return last.count > 1 && last.allSatisfy { $0.isLetter }
    }

    /// The longest host (RFC 1035, section 2.3.4).
    private static let hostLetters = 253

    /// What stands behind a place as search compares it: a letter may become several, as `ß` does, or none.
    private struct FoldedText {
        private var letters: [Unicode.Scalar] = []
        /// For each letter, where the character ends of which it is the last.
        private var ends: [Int?] = []

        init(_ text: [Character], from start: Int, atLeast count: Int) {
            var at = start
            while at < text.count, letters.count < count {
                let folded = MentionScan.folded(text[at])
                at += 1
                letters += folded
                ends += folded.indices.map { $0 == folded.count - 1 ? at : nil }
            }
        }

        /// Where a name ends that stands there.
        func end(of name: [Unicode.Scalar]) -> Int? {
            letters.starts(with: name) ? ends[name.count - 1] : nil
        }
    }
}

/// What a letter or digit says of where a word ends.
private enum WordLetter {
    /// Of a script that has upper and lower case, or a digit: addresses consist of these.
    case cased
    /// Of another script with spaces between words, such as Hebrew and Arabic.
    case uncased
    /// Of a script without spaces between words, or Korean, which adds endings to names.
    case unspaced

    /// `nil` for what belongs to no word.
    init?(_ character: Character) {
        guard character.isLetter || character.isNumber, let first = character.unicodeScalars.first else { return nil }
        if SearchLetter.isUnspaced(first.value) {
            self = .unspaced
        } else {
            self = character.isNumber || first.properties.isCased ? .cased : .uncased
        }
    }

    /// Whether it continues the word that ends with another letter.
    ///
    /// A word does not go on in a script of another kind: "@Bob看" mentions Bob.
    func continues(_ last: WordLetter?) -> Bool { self != .unspaced && (last == nil || last == self) }
}

/// Reads a text up to an `@`, which mentions nobody within an address or a link.
private struct AddressScan {
    /// A link or a path has begun, to which everything up to the next blank belongs.
    private var isInLink = false
    /// What stands directly before the place can be the first part of an address, or of a path.
    private var isAfterWord = false
    /// The word is a host, if a slash follows.
    private var hasDot = false
    /// A slash that comes now begins a path, or the host of a link.
    private var slashBegins = true
    /// The word directly before the place, as far as it can be a scheme.
    private var word = ""
    /// What is before the place, but for a mention and a blank.
    private var isAfterText = false
    /// An equals sign of a word stands directly before the place: a quotation mark that comes now begins a value.
    private var isAfterEquals = false

    /// Letters of the longest scheme.
    private static let schemeLetters = MentionScan.schemes.map(\.count).max() ?? 0

    init(behindMention: Bool = false) {
        slashBegins = !behindMention
    }

    /// Whether a mention can begin here.
    var mayEnd: Bool { !isInLink && !isAfterWord }

    mutating func take(_ character: Character) {
        // A link ends with a blank, or with the punctuation of a script that has none.
        guard !character.isWhitespace, character.isASCII || !character.isPunctuation else {
            self = AddressScan()
            return
        }
        let (scheme, beginsValue) = (word, isAfterEquals && "\"'".contains(character))
        (word, isAfterEquals) = ("", character == "=" && isAfterWord)
        defer { isAfterText = true }
        if beginsValue { return }
        switch character {
        case "/":
            // "https://", "x.org/", "/home", "~/", "../"
            isInLink = isInLink || hasDot || slashBegins
            // "src/@Bob", but not "@Ada/@Bob"
            (isAfterWord, slashBegins) = (isAfterText, true)
        case "\\": isAfterWord = true
        case ":": isAfterWord = MentionScan.schemes.contains(scheme)
        case ".": hasDot = hasDot || isAfterWord
        case "-", "_", "+", "%", "~", "=", "&", "$", "#", "^", "@": break
        default:
            let letter = WordLetter(character)
            isAfterWord = letter == .cased
            hasDot = hasDot && letter != nil
            slashBegins = false
            // One letter more, and the word is none.
            if letter == .cased { word = scheme.count > Self.schemeLetters ? scheme : scheme + character.lowercased() }
        }
    }
}
