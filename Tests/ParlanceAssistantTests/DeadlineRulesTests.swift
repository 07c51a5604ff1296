import ParlanceControl
import Testing

@testable import ParlanceAssistant

@Suite struct DeadlineRulesTests {
    /// Wednesday, 4 March 2026, 10:30 in Berlin.
    private static let wednesday: Int64 = 1_772_616_600_000
    private static let berlin = 3600

    private static func read(_ text: String, day: String? = nil) -> String? {
        var time = wednesday
        if let day, let civil = Deadline(text: day) { time = Int64(civil.day.number) * 86_400_000 + 34_200_000 }
        return DeadlineRules.deadline(in: text, at: time, offset: berlin)?.text
    }

    @Test(arguments: [
        ("by Friday", "2026-03-06"), ("by fri", "2026-03-06"), ("on Wednesday", "2026-03-11"),
        ("next Tuesday", "2026-03-10"), ("this Friday at 3pm", "2026-03-06T15:00"), ("today", "2026-03-04"),
        ("tomorrow noon", "2026-03-05T12:00"), ("tomorrow at noon", "2026-03-05T12:00"),
        ("the day after tomorrow", "2026-03-06"), ("tonight", "2026-03-04"), ("by tomorrow morning", "2026-03-05"),
        ("March 14", "2026-03-14"), ("by March 14th, 2027", "2027-03-14"), ("the 14th of March", "2026-03-14"),
        ("14 March", "2026-03-14"), ("by the 1st", "2026-04-01"), ("before Jan 2", "2027-01-02"),
        ("in two hours", "2026-03-04T12:30"), ("in half an hour", "2026-03-04T11:00"), ("in 3 days", "2026-03-07"),
        ("within a week", "2026-03-11"), ("in 20 hours", "2026-03-05T06:30"), ("5pm", "2026-03-04T17:00"),
        ("by 5 pm", "2026-03-04T17:00"), ("at 9am", "2026-03-05T09:00"), ("by 5 p.m. tomorrow", "2026-03-05T17:00"),
        ("by EOD", "2026-03-04"), ("by EOD Friday", "2026-03-06"), ("by end of day tomorrow", "2026-03-05"),
        ("2026-04-01", "2026-04-01"), ("due 2026-12-31", "2026-12-31"), ("end of next week", "2026-03-13"),
        ("by the end of the week", "2026-03-06"), ("this week", "2026-03-08"), ("end of the month", "2026-03-31"),
        ("by end of April", "2026-04-30"), ("by end of year", "2026-12-31"), ("before lunch", "2026-03-04T12:00"),
        ("Friday next week", "2026-03-13"), ("before 11", "2026-03-04T11:00"), ("by 3/20", "2026-03-20"),
        ("by half past two", "2026-03-04T14:30"), ("by the weekend", "2026-03-06"), ("at midnight", "2026-03-05T00:00"),
        ("by tomorrow at 8", "2026-03-05T08:00"), ("at 16:00", "2026-03-04T16:00"), ("early next week", "2026-03-09"),
    ])
    func englishPhrasesAreRead(phrase: String, expected: String) {
        #expect(Self.read("please send it \(phrase)") == expected)
        #expect(Self.read("please send it \(phrase).") == expected)
    }

    @Test(arguments: [
        ("bis Freitag", "2026-03-06"), ("bis Mittwoch", "2026-03-11"), ("am Montag um 9 Uhr", "2026-03-09T09:00"),
        ("bis nächsten Dienstag", "2026-03-10"), ("morgen Mittag", "2026-03-05T12:00"), ("übermorgen", "2026-03-06"),
        ("uebermorgen", "2026-03-06"), ("heute Abend", "2026-03-04"), ("bis heute 18 Uhr", "2026-03-04T18:00"),
        ("bis morgen früh um 7", "2026-03-05T07:00"), ("bis zum 14.3.", "2026-03-14"), ("bis 14.03.2027", "2027-03-14"),
        ("am 3.3.", "2027-03-03"), ("bis 14.3", "2026-03-14"), ("zum 1. April", "2026-04-01"),
        ("bis zum 14. März 2027", "2027-03-14"), ("bis zum 15.", "2026-03-15"), ("in zwei Stunden", "2026-03-04T12:30"),
        ("in einer halben Stunde", "2026-03-04T11:00"), ("in 14 Tagen", "2026-03-18"), ("in einem Monat", "2026-04-04"),
        ("innerhalb von drei Tagen", "2026-03-07"), ("um 15:30 Uhr", "2026-03-04T15:30"), ("15:30", "2026-03-04T15:30"),
        ("bis 15.30 Uhr", "2026-03-04T15:30"), ("bis 17 Uhr", "2026-03-04T17:00"), ("um halb vier", "2026-03-04T15:30"),
        ("bis Ende des Monats", "2026-03-31"), ("bis Monatsende", "2026-03-31"), ("Ende der Woche", "2026-03-06"),
        ("bis Ende nächster Woche", "2026-03-13"), ("nächste Woche", "2026-03-15"), ("diese Woche", "2026-03-08"),
        ("bis Ende April", "2026-04-30"), ("Anfang nächster Woche", "2026-03-09"), ("Mitte Mai", "2026-05-15"),
        ("bis Jahresende", "2026-12-31"), ("bis Feierabend", "2026-03-04"), ("am Wochenende", "2026-03-08"),
        ("Mittwoch nächster Woche", "2026-03-11"), ("nächste Woche Freitag", "2026-03-13"), ("bis Fr", "2026-03-06"),
        ("bis Freitag, 12 Uhr", "2026-03-06T12:00"), ("am Freitag, den 13. März", "2026-03-13"),
        ("bis spätestens Donnerstag", "2026-03-05"), ("um fünf", "2026-03-04T17:00"),
        ("viertel nach acht", "2026-03-04T20:15"),
        ("bis Ende des nächsten Monats", "2026-04-30"), ("bis Quartalsende", "2026-03-31"),
        ("bis Mittag", "2026-03-04T12:00"),
    ])
    func germanPhrasesAreRead(phrase: String, expected: String) {
        #expect(Self.read("bitte \(phrase) schicken") == expected)
        #expect(Self.read("Bitte schicken: \(phrase)!") == expected)
    }

    @Test(arguments: [
        ("2026-01-31", "in a month", "2026-02-28"), ("2028-01-31", "in a month", "2028-02-29"),
        ("2028-02-28", "tomorrow", "2028-02-29"), ("2026-02-28", "tomorrow", "2026-03-01"),
        ("2026-12-31", "tomorrow", "2027-01-01"), ("2026-12-30", "bis 2.1.", "2027-01-02"),
        ("2026-02-10", "bis Ende des Monats", "2026-02-28"), ("2026-12-28", "by Friday", "2027-01-01"),
        ("2026-03-10", "am 29.2.", "2028-02-29"), ("2026-04-30", "by the 31st", "2026-05-31"),
        ("2026-12-15", "end of next month", "2027-01-31"), ("9999-12-31", "today", "9999-12-31"),
    ])
    func endsOfMonthsAndYearsAreKept(day: String, phrase: String, expected: String) {
        #expect(Self.read("please send it \(phrase)", day: day) == expected)
    }

    @Test(arguments: [
        "Guten Morgen zusammen", "Morgen!", "Morgen, alles klar?", "last Friday was fine", "seit Montag kaputt",
        "every Monday", "version 14.3 is out", "3 people came", "it costs 12.50", "the week was long", "am 31.2.",
        "yesterday", "I may go", "in 99999999999999999999 days", "the score was 3:2", "gestern Abend",
    ])
    func otherPhrasesAreNoDeadlines(phrase: String) {
        #expect(Self.read(phrase) == nil)
    }

    @Test func daysAfterTheLastYearAreNone() {
        #expect(Self.read("tomorrow", day: "9999-12-31") == nil)
        #expect(DeadlineRules.deadline(in: "today", at: .max, offset: .max) == nil)
        #expect(DeadlineRules.deadline(in: "today", at: .min, offset: .min) == nil)
        #expect(DeadlineRules.deadline(in: "today", at: .max, offset: 0) == nil)
    }

    @Test func theOffsetOfTheReaderDecidesTheDay() {
        // 23:30 UTC on 4 March.
        let late: Int64 = 1_772_667_000_000
        #expect(DeadlineRules.deadline(in: "today", at: late, offset: 0)?.text == "2026-03-04")
        #expect(DeadlineRules.deadline(in: "today", at: late, offset: 3600)?.text == "2026-03-05")
    }

    @Test func aBoundGoesBeforeADayThatIsOnlyNamed() {
        #expect(Self.read("book the bus for the match on Oct 3 by Friday") == "2026-03-06")
    }

    @Test func deadlinesReadTheirOwnText() {
        for text in ["2026-03-06", "2026-03-06T12:00", "1970-01-01", "9999-12-31T23:59"] {
            #expect(Deadline(text: text)?.text == text)
        }
        for text in ["2026-02-30", "2026-03-06T24:00", "1969-12-31", "2026-3-6", "", "2026-03-06 12:00", "äöü-03-06"] {
            #expect(Deadline(text: text) == nil)
        }
    }

    @Test func civilDaysSurviveTheWayToTheirPartsAndBack() {
        for number in stride(from: 0, through: 2_932_896, by: 97) {
            guard let day = CivilDay(number: number) else {
                Issue.record("no day \(number)")
                return
            }
            let (year, month, date) = day.parts
            #expect(CivilDay(year: year, month: month, day: date) == day)
        }
        #expect(CivilDay(year: 9999, month: 12, day: 31)?.number == 2_932_896)
    }

    @Test func aDayComesAfterItsTimes() throws {
        let noon = try #require(Deadline(text: "2026-03-06T12:00"))
        let day = try #require(Deadline(text: "2026-03-06"))
        let next = try #require(Deadline(text: "2026-03-07T00:00"))
        #expect(noon < day)
        #expect(day < next)
    }

    /// At 10:30 in Berlin; what has no time lasts until its day ends.
    @Test(
        arguments: [
            ("2026-03-03", true), ("2026-03-04", nil), ("2026-03-05", nil), ("2026-03-04T10:29", true),
            ("2026-03-04T10:30", nil), (nil, nil),
        ] as [(String?, Bool?)]
    )
    func whatIsNotDoneInTimeIsOverdue(deadline: String?, isOverdue: Bool?) {
        let clock = LocalClock(now: ControlTime(milliseconds: Self.wednesday)) { _ in Int64(Self.berlin) }
        let source = AssistantSource(
            id: "m1",
            conversation: "c",
            kind: .direct,
            title: "Bob",
            sender: Person(id: "bob", displayName: "Bob"),
            time: clock.now,
            excerpt: ""
        )
        var action = ActionInfo(id: "m1/1", task: "order", priority: .normal, done: false, source: source)
        action.deadline = deadline
        #expect(action.timed(by: clock).overdue == isOverdue)
        action.done = true
        #expect(action.timed(by: clock).overdue == nil)
    }
}
