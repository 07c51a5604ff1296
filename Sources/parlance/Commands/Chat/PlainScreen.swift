import CTerminal
import ParlanceChat
import ParlanceControl
import ParlanceTerminal
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The chat as plain lines on standard output: it reads lines, and prints what is new.
struct PlainScreen: ChatFace {
    private var chat: PlainChat
    private var caller: ChatCaller
    private let session: Session
    private let timers: ShellTimers
    private var day: Int64?
    /// What was typed: lines wait until what those before them asked for is here, and the beginning of a line for its end.
    private var typed: [UInt8] = []
    /// How many bytes of that were taken.
    private var taken = 0
    private var isReady = false
    /// Calls whose replies have not come.
    private var waiting = 0
    private var hasInputEnded = false
    /// The lines that were read, and those of them that were no text.
    private var lineCount = 0
    private var unsent: Set<Int> = []
    /// The user has left with `/quit`.
    private var hasLeft = false
    /// It was said that what stands behind it is not sent.
    private var hasToldLate = false
    /// Whether the rest of a line is left out that is too long.
    private var isSkipping = false
    /// A program, which looks at the exit code, writes the lines.
    private let isPipe: Bool

    /// - Parameter isPipe: whether the input is no terminal.
    init(who: String?, session: Session, isPipe: Bool, sink: AsyncStream<ChatShell.Input>.Continuation) {
        chat = PlainChat(who: who, isPipe: isPipe, clock: .system())
        caller = ChatCaller(sink)
        self.session = session
        self.isPipe = isPipe
        timers = ShellTimers { sink.yield(.timer($0)) }
    }

    func begin() {}

    func end() -> Int32 {
        caller.leave()
        let lines = unsent.union(chat.unsent).sorted()
        guard isPipe else { return 0 }
        // Why the one that was named could not be opened stands in the output.
        guard !lines.isEmpty else { return chat.notOpened?.exitCode ?? 0 }
        let numbers = lines.prefix(Self.mostNamed).map { Phrase(verbatim: String($0)) }
        let list = Phrase.joined(numbers + (lines.count > numbers.count ? [Phrase(verbatim: "…")] : []), by: ", ")
        ErrorOutput.show(
            ControlFailure(
                code: "notSent",
                message: lines.count == 1
                    ? Phrase("Not sent or done: line \(list).") : Phrase("Not sent or done: lines \(list)."),
                advice: Phrase("The output says why.")
            ),
            json: false
        )
        return chat.notOpened?.exitCode ?? 1
    }

    /// Lines that are named when some were not sent.
    private static let mostNamed = 20

    mutating func take(_ input: ChatShell.Input) -> Int32? {
        switch input {
        case .typed(let bytes): typed += bytes
        case .timer(.deadline):
            timers.deadlineCame()
            if let end = perform(chat.handle(.timePassed, at: .system())) { return end }
        case .timer, .signalled(SIGWINCH), .signalled(SIGCONT): break
        case .signalled(SIGTSTP): parlance_terminal_stop()
        case .signalled(let signal): return signal
        case .terminalGone:
            if let last = typed.last, last != Self.lineFeed { typed.append(Self.lineFeed) }
            hasInputEnded = true
        case .connected(let client):
            caller.client = client
            if let end = perform(chat.handle(.connected, at: .system())) { return end }
        case .chat(let input):
            if case .replied = input { waiting -= 1 }
            if case .disconnected(let silentSince) = input {
                caller.client = nil
                let silence = silentSince.map { say(DaemonAbsence.words(silentSince: $0, .system())) }
                let waiting = say("Waiting for the daemon; Ctrl-C ends this.")
                session.terminal.write([silence, waiting].compactMap { $0 }.map { session.style(.warning, $0) })
            }
            if let end = perform(chat.handle(input, at: .system())) { return end }
        }
        isReady = isReady || caller.client != nil && waiting == 0
        if isReady { readLines() }
        show()
        timers.arm(deadline: chat.deadline)
        // What was asked for is answered first.
        let isDone = hasInputEnded && isReady && waiting == 0 && (hasLeft || taken == typed.count)
        return isDone ? 0 : nil
    }

    private static let lineFeed = UInt8(ascii: "\n")
    /// Bytes of a line that are kept: twice a text, which fits a request even if each has to be escaped. The daemon
    /// refuses a text that is too long, but a request that is too long ends the connection.
    private static let mostTyped = 2 * ControlLimits.textBytes

    private func complain(_ text: String) { session.terminal.write([session.style(.bad, text)]) }

    private static var tooLong: String { say("A line is longer than a message can be. It was not sent.") }

    /// A line was read that cannot be sent.
    private mutating func refuse(_ text: String) {
        unsent.insert(lineCount)
        complain(text)
    }

    /// Whether the next line can be carried out. If nothing is asked for any more, nothing will come that it could wait
    /// for.
    private var takesLine: Bool { hasLeft || waiting == 0 || chat.takesLine }

    private mutating func readLines() {
        while takesLine, let end = typed[taken...].firstIndex(of: Self.lineFeed) {
            let line = typed[taken..<end]
            taken = end + 1
            // What the lines before it brought is told before it changes anything.
            show()
            take(line: line)
        }
        guard typed[taken...].firstIndex(of: Self.lineFeed) == nil else { return forgetTaken() }
        if typed.count - taken > Self.mostTyped || isSkipping {
            taken = typed.count
            if !isSkipping {
                isSkipping = true
                lineCount += 1
                refuse(Self.tooLong)
            }
        }
        forgetTaken()
    }

    /// Forgets what was taken, once that is most of it: the rest is copied.
    private mutating func forgetTaken() {
        guard taken > typed.count / 2 else { return }
        typed.removeFirst(taken)
        taken = 0
    }

    private mutating func take(line: ArraySlice<UInt8>) {
        // The end of one that was too long.
        if isSkipping {
            isSkipping = false
            return
        }
        lineCount += 1
        guard line.count <= Self.mostTyped else { return refuse(Self.tooLong) }
        guard let text = String(validating: line, as: UTF8.self) else {
            return refuse(say("A line is not UTF-8 text. It was not sent."))
        }
        if hasLeft {
            unsent.insert(lineCount)
            if !hasToldLate { complain(say("The lines after /quit were not sent.")) }
            hasToldLate = true
        } else if perform(chat.typed(text, number: lineCount, at: .system())) != nil {
            // What was asked for before is answered first.
            (hasLeft, hasInputEnded) = (true, true)
        }
    }

    private mutating func perform(_ effects: [ChatEffect]) -> Int32? {
        for effect in effects {
            switch effect {
            case .call(let operation, let purpose):
                waiting += 1
                caller.call(operation, purpose)
            case .sendFile(let path, let who, let purpose):
                waiting += 1
                caller.sendFile(path, to: who, purpose)
            case .listPaths, .redraw, .suspend, .readDrafts, .keepDrafts: break
            case .leave: return 0
            }
        }
        return nil
    }

    private mutating func show() {
        let lines = chat.lines()
        guard !lines.isEmpty else { return }
        session.terminal.write(lines.flatMap { words($0) })
        _ = perform(chat.displayed())
    }

    // MARK: - Words

    private mutating func words(_ line: PlainLine) -> [String] {
        let clock = LocalClock.system()
        switch line {
        case .message(let message):
            let today = clock.day(message.time)
            defer { day = today }
            let header = day == today ? [] : [session.style(.strong, clock.dayName(message.time))]
            return header + MessageLines(nameWidth: nil, clock: clock, style: session.style).lines(message)
        case .elsewhere(let message):
            return MessageLines(nameWidth: nil, withGroup: true, clock: clock, style: session.style).lines(message)
        case .event(let event):
            return [session.style(EventText.role(event), VisibleText.line(EventText.sentence(event)))]
        case .found(let reply): return FoundText(reply: reply, clock: clock, style: session.style).lines
        case .answered(let reply): return SourceText(clock: clock, style: session.style).answer(reply)
        case .talk(let reply): return SourceText(clock: clock, style: session.style).talk(reply)
        case .said(let text, let style): return [session.style(TextStyle.Role(style), text)]
        }
    }
}

extension TextStyle.Role {
    init(_ style: Style) {
        switch style {
        case .plain, .selected: self = .plain
        case .strong: self = .strong
        case .faint: self = .faint
        case .good: self = .good
        case .warning: self = .warning
        case .bad: self = .bad
        case .name: self = .name
        }
    }
}
