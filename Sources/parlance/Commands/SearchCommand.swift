import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance search QUERY`
struct SearchCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find messages.",
        discussion: """
            A message is found if it has everything that you give: words (lunch friday), words that follow each other \
            ("good morning"), the beginning of a word (lun*), a part of a word of 3 or more characters (*nch*). Capital \
            letters and accents make no difference. In scripts without spaces a word finds any part of a text.

            from:NAME finds what somebody wrote, from:me what you wrote; in:NAME what was written to somebody or in a \
            group; after:DAY and before:DAY when. A day is 2026-11-24, 2026-11 or 2026 (the first day of it), today or \
            yesterday; after:DAY includes that day. Names with spaces need quotation marks: in:"Night watch". \
            Your shell removes quotation marks, so put the whole query between single ones.

            What fits best comes first; of messages that fit alike, the newest. Deleted messages, earlier texts of edited \
            ones, and what blocked people wrote are not found. To read the messages around one: parlance history WHO \
            --around ID

            If the assistant has its embedding model (parlance assistant model), what is near in meaning to words without \
            fields is in a second list.

            Examples: parlance search lunch from:Bob after:2026-11-01
                      parlance search 'in:"Night watch" "blue box" key'
            """
    )

    @Argument(help: ArgumentHelp("Words, phrases and fields.", valueName: "query"))
    var query: [String]

    @Flag(help: "The newest first, however well they fit.")
    var newest = false

    @Flag(help: "Find by the meaning too, with the assistant. The query is then a question, without fields.")
    var meaning = false

    @Option(help: "How many messages at most, 1 to \(SearchOperation.maximumLimit).")
    var limit = SearchOperation.defaultLimit

    @Option(help: ArgumentHelp("How many of the first messages to leave out.", valueName: "count"))
    var offset = 0

    @OptionGroup var options: Options

    func validate() throws {
        guard (1...SearchOperation.maximumLimit).contains(limit) else {
            throw ValidationError(say("--limit must be 1 to \(SearchOperation.maximumLimit)."))
        }
        guard !meaning || !newest && offset == 0 else {
            throw ValidationError(say("--meaning goes with neither --newest nor --offset."))
        }
        guard offset >= 0 else { throw ValidationError(say("--offset must be 0 or more.")) }
    }

    func run(_ session: Session) async throws {
        guard !meaning else {
            let question = AskOperation(
                question: query.joined(separator: " "),
                limit: min(limit, AskOperation.maximumSources)
            )
            try await session.show(question) { reply in
                SourceText(clock: session.clock, style: session.style).found(reply)
            }
            return
        }
        let operation = SearchOperation(
            query: query.joined(separator: " "),
            order: newest ? .newest : nil,
            offset: offset == 0 ? nil : offset,
            limit: limit,
            near: session.json || newest ? nil : true
        )
        try await session.show(operation) { reply in
            let near = reply.near.map { SourceText(clock: session.clock, style: session.style).byMeaning($0) } ?? []
            return FoundText(reply: reply, offset: offset, clock: session.clock, style: session.style).lines + near
        }
    }
}
