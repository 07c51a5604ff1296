import ArgumentParser
import ParlanceWords

/// A command that takes a number and none below zero: a word such as `-8h` is a wrong number, and not an unknown option.
protocol NumberCommand: ParsableCommand {
    /// What it takes, in one sentence.
    static var numbers: Phrase { get }
}
