import ParlanceTerminal
import ParlanceWords

/// What the key `?` shows.
enum HelpText {
    private static var keys: [(String, String)] {
        [
            (say("Enter"), say("send; Alt-Enter begins a new line")),
            (say("Tab"), say("the list; in a text it completes /command, @name, :emoji")),
            ("Alt-1..9", say("open a conversation; Alt-Up, Alt-Down the next one")),
            (say("PgUp, PgDn"), say("older and newer messages; Esc goes to the end")),
            ("Alt-N", say("go to the first new message")),
            (control("F"), say("search all conversations")),
            (say("Up"), say("on an empty line: select a message")),
            ("r  e  d  +  i", say("on that: answer, edit, delete, react, details")),
            ("o", say("on a long message: show all of it")),
            (control("P", "N"), say("what you sent or did not send")),
            (control("A", "E"), say("to the beginning and the end of the line")),
            (control("W", "U"), say("delete the word or line before the cursor; Ctrl-K: after it")),
            ("Alt-B, Alt-F", say("to the word before, the next word")),
            ("F1, F2", say("this help; the list")),
            (control("L", "Z"), say("draw the screen anew; stop the program")),
            (say("Esc"), say("leave what is open")),
            (control("C"), say("clear the line; on an empty line leave; Ctrl-Q always leaves")),
        ]
    }

    /// Keys that are pressed together with Ctrl.
    private static func control(_ keys: String...) -> String { keys.map { say("Ctrl-\($0)") }.joined(separator: ", ") }

    private static var commands: [(String, String)] {
        SlashCommand.allCases.map { command in
            ("/" + command.rawValue + (command.argument.map { " " + say($0) } ?? ""), say(command.explanation))
        }
    }

    static func lines(width: Int) -> [[StyledText]] {
        [[StyledText(say("Keys and commands"), .strong)]] + table(keys + commands, width)
    }

    /// The commands alone.
    static func commands(width: Int) -> [[StyledText]] { table(commands, width) }

    private static func table(_ all: [(String, String)], _ width: Int) -> [[StyledText]] {
        let column = min(width / 2, 2 + all.reduce(0) { max($0, DisplayWidth.of($1.0)) })
        return all.map { key, meaning in
            [
                StyledText(DisplayWidth.pad(DisplayWidth.cut(key, to: column - 1), to: column), .name),
                StyledText(DisplayWidth.cut(meaning, to: max(1, width - column))),
            ]
        }
    }
}
