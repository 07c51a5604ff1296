/// What shows the conversations to a person at a terminal: the full screen, or plain lines.
protocol ChatFace {
    mutating func begin()
    /// - Returns: 0 or the signal by which to end; nil to go on.
    mutating func take(_ input: ChatShell.Input) -> Int32?
    /// - Returns: the exit code, if no signal ends the program.
    mutating func end() -> Int32
}
