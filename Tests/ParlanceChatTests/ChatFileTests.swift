import Foundation
import ParlanceControl
import ParlanceErrorCode
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceChat

/// Files in the chat screen.
@Suite struct ChatFileTests {
    private static let id = "di5n2g6lkrwe5z7yb3at5i3bkqyg7toepsiknup5ly6xxqf4336q"

    private func file(_ state: FileState = .offered) -> FileInfo {
        var file = FileInfo(file: Self.id, name: "plan\u{1B}[2J.png", size: 1_258_291, state: state)
        (file.width, file.height) = (4_000, 3_000)
        return file
    }

    private func screen(_ text: String = "", hasFile: Bool = true) -> TestScreen {
        var message = TestScreen.message("m1", text, from: "Bob")
        if hasFile { message.files = [file()] }
        var screen = TestScreen(height: 24, width: 120)
        screen.begin([TestScreen.direct("Bob")], messages: [message])
        return screen
    }

    private func event(_ state: FileState, _ bytes: UInt64) -> FileEvent {
        FileEvent(file: Self.id, conversation: "c-Bob", state: state, size: 1_258_291, bytes: bytes)
    }

    @Test func aFileIsALineOfItsMessage() {
        let screen = screen("The plan")
        #expect(screen.text.contains("The plan"))
        #expect(screen.text.contains("plan\\u{1B}[2J.png, 1.2 MiB, 4000 x 3000 (offered: /fetch)"), "\(screen.text)")
    }

    @Test func whatComesIsShownInItsLine() {
        var screen = screen()
        screen.tell(event(.fetching, 629_145))
        #expect(screen.text.contains("(fetching, 49 % here)"), "\(screen.text)")
        screen.tell(event(.here, 1_258_291))
        #expect(screen.text.contains("(here: parlance fetch di5n2g6l)"), "\(screen.text)")
        #expect(screen.text.contains("is here. To save it: parlance fetch di5n2g6l"), "\(screen.text)")
    }

    /// The same bytes under two names are one file of the node.
    @Test func bothNamesOfTheSameBytesMove() {
        var message = TestScreen.message("m1", "", from: "Bob")
        var copy = file()
        copy.name = "copy.png"
        message.files = [file(), copy]
        var screen = TestScreen(height: 24, width: 120)
        screen.begin([TestScreen.direct("Bob")], messages: [message])
        screen.tell(event(.fetching, 629_145))
        #expect(screen.text.components(separatedBy: "(fetching, 49 % here)").count == 3, "\(screen.text)")
    }

    @Test func whatFailsIsSaid() {
        var screen = screen()
        var event = event(.failed, 1)
        event.why = "the disk has no room"
        screen.tell(event)
        #expect(screen.text.contains("could not be fetched: the disk has no room."), "\(screen.text)")
    }

    @Test func fetchIsAboutTheNewestMessageWithFiles() {
        var screen = screen()
        screen.type("/fetch")
        screen.press(.named(.enter))
        #expect(screen.asked(FileFetchOperation.self).map(\.id) == ["m1"])
    }

    /// Also after the daemon has refused it, and though a file has come meanwhile.
    @Test func fetchIsAboutTheSelectedMessage() {
        var screen = TestScreen()
        let messages = (1...3).map { number in
            var message = TestScreen.message("m\(number)", "plan \(number)", from: "Bob", minute: Int64(number))
            message.files = [file()]
            return message
        }
        screen.begin([TestScreen.direct("Bob")], messages: Array(messages[..<2]))
        screen.press(.named(.up), .named(.up))
        screen.type("/fetch")
        #expect(screen.text.contains("About Bob \u{2713}: plan 1"), "\(screen.text)")
        screen.press(.named(.enter))
        #expect(screen.chat.history.selected == nil && screen.chat.composer.draft.editor.isEmpty)
        screen.tell(MessageEvent(messages[2]))
        let refusal = ControlFailure(code: "noRoom", message: "The disk is full.", advice: "Make room.")
        screen.refuse(FileFetchOperation.self, refusal)
        screen.press(.named(.enter))
        #expect(screen.asked(FileFetchOperation.self).map(\.id) == ["m1"])
        // Nothing is selected once the command is gone.
        screen.press(.named(.up), .text("/"), .named(.backspace), .text("d"))
        #expect(screen.chat.composer.draft.aim == .message && screen.chat.composer.draft.editor.text == "d")
    }

    @Test func whatIsRefusedOfSeveralFilesIsSaid() {
        var screen = screen()
        screen.type("/fetch")
        screen.press(.named(.enter))
        let error = ControlError(.invalidValue, "film.mp4 is too large.", advice: "Allow larger files.")
        screen.answer(
            FileFetchOperation.self,
            FilesReply(files: [], refused: [RefusedFile(file: file(), error: error)])
        )
        #expect(screen.text.contains("film.mp4 is too large."), "\(screen.text)")
    }

    @Test func withoutFilesThereIsNothingToFetch() {
        var screen = screen("Hello", hasFile: false)
        screen.type("/fetch")
        screen.press(.named(.enter))
        #expect(screen.asked(FileFetchOperation.self).isEmpty)
        #expect(screen.text.contains("No file from anybody else is here."), "\(screen.text)")
    }

    @Test func aFileIsSentByItsPath() {
        var screen = screen()
        screen.type("/file '/tmp/my plan.png'")
        screen.press(.named(.enter))
        #expect(screen.sentFiles.count == 1 && screen.sentFiles[0].hasPrefix("/tmp/my plan.png to "))
        #expect(screen.text.contains("Reading my plan.png"), "\(screen.text)")
    }
    @Test func tabCompletesAPath() {
        var screen = screen()
        screen.type("/file ~/Pl")
        screen.press(.named(.tab))
        #expect(screen.listedPaths == ["~/Pl"])
        screen.take(.pathsListed(typed: "~/Pl", ["~/Plans/"]))
        #expect(screen.chat.composer.draft.editor.text == "/file ~/Plans/")
        screen.press(.named(.tab))
        #expect(screen.listedPaths == ["~/Pl", "~/Plans/"])
        // What was typed meanwhile is not overwritten.
        screen.type("x")
        screen.take(.pathsListed(typed: "~/Plans/", ["~/Plans/a", "~/Plans/b"]))
        #expect(screen.chat.composer.draft.editor.text == "/file ~/Plans/x")
        screen.press(.named(.backspace))
        screen.take(.pathsListed(typed: "~/Plans/", ["~/Plans/a 1", "~/Plans/a 2"]))
        #expect(screen.chat.composer.draft.editor.text == "/file ~/Plans/a ")
        #expect(screen.text.contains("~/Plans/a 1  ~/Plans/a 2"), "\(screen.text)")
    }

    @Test func aRefusalIsOverOnceSomethingIsSent() {
        var screen = screen()
        let refusal = "There is no file nosuch.txt."
        screen.type("/file nosuch.txt")
        screen.press(.named(.enter))
        let failure = ControlFailure(
            code: ControlFailure.fileFailed,
            message: Phrase(verbatim: refusal),
            advice: "Nothing was sent."
        )
        screen.take(.replied(.file("nosuch.txt"), .failure(failure)))
        screen.type("hello")
        #expect(screen.text.contains(refusal), "\(screen.text)")
        screen.press(.named(.enter))
        #expect(screen.asked(SendOperation.self).map(\.text) == ["hello"])
        #expect(!screen.text.contains(refusal), "\(screen.text)")
    }
}
