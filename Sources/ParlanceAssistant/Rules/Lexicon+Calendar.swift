/// Words that name days and times.
extension Lexicon {
    /// Days by their distance from the day of the message.
    static let relativeDays = folded([
        "today": 0, "tonight": 0, "tonite": 0, "heute": 0, "heut": 0, "todays": 0,
        "tomorrow": 1, "tmrw": 1, "tmr": 1, "tomorow": 1, "tommorow": 1, "morgen": 1,
        "übermorgen": 2, "overmorrow": 2,
    ])

    /// The days of the week, from Monday as 1.
    static let weekdays = folded([
        "monday": 1, "mon": 1, "mondays": 1, "montag": 1, "montagabend": 1, "montagmorgen": 1,
        "tuesday": 2, "tue": 2, "tues": 2, "dienstag": 2, "dienstagabend": 2,
        "wednesday": 3, "wed": 3, "weds": 3, "mittwoch": 3, "mittwochabend": 3,
        "thursday": 4, "thu": 4, "thur": 4, "thurs": 4, "donnerstag": 4, "donnerstagabend": 4,
        "friday": 5, "fri": 5, "freitag": 5, "freitagabend": 5,
        "saturday": 6, "samstag": 6, "sonnabend": 6, "samstagabend": 6,
        "sunday": 7, "sonntag": 7, "sonntagabend": 7,
    ])

    /// Short names that mean other words as well. They need a word such as "bis" before them.
    static let shortWeekdays = folded([
        "sat": 6, "sun": 7, "mo": 1, "di": 2, "mi": 3, "do": 4, "fr": 5, "sa": 6, "so": 7,
    ])

    /// The months, from January as 1.
    static let months = folded([
        "january": 1, "jan": 1, "januar": 1, "jänner": 1, "february": 2, "feb": 2, "februar": 2, "feber": 2,
        "march": 3, "mar": 3, "märz": 3, "mrz": 3, "april": 4, "apr": 4, "may": 5, "mai": 5,
        "june": 6, "jun": 6, "juni": 6, "july": 7, "jul": 7, "juli": 7, "august": 8, "aug": 8,
        "september": 9, "sep": 9, "sept": 9, "october": 10, "oct": 10, "oktober": 10, "okt": 10,
        "november": 11, "nov": 11, "december": 12, "dec": 12, "dezember": 12, "dez": 12,
    ])

    /// Numbers in words, for "in two hours" and "um fünf".
    static let numbers = folded([
        "a": 1, "an": 1, "one": 1, "ein": 1, "eine": 1, "einem": 1, "einer": 1, "einen": 1, "eins": 1,
        "two": 2, "zwei": 2, "three": 3, "drei": 3, "four": 4, "vier": 4, "five": 5, "fünf": 5,
        "six": 6, "sechs": 6, "seven": 7, "sieben": 7, "eight": 8, "acht": 8, "nine": 9, "neun": 9,
        "ten": 10, "zehn": 10, "eleven": 11, "elf": 11, "twelve": 12, "zwölf": 12, "fourteen": 14, "vierzehn": 14,
    ])

    /// Units of a span of time.
    enum Unit: Sendable { case minute, hour, day, week, month }

    /// The names of the units.
    static let units = folded([
        "minute": Unit.minute, "minutes": .minute, "min": .minute, "mins": .minute, "minuten": .minute,
        "hour": .hour, "hours": .hour, "hrs": .hour, "hr": .hour, "stunde": .hour, "stunden": .hour, "std": .hour,
        "day": .day, "days": .day, "tag": .day, "tage": .day, "tagen": .day,
        "week": .week, "weeks": .week, "woche": .week, "wochen": .week,
        "month": .month, "months": .month, "monat": .month, "monate": .month, "monaten": .month,
    ])

    /// Words that set a bound: what follows them is a deadline rather than a day that is only named.
    static let bounds = Phrases(
        "by before until till til due bis vor spätestens deadline latest",
        "no later than,bis zum,bis zur,bis zu,vor dem,bis spätestens,spätestens bis,spätestens am,at the latest,"
    )

    /// Words between a bound and a day or between a day and a time.
    static let connectors = Phrases(
        "at on by before until till for the of this um gegen am an bis ab den dem zum zur vor der im around",
        "about ca",
        "spätestens latest ungefähr kurz"
    )

    /// Words that a bare number must follow to be a time: "at 5", "um 5".
    static let timeIntroducers = Phrases("at by before until till um gegen bis vor ab around")

    /// Words before a day that make it a day of the past or of no single date.
    static let dayBlockers = Phrases(
        "last since from every each previous yesterday's seit vom letzten letzte letzter letztem vorigen",
        "vergangenen",
        "jeden jede jeder ago gestern yesterday guten good schönen"
    )

    /// Words for the next week, month or weekday.
    static let nextWords = Phrases(
        "next following nächste nächsten nächster nächstes nächstem kommende kommenden kommender kommendem",
        "kommendes"
    )

    /// Words for the present week, month or weekday.
    static let thisWords = Phrases(
        "this the current coming diese diesen dieser diesem dieses der des dem den die laufenden laufende"
    )

    /// The end of a week, month or year.
    static let endWords = Phrases("end ende")
    /// The start of a week or month.
    static let startWords = Phrases("early beginning start anfang")
    /// The middle of a week or month.
    static let middleWords = Phrases("mid middle mitte")

    /// Words that name the end of a working day. They mean the day of the message by themselves.
    static let endsOfDay = Phrases(
        "eod cob feierabend schichtende dienstschluss tagesende dienstende büroschluss",
        "end of day,end of the day,end of business,close of business,end of shift,end of the shift,ende des tages,"
            + "ende der schicht,close of play"
    )

    /// Names of the last day of a span.
    static let endsOfWeek = Phrases("eow")
    static let endsOfMonth = Phrases("eom monatsende ultimo")
    static let endsOfYear = Phrases("eoy jahresende")
    static let endsOfQuarter = Phrases("quartalsende eoq")

    /// Words for the middle of the day, at twelve.
    static let noons = Phrases(
        "noon midday mittag mittags lunch lunchtime mittagspause mittagessen",
        "high noon,lunch break,"
    )
    /// Words for midnight.
    static let midnights = Phrases("midnight mitternacht")

    /// Parts of the day before noon. They name no time.
    static let mornings = Phrases("morning früh morgen vormittag morgens vormittags")
    /// Parts of the day after noon. They name no time.
    static let afternoons = Phrases(
        "afternoon evening night nachmittag nachmittags abend abends nacht tonight"
    )

    /// Words that can follow a time written as a bare number.
    static let afterTimes = Phrases("please pls bitte and und or oder so then dann at on am latest sharp spätestens")

    /// Words after which a number with a full stop is a day even at the end of a sentence.
    static let dateArticles = Phrases("zum am den dem ab vom")

    /// Days with a name of their own, as month and day.
    static let namedDays = folded([
        "silvester": [12, 31], "heiligabend": [12, 24], "neujahr": [1, 1], "nikolaus": [12, 6],
    ])

    /// Words after which "Morgen" is a greeting.
    static let greeted = Phrases("zusammen allerseits alle leute team ihr all everyone everybody folks guys liebe")

    /// All words with which a deadline can start.
    static let deadlineStarts: Phrases = {
        let lists = [
            bounds, connectors, nextWords, thisWords, endWords, startWords, middleWords, endsOfDay, endsOfWeek,
            endsOfMonth, endsOfYear, endsOfQuarter, noons, midnights,
        ]
        var words = lists.flatMap(\.firstWords)
        words += Array(relativeDays.keys) + Array(weekdays.keys) + Array(shortWeekdays.keys) + Array(months.keys)
        words += Array(numbers.keys) + Array(namedDays.keys)
        words += ["in", "within", "binnen", "innerhalb", "day", "half", "halb", "quarter", "viertel", "after", "nach"]
        words += ["weekend", "wochenende"]
        return Phrases(lines: words)
    }()

    private static func folded<Value>(_ words: [String: Value]) -> [String: Value] {
        Dictionary(words.map { (Tokenizer.folded($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }
}
