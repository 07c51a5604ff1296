import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// One page that needs nothing else: no script, no picture, nothing from elsewhere.
struct ExportHTML: ExportRenderer {
    private let withBlocked: Bool
    private let clock: LocalClock
    private var day: ExportDay?
    /// The message before, to which the next one may belong.
    private var last: MessageInfo?

    init(withBlocked: Bool, clock: LocalClock) {
        self.withBlocked = withBlocked
        self.clock = clock
    }

    /// Messages of one author within this time stand together.
    private static let groupMilliseconds: Int64 = 5 * 60_000

    mutating func begin(_ about: ExportHeader) -> [String] {
        let title = HTMLText.line(ConversationHeading.export(about, clock))
        return ExportPage.head(title: title, language: Language.current.rawValue)
            + ["<header><h1>Parlance</h1><p dir=\"auto\">\(title)</p></header>", "<main>"]
    }

    mutating func begin(_ conversation: ConversationInfo) -> [String] {
        (day, last) = (nil, nil)
        let heading = ConversationHeading(conversation)
        return ["<section>", "<h2 dir=\"auto\">\(HTMLText.line(heading.title))</h2>"]
            + heading.about.map { "<p class=\"about\" dir=\"auto\">\(HTMLText.line($0))</p>" }
    }

    mutating func endConversation() -> [String] {
        let empty = "<p class=\"note\">\(HTMLText.line(say("No messages yet.")))</p>"
        return (day == nil ? [empty] : []) + ["</section>"]
    }

    mutating func end(_ count: ExportCount) -> [String] { ["</main>", "</body>", "</html>"] }

    mutating func message(_ message: MessageInfo) -> [String] {
        var lines: [String] = []
        let today = ExportDay(message.time, clock)
        if day != today {
            (day, last) = (today, nil)
            lines.append("<h3 class=\"day\">\(HTMLText.line(today.heading))</h3>")
        }
        if let sentence = NoteText.sentence(message) {
            last = nil
            return lines + ["<p class=\"note\" dir=\"auto\">\(time(message)) \(HTMLText.line(sentence))</p>"]
        }
        if message.blocked == true, !withBlocked {
            last = nil
            let folded = HTMLText.line(MessageSummary.line(message, withSender: true))
            return lines + ["<p class=\"note\" dir=\"auto\">\(time(message)) \(folded)</p>"]
        }
        lines.append(message.mine ? "<article class=\"message own\">" : "<article class=\"message\">")
        if !continues(message) { lines.append(head(message)) }
        lines.append(bubble(message))
        lines += below(message)
        lines.append("</article>")
        last = message
        return lines
    }

    private func continues(_ message: MessageInfo) -> Bool {
        guard let last, last.sender == message.sender else { return false }
        return abs(message.time.milliseconds - last.time.milliseconds) < Self.groupMilliseconds
    }

    private func time(_ message: MessageInfo) -> String {
        "<time datetime=\"\(clock.stamp(message.time))\">\(clock.hourAndMinute(message.time))</time>"
    }

    /// The name in the colour of its identity, and the time.
    private func head(_ message: MessageInfo) -> String {
        let name = HTMLText.line(message.mine ? say("You") : message.shownSender)
        let colour = message.mine ? "you" : "c\(ExportPage.colour(of: message.sender))"
        return "<p class=\"head\"><b class=\"\(colour)\"><bdi>\(name)</bdi></b> \(time(message))</p>"
    }

    private func bubble(_ message: MessageInfo) -> String {
        let quote = message.answers.map {
            "<blockquote dir=\"auto\">\(HTMLText.line(MessageSummary.quote($0, withBlocked: withBlocked)))</blockquote>"
        }
        guard let deletion = message.deleted else {
            let files = (message.files ?? []).map { "<p dir=\"auto\">\(HTMLText.line(FileText.facts($0)))</p>" }
            let hasText = !message.text.isEmpty || files.isEmpty
            let text = hasText ? "<p dir=\"auto\">\(HTMLText.lines(message.text))</p>" : ""
            return "<div class=\"bubble\">\(quote ?? "")\(text)\(files.joined())</div>"
        }
        let gone = HTMLText.line(MessageSummary.deleted(deletion))
        return "<div class=\"bubble gone\">\(quote ?? "")<p dir=\"auto\">\(gone)</p></div>"
    }

    private func below(_ message: MessageInfo) -> [String] {
        let reactions = message.reactions.map { MessageSummary.reactions($0) } ?? ""
        let remarks = MessageRemarks.of(message).map(\.words) + [StatusText.words(message).map(say)].compactMap { $0 }
        return [remarks.joined(separator: " \u{00B7} "), reactions].filter { !$0.isEmpty }.map {
            "<p class=\"meta\" dir=\"auto\">\(HTMLText.line($0))</p>"
        }
    }
}
