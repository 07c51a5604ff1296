import ParlanceWords

/// What can be typed after a slash.
enum SlashCommand: String, CaseIterable, Sendable {
    case help, open, who, reply, react, accept, decline, pin, unpin, mute, unmute, quit

    /// What is typed behind it, in words; nil for nothing.
    var argument: Phrase? {
        switch self {
        case .open, .accept, .decline: Phrase("WHO")
        case .reply: Phrase("TEXT")
        case .react: Phrase("EMOJI")
        case .help, .who, .pin, .unpin, .mute, .unmute, .quit: nil
        }
    }

    var explanation: Phrase {
        switch self {
        case .help: Phrase("show the keys and commands")
        case .open: Phrase("open the conversation with somebody, or a group")
        case .who: Phrase("say who is here")
        case .reply: Phrase("answer the newest message of somebody else")
        case .react: Phrase("react to it")
        case .accept: Phrase("accept somebody who asks to talk")
        case .decline: Phrase("decline that")
        case .pin: Phrase("keep this conversation at the top")
        case .unpin: Phrase("end that")
        case .mute: Phrase("draw no attention to it")
        case .unmute: Phrase("end that")
        case .quit: Phrase("leave")
        }
    }
}
