import ParlanceWords

/// What can be typed after a slash.
enum SlashCommand: String, CaseIterable, Sendable {
    case help, open, search, ask, who, file, fetch, reply, react, accept, decline, pin, unpin, mute, unmute, hide, show,
        clear,
        delete, retain, disappear, read, quit

    /// What is typed behind it, in words; nil for nothing.
    var argument: Phrase? {
        switch self {
        case .open, .accept, .decline, .show: Phrase("WHO")
        case .search: Phrase("WORDS")
        case .ask: Phrase("QUESTION")
        case .file: Phrase("PATH")
        case .reply: Phrase("TEXT")
        case .react: Phrase("EMOJI")
        case .mute, .retain, .disappear: Phrase("LENGTH")
        case .help, .who, .fetch, .pin, .unpin, .unmute, .hide, .clear, .delete, .read, .quit: nil
        }
    }

    /// Whether it means something without what is typed behind it.
    var isComplete: Bool {
        switch self {
        case .ask, .accept, .decline, .mute, .retain, .disappear: true
        default: argument == nil
        }
    }

    /// Whether it takes no argument. The others whose argument has no name take a name or `--yes`.
    var isAlone: Bool {
        switch self {
        case .help, .who, .fetch, .quit: true
        default: false
        }
    }

    var explanation: Phrase {
        switch self {
        case .help: Phrase("show the keys and commands")
        case .open: Phrase("open the conversation with somebody, or a group")
        case .search: Phrase("search all conversations")
        case .ask: Phrase("ask the assistant about this conversation")
        case .who: Phrase("say who is here")
        case .file: Phrase("send a file or a folder")
        case .fetch: Phrase("fetch the files of the selected message, or the newest")
        case .reply: Phrase("answer the selected message, or the newest of somebody else")
        case .react: Phrase("react to it")
        case .accept: Phrase("accept somebody who asks to talk")
        case .decline: Phrase("decline somebody who asks to talk")
        case .pin: Phrase("keep this conversation at the top")
        case .unpin: Phrase("do not keep it at the top any more")
        case .mute: Phrase("turn its notifications off, or only for a while, such as 8h")
        case .unmute: Phrase("turn its notifications on")
        case .hide: Phrase("leave it out of the list until something new is written")
        case .show: Phrase("list a hidden or deleted conversation again")
        case .clear: Phrase("remove everything in it from this computer")
        case .delete: Phrase("the same, and leave it out of the list")
        case .retain: Phrase("keep its messages so long only, such as 90d; off keeps them")
        case .disappear: Phrase("let messages disappear for everybody, as after 7d; or off")
        case .read: Phrase("mark everything in it as read")
        case .quit: Phrase("leave")
        }
    }

    var needsDaemon: Bool {
        switch self {
        case .help, .who, .open, .search, .quit: false
        case .ask, .file, .fetch, .reply, .react, .accept, .decline, .pin, .unpin, .mute, .unmute, .hide, .show,
            .clear,
            .delete,
            .retain, .disappear, .read:
            true
        }
    }
}
