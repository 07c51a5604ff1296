import ParlanceRandom
import ParlanceScreenModel
import Testing

@testable import ParlanceTerminal

/// What is written makes a terminal show the picture, whatever it showed before.
@Suite struct ScreenWriterTests {
    private static let words = [
        "hello", "日本語", "👍🏽", "👩‍👩‍👧", "❤️", "e\u{301}", "नि", "  ", "─│", "Bob ✓", "🇳🇴x", "\u{1F44D}", "a",
    ]

    private func randomPicture(_ random: inout SplitMix, from old: Picture?) -> Picture {
        var picture = old ?? Picture(height: 6, width: 24)
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            let word = Self.words.randomElement(using: &random) ?? ""
            picture.write(
                word,
                Style.allCases.randomElement(using: &random) ?? .plain,
                row: Int.random(in: 0..<6, using: &random),
                column: Int.random(in: 0..<24, using: &random)
            )
        }
        let cursor = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<24, using: &random))
        picture.cursor = Picture.Position(row: cursor.0, column: cursor.1)
        return picture
    }

    /// Where a terminal shows something else than the picture.
    private func differences(_ model: ScreenModel, _ picture: Picture) -> [String] {
        (0..<picture.height).flatMap { row in
            zip(model.cells[row], picture.row(row)).enumerated().compactMap { column, pair in
                let (shown, wanted) = pair
                // What terminals draw differently may look different itself, and nothing else may.
                if !DisplayWidth.isCertain(wanted.character) || wanted.width == 0 { return nil }
                let style = "0" + wanted.style.parameters(coloured: true)
                let isBlank = wanted.character == " " && shown.character == " "
                let isSame =
                    isBlank && wanted.style == .plain && ["0", ""].contains(shown.style)
                    || shown.character == wanted.character && shown.style == style
                return isSame ? nil : "\(row),\(column): \(shown.character) instead of \(wanted.character)"
            }
        }
    }

    /// - Parameter shift: how many more columns a terminal takes for what terminals do not agree on.
    @Test(arguments: [-1, 0, 1, 2]) func randomPicturesAreShown(shift: Int) {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        for _ in 0..<60 {
            var writer = ScreenWriter(isColoured: true)
            var model = ScreenModel(height: 6, width: 24) { character in
                let columns = DisplayWidth.of(character)
                return DisplayWidth.isCertain(character) ? columns : max(1, columns + shift)
            }
            var picture: Picture?
            for step in 0..<12 {
                if step == 8 { picture = nil }
                let next = randomPicture(&random, from: picture)
                model.write(writer.show(next))
                let found = differences(model, next)
                #expect(found.isEmpty, "seed \(seed), step \(step): \(found.prefix(3))")
                if !found.isEmpty { return }
                #expect(model.cursor.row == next.cursor?.row && model.cursor.column == next.cursor?.column)
                picture = next
            }
        }
    }

    @Test func aSmallChangeIsASmallWrite() {
        var writer = ScreenWriter(isColoured: true)
        var picture = Picture(height: 24, width: 80)
        for row in 0..<24 { picture.write(String(repeating: "x", count: 80), row: row, column: 0) }
        #expect(writer.show(picture).count > 24 * 80)
        picture.write("7", .warning, row: 3, column: 12)
        #expect(writer.show(picture).count < 64)
        #expect(writer.show(picture).count < 32)
        writer.forget()
        #expect(writer.show(picture).count > 24 * 80)
    }

    @Test func whatDoesNotFitIsLeftOut() {
        var picture = Picture(height: 2, width: 5)
        picture.write("日本語", row: 0, column: 0)
        picture.write("x", row: 0, column: 1)
        picture.write("abc", row: 5, column: 0)
        picture.write("a" + String(repeating: "\u{301}", count: 90) + "b", row: 1, column: 3)
        #expect(picture.text(row: 0) == " x本")
        #expect(picture.text(row: 1) == "   \u{FFFD}b")
        #expect(Picture(height: 0, width: 0).height == 0)
    }

    @Test func withoutColoursAndWithoutUTF8() {
        var writer = ScreenWriter(isColoured: false) { character, width in
            character.isASCII ? Array(character.utf8) : [UInt8](repeating: UInt8(ascii: "?"), count: width)
        }
        var picture = Picture(height: 1, width: 10)
        picture.write("ä日", .warning, row: 0, column: 0)
        let text = String(decoding: writer.show(picture), as: UTF8.self)
        #expect(text.contains("\u{1B}[0;1m???") && !text.contains("33"))
    }

    /// What Alt and Meta send is as before, whatever that was; a terminal that saves no modes has xterm's default.
    @Test(arguments: [[], ["?1036"], ["?1036", "?1039"], ["?1039"]], [true, false])
    func leavingRestoresTheModes(before: [String], savesModes: Bool) {
        var model = ScreenModel(height: 6, width: 24, savesModes: savesModes) { _ in 1 }
        model.write((["?7", "?25"] + before).map { "\u{1B}[\($0)h" }.joined().utf8)
        let modes = model.modes
        for _ in 0..<2 {
            model.write((ScreenWriter.save + ScreenWriter.enter).utf8)
            #expect(model.modes.isSuperset(of: ["?1036", "?1039", "?1049", "?2004"]) && !model.modes.contains("?7"))
            // The process was stopped from outside and goes on.
            model.write(ScreenWriter.enter.utf8)
            model.write(ScreenWriter.leave.utf8)
            #expect(model.modes == (savesModes ? modes : ["?7", "?25"]))
        }
    }
}
