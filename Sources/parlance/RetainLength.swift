import ArgumentParser

/// For how long messages stay, as typed: `12h`, `90d`, `52w` or `off`.
enum RetainLength: ExpressibleByArgument, Equatable {
    case off
    /// - seconds
    case after(Int)

    init?(argument: String) {
        if argument.lowercased() == "off" {
            self = .off
        } else if let length = MuteLength(argument: argument) {
            self = .after(length.seconds)
        } else {
            return nil
        }
    }

    /// Nil: without an end.
    var seconds: Int? { if case .after(let seconds) = self { seconds } else { nil } }
}
