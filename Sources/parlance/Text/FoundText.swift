import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

/// Messages that were found as lines for a terminal: those of a conversation together, what fits in bold.
struct FoundText {
    private let reply: SearchReply
    private let offset: Int
    private let clock: LocalClock
    private let style: TextStyle

    /// The most columns for the names of senders.
    private static let nameWidth = 24

    /// - Parameter offset: how many messages come before these.
    init(reply: SearchReply, offset: Int = 0, clock: LocalClock, style: TextStyle) {
        self.reply = reply
        self.offset = offset
        self.clock = clock
        self.style = style
    }

    var lines: [String] {
        guard !reply.hits.isEmpty else { return [nothing] + rest }
        let times = reply.hits.reduce(0) { max($0, DisplayWidth.of(clock.short($1.time))) }
        let names = min(Self.nameWidth, reply.hits.reduce(0) { max($0, DisplayWidth.of(name($1))) })
        var order: [String] = []
        var hits: [String: [SearchHit]] = [:]
        for hit in reply.hits {
            if hits[hit.conversation] == nil { order.append(hit.conversation) }
            hits[hit.conversation, default: []].append(hit)
        }
        var lines: [String] = []
        for conversation in order {
            let found = hits[conversation] ?? []
            lines.append(style(.strong, VisibleText.line(NameText.plain(found.first?.title ?? conversation))))
            lines += found.map { line($0, times, names) }
        }
        return lines + rest
    }

    private func name(_ hit: SearchHit) -> String {
        hit.sender.me == true ? say("You") : VisibleText.line(NameText.marked(hit.sender.displayName, hit.sender.trust))
    }

    private func line(_ hit: SearchHit, _ times: Int, _ names: Int) -> String {
        let time = DisplayWidth.pad(clock.short(hit.time), to: times)
        let id = VisibleText.line(String(hit.id.prefix(MessageLines.idWidth)))
        let name = DisplayWidth.pad(DisplayWidth.cut(name(hit), to: max(1, names)), to: names)
        let text = hit.excerpt.pieces.map { piece in
            // A line break separates words, and would be shown as a sign.
            let line = String(piece.text.map { $0.isNewline ? " " : $0 })
            return style(piece.isMarked ? .found : .plain, VisibleText.line(line))
        }.joined()
        let (before, after) = (hit.excerpt.cutBefore == true ? "…" : "", hit.excerpt.cutAfter == true ? "…" : "")
        return
            "  \(style(.faint, "\(time)  \(id)"))  \(style(hit.sender.me == true ? .plain : .name, name))  \(before)\(text)\(after)"
    }

    private var nothing: String {
        if offset > 0, reply.found > 0 {
            return reply.atLeast == true ? cut : say("No more messages fit: \(reply.found) in all.")
        }
        let why = reply.why.map { VisibleText.line(say($0)) }
        return why.map { say("No message found. \($0)") } ?? say("No message found.")
    }

    /// That there are more than can be listed.
    private var cut: String {
        say(
            """
            Only the newest \(reply.found) matches are listed; there are more. To narrow the search, add words, a person or a date.
            """
        )
    }

    /// What was left out.
    private var rest: [String] {
        var lines: [String] = []
        if !reply.more, !reply.hits.isEmpty, reply.atLeast == true { lines.append(style(.faint, cut)) }
        if reply.more {
            let shown = "\(offset + 1)-\(offset + reply.hits.count)"
            let all =
                reply.atLeast == true
                ? say("Messages \(shown) of the \(reply.found) that came last, of more that fit.")
                : say("Messages \(shown) of \(reply.found).")
            lines.append(style(.faint, "\(all) " + say("Further ones: --offset \(offset + reply.hits.count)")))
        }
        if let unsearched = reply.unsearched {
            lines.append(
                style(
                    .warning,
                    say(
                        """
                        Not everything was searched: \(unsearched) entries are still to be taken into the index, which goes \
                        on by itself. Search again in a while.
                        """
                    )
                )
            )
        }
        return lines
    }
}
