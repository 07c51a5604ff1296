import ArgumentParser
import ParlanceControl

/// `parlance watch`
struct WatchCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print what happens, as it happens.",
        discussion: """
            New messages, their statuses, what is edited or deleted, groups that change, people who come and go, who \
            types, who asks to talk. With --json each line \
            is {"type":..., "data":...}; protocol/control.md describes every type.

            Example: parlance watch --events message,request
            """
    )

    @Option(help: "Only these kinds, separated by commas: \(Self.kinds).")
    var events: String?

    @OptionGroup var options: Options

    private static let kinds = ControlEventKind.allCases.map(\.rawValue).joined(separator: ", ")

    func validate() throws {
        _ = try chosen()
    }

    private func chosen() throws -> Set<ControlEventKind>? {
        guard let events else { return nil }
        return Set(
            try events.split(separator: ",").map { word in
                guard let kind = ControlEventKind(rawValue: word.trimming(" ")) else {
                    throw ValidationError("'\(word)' is not a kind of event. Kinds: \(Self.kinds).")
                }
                return kind
            }
        )
    }

    func run(_ session: Session) async throws {
        let events = try await session.client.events(SubscriptionFilter(events: try chosen()))
        try await EventPrinter(session: session).follow(events)
    }
}

extension Substring {
    /// The text without a character at its ends.
    fileprivate func trimming(_ character: Character) -> String {
        String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
    }
}
