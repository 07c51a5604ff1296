import Foundation
import ParlancePictures
import ParlanceWire
import Testing

@testable import ParlanceControl
@testable import parlance

/// Pictures in terminals that can draw them, and words in those that cannot.
@Suite(.timeLimit(.minutes(30))) struct PictureShowTests {
    @Test(arguments: [
        (["TERM": "xterm-kitty"], PictureDrawing.kitty),
        (["TERM": "xterm-256color", "KITTY_WINDOW_ID": "1"], .kitty),
        (["TERM": "xterm-ghostty"], .kitty), (["TERM": "xterm-256color", "TERM_PROGRAM": "ghostty"], .kitty),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"], .inline),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "iTerm.app"], .inline),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm", "KITTY_WINDOW_ID": "1"], .inline),
        (["TERM": "xterm-256color", "KONSOLE_VERSION": "220400"], .inline),
        (["TERM": "xterm-256color", "KONSOLE_VERSION": "211203"], nil),
        (["TERM": "xterm-256color"], nil), (["TERM": "dumb", "KITTY_WINDOW_ID": "1"], nil), ([:], nil),
        (["KITTY_WINDOW_ID": "1"], nil),
        (["TERM": "xterm-256color", "TERM_PROGRAM": "Apple_Terminal"], nil),
        (["TERM": "xterm-kitty", "TMUX": "/tmp/tmux-0/default,1,0"], nil),
        (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], nil),
        (["TERM": "screen.xterm-256color", "TERM_PROGRAM": "WezTerm"], nil),
        (["TERM": "xterm-256color", "STY": "1.pts", "KITTY_WINDOW_ID": "1"], nil),
        (["TERM": "xterm-kitty", "ZELLIJ": "0"], nil),
    ])
    func onlyATerminalThatSaysSoIsGivenPictures(environment: [String: String], drawing: PictureDrawing?) {
        #expect(PictureDrawing(environment: environment) == drawing)
    }

    @Test func kittyIsGivenPNGInParts() throws {
        #expect(PictureDrawing.kitty.draws(.png))
        #expect(PictureType.allCases.filter(PictureDrawing.kitty.draws) == [.png])
        #expect(PictureDrawing.kitty.text([1, 2, 3], columns: nil) == "\u{1B}_Gf=100,a=T,q=2,m=0;AQID\u{1B}\\")
        let bytes = (0..<7_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let parts = PictureDrawing.kitty.text(bytes, columns: 40).components(separatedBy: "\u{1B}\\").dropLast()
        #expect(
            parts.map { $0.prefix { $0 != ";" } } == [
                "\u{1B}_Gf=100,a=T,q=2,c=40,m=1", "\u{1B}_Gq=2,m=1", "\u{1B}_Gq=2,m=0",
            ]
        )
        let coded = parts.map { String($0.drop { $0 != ";" }.dropFirst()) }
        #expect(coded.map(\.count) == [4_096, 4_096, 1_144])
        #expect(Data(base64Encoded: coded.joined()) == Data(bytes))
    }

    @Test func othersAreGivenTheWholeFile() {
        #expect([.png, .jpeg, .gif, .webp].allSatisfy(PictureDrawing.inline.draws))
        let start = "\u{1B}]1337;File=inline=1;size=3"
        #expect(PictureDrawing.inline.text([1, 2, 3], columns: nil) == start + ":AQID\u{07}")
        #expect(PictureDrawing.inline.text([1, 2, 3], columns: 12) == start + ";width=12:AQID\u{07}")
    }

    @Test func aLargePictureIsMadeToFit() {
        let window = PictureDrawing.Window(columns: 80, rows: 25, width: 800, height: 500)
        #expect(window.columns(width: 800, height: 480) == nil)
        #expect(window.columns(width: 1_600, height: 480) == 80)
        #expect(window.columns(width: 400, height: 960) == 20, "half as high, so half as wide")
        #expect(window.columns(width: 1, height: 100_000) == 1)
        #expect(PictureDrawing.Window(columns: 80, rows: 1, width: 800, height: 20).columns(width: 9, height: 9) == nil)
    }

    /// The beginning of a picture: its header says all that is read here.
    private static func png(width: UInt32, height: UInt32, bytes: Int = 40) -> [UInt8] {
        let header: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        let size = [width, height].flatMap { value in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        return header + size + [UInt8](repeating: 0, count: bytes - header.count - size.count)
    }

    /// A file on Ada's shelf, in a message of her own.
    private func place(_ bytes: [UInt8], _ name: String, _ fixture: ServerFixture) async throws -> String {
        try await fixture.ada.send(bytes, as: name, to: fixture.bob)
    }

    private func show(
        _ file: String,
        _ fixture: ServerFixture,
        _ more: String...,
        terminal: [String: String]? = nil
    ) async throws -> CommandTests.Outcome {
        try await CommandTests.run(
            ["fetch", String(file.prefix(12)), "--show"] + more,
            socket: fixture.path,
            terminal: terminal
        )
    }

    @Test func aPictureIsDrawnOrDescribed() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let bytes = Self.png(width: 640, height: 480)
            let file = try await place(bytes, "plan.png", fixture)
            let drawn = try await show(file, fixture, terminal: ["TERM": "xterm-kitty"])
            let id = try #require(try await fixture.ada.call(FilesOperation()).files.first).file.shortReference
            let words = "plan.png, 40 B, PNG, 640 x 480"
            let picture = PictureDrawing.kitty.text(bytes, columns: nil)
            #expect(drawn.code == 0 && drawn.output == "\(words)\r\n\(picture)\r\n", "\(drawn.output.debugDescription)")
            for terminal in [["TERM": "xterm-256color"], ["TERM": "xterm-kitty", "TMUX": "x"]] {
                let said = try await show(file, fixture, terminal: terminal)
                let how = "This terminal cannot draw it. To save it: parlance fetch \(id)"
                #expect(said.code == 0 && said.output == "\(words)\r\n\(how)\r\n", "\(said.output.debugDescription)")
            }
            let piped = try await show(file, fixture)
            #expect(piped.code == 0 && piped.output == words + "\n", "\(piped.output)\(piped.errors)")
            let json = try await show(file, fixture, "--json", terminal: ["TERM": "xterm-kitty"])
            let facts = #""type":"png","width":640,"height":480"#
            #expect(
                json.output == #"{"type":"shown","data":{"file":"\#(file)",\#(facts)}}"# + "\r\n",
                "\(json.output)"
            )
            #expect(try await show(file, fixture, "--to", "x").code == 64)
            #expect(try await show(file, fixture, "--no-wait").code == 64)
        }
    }

    @Test func whatIsTooLargeOrNoPictureIsNotGivenToATerminal() async throws {
        let limit = Int(Limits.shownPictureBytes)
        let side = UInt32(Double(Limits.shownPicturePixels).squareRoot())
        try await ServerFixture.with("Bob") { fixture in
            for (bytes, terminal, says) in [
                (Self.png(width: side, height: side), "xterm-kitty", "\u{1B}_G"),
                (Self.png(width: side, height: side + 1), "xterm-kitty", "It is too large to be drawn here."),
                (Self.png(width: 1, height: 1, bytes: limit), "xterm", "This terminal cannot draw it."),
                (Self.png(width: 1, height: 1, bytes: limit + 1), "xterm", "It is too large to be drawn here."),
                (Array("<svg/>".utf8), "xterm-kitty", "This file is not a picture that Parlance can draw."),
                (Self.png(width: 0, height: 1), "xterm-kitty", "This file is not a picture that Parlance can draw."),
            ] {
                let file = try await place(bytes, "x.png", fixture)
                let outcome = try await show(file, fixture, terminal: ["TERM": terminal])
                #expect(
                    outcome.code == 0 && outcome.output.contains(says),
                    "\(bytes.count): \(outcome.output.prefix(300))"
                )
                #expect(outcome.output.contains("\u{1B}_G") == (says == "\u{1B}_G"))
                // Who does not look at a terminal is told too, but for what it could draw.
                let piped = try await show(file, fixture)
                let isRefused = says.hasPrefix("It is ") || says.hasPrefix("This file ")
                #expect(piped.code == 0 && piped.errors.contains(says) == isRefused, "\(piped.errors)")
            }
            // Other bytes than those of the file.
            let file = try await place(Self.png(width: 1, height: 1), "x.png", fixture)
            try await fixture.ada.damage(file, Self.png(width: 2, height: 1))
            let damaged = try await show(file, fixture, terminal: ["TERM": "xterm-kitty"])
            #expect(damaged.code == 1 && damaged.output.contains("damaged"), "\(damaged.output)")
            #expect(!damaged.output.contains("\u{1B}_G"))
        }
    }
}
