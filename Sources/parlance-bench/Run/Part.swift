import Foundation

/// A part of a run that can be measured alone.
protocol Part: SendableMetatype {
    static var name: String { get }
    /// Its subject in a few words.
    static var about: String { get }
    static func measure(_ bench: Bench) throws
}

/// All parts, in the order of measurement: parts that need a fresh store first, parts with long conversations later.
enum Parts {
    static let all: [any Part.Type] = [
        CostPart.self, LatencyPart.self, ChatPart.self, CommandPart.self, ThroughputPart.self, FilesPart.self,
        CatchUpPart.self,
        ReadyPart.self, IdlePart.self, HistoryPart.self, SearchPart.self, AssistantPart.self, FloodPart.self,
        InsiderPart.self, GroupPart.self, ToxPart.self, SizePart.self,
    ]

    /// One line for each part: its name and subject.
    static var list: String {
        all.map { $0.name.padding(toLength: 12, withPad: " ", startingAt: 0) + $0.about }.joined(separator: "\n")
    }
}
