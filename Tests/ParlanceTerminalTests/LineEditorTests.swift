import ParlanceRandom
import Testing

@testable import ParlanceTerminal

@Suite struct LineEditorTests {
    @Test func itEditsCharactersAndNotTheirParts() {
        var editor = LineEditor("né👩‍👩‍👧x")
        editor.moveLeft()
        editor.deleteBackward()
        #expect(editor.text == "néx" && editor.cursor == 2)
        editor.deleteBackward()
        editor.insert("\u{301}" as Unicode.Scalar)
        #expect(editor.text == "n\u{301}x" && editor.cursor == 1)
    }

    @Test func itMovesByWordsAndLines() {
        var editor = LineEditor("one two\nthree, 4")
        editor.moveWordLeft()
        editor.moveWordLeft()
        #expect(editor.beforeCursor == "one two\n")
        editor.moveWordRight()
        #expect(editor.beforeCursor == "one two\nthree")
        #expect(editor.moveUp() == true)
        #expect(editor.beforeCursor == "one t")
        #expect(editor.moveUp() == false)
        #expect(editor.moveDown() == true)
        #expect(editor.beforeCursor == "one two\nthree")
        #expect(editor.moveDown() == false)
        editor.deleteWordBackward()
        editor.deleteToLineEnd()
        #expect(editor.text == "one two\n")
        editor.moveLeft()
        editor.deleteToLineStart()
        #expect(editor.text == "\n")
    }

    @Test func itsRowsFitTheWidth() {
        let (rows, cursor) = LineEditor("日本語 abc\n\tde").rows(width: 5)
        #expect(rows == ["日本", "語 ab", "c", " de"])
        #expect(cursor == Picture.Position(row: 3, column: 3))
        #expect(LineEditor("abcde").rows(width: 5).cursor == Picture.Position(row: 1, column: 0))
    }

    /// A plain model: the parts of the text, and how many are before the cursor.
    private struct PlainEditor {
        var scalars: [Unicode.Scalar] = []
        var cursor = 0

        var text: String { String(String.UnicodeScalarView(scalars)) }

        /// The numbers of parts before each place between two characters.
        var places: [Int] { text.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.unicodeScalars.count) } }

        mutating func insert(_ text: String) {
            let new = Array(text.unicodeScalars)
            scalars.insert(contentsOf: new, at: cursor)
            cursor += new.count
            cursor = places.first { $0 >= cursor } ?? scalars.count
        }

        mutating func remove(_ range: Range<Int>) {
            let before = String(String.UnicodeScalarView(scalars[..<range.lowerBound])).count
            scalars.removeSubrange(range)
            cursor = places[min(before, places.count - 1)]
        }

        var before: Int { places.last { $0 < cursor } ?? 0 }
        var behind: Int { places.first { $0 > cursor } ?? scalars.count }
    }

    @Test func randomEditsGiveWhatAPlainModelGives() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let pieces = [
            "a", "日", "\u{301}", "👩", "\u{200D}", "👧", "🇳", "🇴", " ", "\n", "\u{600}", "ab c", "\u{1F3FD}", "क", "ि",
        ]
        for _ in 0..<100 {
            var (editor, model) = (LineEditor(), PlainEditor())
            for step in 0..<60 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1, 2:
                    let piece = pieces.randomElement(using: &random) ?? "a"
                    editor.insert(piece)
                    model.insert(piece)
                case 3:
                    editor.moveLeft()
                    model.cursor = model.before
                case 4:
                    editor.moveRight()
                    model.cursor = model.behind
                default:
                    editor.deleteBackward()
                    if model.cursor > 0 { model.remove(model.before..<model.cursor) }
                }
                #expect(editor.text.unicodeScalars.elementsEqual(model.scalars), "seed \(seed), step \(step)")
                #expect(editor.beforeCursor.unicodeScalars.count == model.cursor, "seed \(seed), step \(step)")
                if editor.beforeCursor.unicodeScalars.count != model.cursor { return }
            }
        }
    }

    @Test func theHistoryComesBackToTheDraft() {
        var history = InputHistory()
        for text in ["one", "two", "two"] { history.add(text) }
        #expect(history.newer(than: "draft") == nil)
        #expect(history.older(than: "draft") == "two")
        #expect(history.older(than: "two") == "one")
        #expect(history.older(than: "one") == nil)
        #expect(history.newer(than: "one, changed") == "two")
        #expect(history.older(than: "two") == "one, changed")
        #expect(history.newer(than: "one, changed") == "two")
        #expect(history.newer(than: "two") == "draft")
        #expect(history.newer(than: "draft") == nil)
    }

    @Test func whatIsShownIsWhatIsMeasured() {
        let editor = LineEditor("ab\u{200B}cd")
        let (rows, cursor) = editor.rows(width: 20) { $0 == "\u{200B}" ? "<200B>" : String($0) }
        #expect(rows == ["ab<200B>cd"] && cursor.column == 10)
    }

    @Test func aTextComesBackWhereverTheCursorIs() {
        var editor = LineEditor("cd")
        editor.moveLeft()
        editor.insert("ab\n", at: 0)
        #expect(editor.text == "ab\ncd" && editor.beforeCursor == "ab\nc")
        editor.insert("x", at: editor.count)
        #expect(editor.text == "ab\ncdx" && editor.beforeCursor == "ab\nc")
    }
}
