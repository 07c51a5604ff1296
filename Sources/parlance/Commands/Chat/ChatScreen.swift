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

/// The state of the chat screen with what surrounds it: the parser of keys, what the terminal shows, the connection.
struct ChatScreen: ChatFace {
    private var chat: Chat
    private var parser = KeyParser()
    private var writer: ScreenWriter
    private let device: TerminalDevice
    private let timers: ShellTimers
    private var caller: ChatCaller
    private let keeper: DraftKeeper
    private let paths: TypedPaths
    private var drawn: ContinuousClock.Instant?
    private var isDrawingSoon = false

    /// Milliseconds between two pictures: more than a person sees, and a flood of events does not draw for each.
    private static let pictureMilliseconds = 16

    /// - Parameter folder: the user's state folder, where drafts are kept.
    init(who: String?, device: TerminalDevice, folder: String, sink: AsyncStream<ChatShell.Input>.Continuation) {
        chat = Chat(who: who, glyphs: Glyphs(isUTF8: device.charset == .utf8), clock: .system(), keepsDrafts: true)
        keeper = DraftKeeper(folder) { sink.yield(.chat($0)) }
        writer = ScreenWriter(isColoured: device.isColoured, encode: device.charset.encoder)
        self.device = device
        caller = ChatCaller(sink)
        paths = TypedPaths { sink.yield(.chat($0)) }
        timers = ShellTimers { sink.yield(.timer($0)) }
    }

    mutating func begin() {
        device.enter()
        _ = resize()
        draw()
    }

    mutating func end() -> Int32 {
        device.leave()
        caller.leave()
        guard let failure = keeper.finish(chat.unkeptDrafts()) else { return 0 }
        ErrorOutput.show(failure, json: false)
        return failure.exitCode
    }

    mutating func take(_ input: ChatShell.Input) -> Int32? {
        switch input {
        case .typed(let bytes):
            if let end = press(parser.read(bytes)) { return end }
            // Whoever types sees it at once, also in a flood of messages.
            draw()
            return nil
        case .timer(.keys): if let end = press(parser.nothingFollowed()) { return end }
        case .timer(.picture): isDrawingSoon = false
        case .timer(.deadline):
            timers.deadlineCame()
            if let end = handle(.timePassed) { return end }
        case .signalled(SIGWINCH):
            // A window that was made smaller and larger again has lost what it showed, though its size is the same.
            writer.forget()
            if let end = resize() { return end }
        case .signalled(SIGCONT):
            device.enter(again: true)
            writer.forget()
            if let end = resize() { return end }
        case .signalled(SIGTSTP): suspend()
        case .signalled(let signal): return signal
        case .terminalGone: return SIGHUP
        case .connected(let client):
            caller.client = client
            if let end = handle(.connected) { return end }
        case .chat(let input):
            if case .disconnected = input { caller.client = nil }
            if let end = handle(input) { return end }
        }
        drawSoon()
        return nil
    }

    private mutating func press(_ keys: [Key]) -> Int32? {
        if let patience = parser.patience { timers.arm(.keys, milliseconds: patience) } else { timers.disarm(.keys) }
        for key in keys {
            if let end = handle(.pressed(key)) { return end }
        }
        return nil
    }

    private mutating func resize() -> Int32? {
        let size = device.size
        return handle(.resized(height: size.height, width: size.width))
    }

    private mutating func handle(_ input: ChatInput) -> Int32? {
        for effect in chat.handle(input, at: .system()) {
            switch effect {
            case .call(let operation, let purpose): caller.call(operation, purpose)
            case .sendFile(let path, let who, let purpose): caller.sendFile(path, to: who, purpose)
            case .listPaths(let typed): paths.list(typed)
            case .redraw: writer.forget()
            case .suspend: suspend()
            case .readDrafts(let owner): keeper.read(owner)
            case .keepDrafts(let drafts): keeper.keep(drafts)
            case .leave: return 0
            }
        }
        return nil
    }

    private mutating func suspend() {
        device.leave()
        parlance_terminal_stop()
        device.enter()
        writer.forget()
    }

    // MARK: - Drawing

    private mutating func drawSoon() {
        let now = ContinuousClock.now
        if let drawn, now - drawn < .milliseconds(Self.pictureMilliseconds) {
            let rest = Int((.milliseconds(Self.pictureMilliseconds) - (now - drawn)) / .milliseconds(1)) + 1
            if !isDrawingSoon { timers.arm(.picture, milliseconds: rest) }
            isDrawingSoon = true
        } else {
            draw()
        }
    }

    private mutating func draw() {
        chat.settle()
        // A terminal that takes no bytes gets the whole picture next time, and nobody has read it.
        if device.write(writer.show(chat.view())) {
            for case .call(let operation, let purpose) in chat.displayed() { caller.call(operation, purpose) }
        } else {
            writer.forget()
        }
        drawn = .now
        timers.arm(deadline: chat.deadline)
    }
}
