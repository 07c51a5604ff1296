import ParlanceTexts
import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import parlance

/// The texts for people in German.
@Suite struct LanguageTests {
    private static let german = "de_DE.UTF-8"

    @Test func theCommandSpeaksTheLanguageOfTheLocale() async throws {
        let socket = "/nowhere/control.sock"
        let outcome = try await CommandTests.run(["peers"], socket: socket, locale: Self.german)
        #expect(
            outcome.errors
                == "parlance: Unter /nowhere/control.sock antwortet kein Daemon: parlanced läuft nicht.\n"
                + (UserManager.isPossible
                    ? "Starte ihn mit: parlanced\n"
                    : "Starte ihn mit: parlanced. Im Hintergrund laufen lassen: nohup parlanced &\n")
        )
        let json = try await CommandTests.run(["peers", "--json"], socket: socket, locale: Self.german)
        #expect(json.errors.contains("No daemon answers"), "programs read English")
    }

    @Test func theCommandAsksTheDaemonForItsLanguage() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let empty = try await CommandTests.run(["history", "Bob"], socket: fixture.path, locale: Self.german)
            #expect(empty.output.contains("Noch keine Nachrichten mit Bob."))
            let peers = try await CommandTests.run(["peers"], socket: fixture.path, locale: Self.german)
            #expect(peers.output.contains("VERTRAUEN"), "\(peers.output)")
            // The connection itself refuses this, in the language that was asked for.
            let connection = try await RawConnection.open(fixture.path)
            let ask = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"language\",\"params\":{\"language\":\"de-AT\"}}"
            try await connection.write(ask + "\n")
            #expect(await connection.line() == "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"language\":\"de\"}}")
            let refused = "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"unsubscribe\",\"params\":{\"subscription\":5}}"
            try await connection.write(refused + "\n")
            #expect(await connection.line()?.contains("gibt es kein Abonnement 5") == true)
        }
    }

    @Test func headingsAndLabelsAreGerman() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let peers = try await CommandTests.run(["peers"], socket: fixture.path, locale: Self.german)
            #expect(peers.output.contains("VERTRAUEN"))
            // The longest label has space behind it, and the values stand below each other.
            let status = try await CommandTests.run(["status"], socket: fixture.path, locale: Self.german).output
            #expect(status.contains("\n  Arbeitsbereich  keiner\n"), "\(status)")
            #expect(status.contains("\n  Knoten-ID       "))
        }
    }

    /// A noun and its verb follow their number.
    @Test func pluralsAreThoseOfGerman() {
        Language.$current.withValue(.german) {
            #expect(say(PeopleText.list([String]())) == "niemand")
            #expect(say(PeopleText.list(["Ada"])) == "Ada")
            #expect(say(PeopleText.list(["Ada", "Bob", "Cleo"])) == "Ada, Bob und Cleo")
            #expect(say(PeopleText.all((1...9).map { "\($0)" })) == "1, 2, 3, 4, 5, 6, 7, 8 und 9")
            #expect(say(PeopleText.list(["Ada"], count: 3)) == "Ada und 2 weitere")
            #expect(say(PeopleText.list(["Ada"], count: 2)) == "Ada und eine weitere Person")
            #expect(say(PeopleText.any(of: ["Ada", "Bob"])) == "Ada oder Bob")
            #expect(say(PeopleText.any(quoting: ["Ada", "Bob"])) == "„Ada“ oder „Bob“")
            #expect(say(PeopleText.list(quoting: ["Crew"])) == "„Crew“")
        }
    }

    @Test func daysAndTimesAreGerman() {
        let now = ControlTime(milliseconds: 1_763_370_000_000)
        let clock = LocalClock(now: now) { _ in 0 }
        let before = ControlTime(milliseconds: now.milliseconds - 5 * 86_400_000)
        Language.$current.withValue(.german) {
            #expect(clock.dayName(now) == "Heute")
            #expect(clock.dayName(before) == "Mittwoch, 12. November 2025")
            #expect(clock.short(ControlTime(milliseconds: now.milliseconds - 86_400_000)) == "gestern 09:00")
            #expect(clock.relative(ControlTime(milliseconds: now.milliseconds - 180_000)) == "vor 3 min")
        }
    }

    /// "You" is another word where it is an object; the sentence is made before its reader is known.
    @Test func aLineAboutAGroupIsASentence() {
        let ada = Person(id: "a", displayName: "Ada")
        let me = Person(id: "m", displayName: "Me", me: true)
        var message = Sample.message("", of: "Ada")
        let added = NoteText.phrase(NoteInfo(.added, people: [me]), of: message)
        #expect(added.text(in: .german) == "Ada hat dich hinzugefügt")
        message.mine = true
        let appointed = NoteText.phrase(NoteInfo(.appointed, people: [ada, me]), of: message)
        #expect(appointed.text(in: .german) == "Du hast Ada und dich zu Admins gemacht")
        Language.$current.withValue(.german) {
            message.mentions = [me]
            let life = MessageLife(message: message, title: "Crew", recipients: [], versions: [])
            let clock = LocalClock(now: message.time) { _ in 0 }
            let lines = LifeText(life: life, clock: clock, style: TextStyle(isColoured: false)).lines
            #expect(lines.contains("  erwähnt    dich") && lines.contains("  verfasst   von dir, 00:00:00"))
        }
    }
}
