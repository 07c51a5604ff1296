import Foundation

@testable import ParlanceAssistant

/// How well something is found, by labelled data.
struct Quality: CustomStringConvertible {
    /// What was found and is labelled, all that was found, and all that is labelled.
    var (hits, found, labelled) = (0, 0, 0)

    var precision: Double { found == 0 ? 1 : Double(hits) / Double(found) }
    var recall: Double { labelled == 0 ? 1 : Double(hits) / Double(labelled) }
    var f1: Double { precision + recall == 0 ? 0 : 2 * precision * recall / (precision + recall) }

    var description: String {
        String(format: "precision %.3f, recall %.3f, F1 %.3f", precision, recall, f1)
            + " (\(hits) of \(labelled), \(found) found)"
    }
}

/// Messages with labels (Data/README.md).
struct LabelledMessage: Decodable {
    struct Action: Decodable {
        let task: String
        let assignee: String?
        let deadline: String?
    }

    let sender: String
    let members: [String]
    let time: String
    let text: String
    let actions: [Action]
    let decision: Bool

    static func all(_ name: String) throws -> [LabelledMessage] { try LabelledData.lines(name) }

    var read: ReadMessage {
        // "2026-03-02T09:15:00+01:00"
        let offset = time.suffix(5).split(separator: ":").compactMap { Int($0) }
        let sign = time.dropLast(5).last == "-" ? -1 : 1
        let moment = (try? Date.ISO8601FormatStyle().parse(time))?.timeIntervalSince1970 ?? 0
        return ReadMessage(
            sender: sender,
            text: text,
            // In these, each name behind a sign is a mention.
            mentions: members,
            time: Int64(moment * 1_000),
            offset: offset.count == 2 ? sign * (offset[0] * 60 + offset[1]) * 60 : 0
        )
    }
}

enum LabelledData {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Data")

    static func lines<Line: Decodable>(_ name: String) throws -> [Line] {
        try Data(contentsOf: folder.appending(path: name)).split(separator: 0x0A).map {
            try JSONDecoder().decode(Line.self, from: Data($0))
        }
    }
}

/// How well the rules do on labelled messages.
struct RuleQuality {
    var actions = Quality()
    var decisions = Quality()
    /// Of the actions that were found and are labelled: how many have the labelled member, and day and time.
    var (assignees, deadlines) = (0, 0)

    init(_ messages: [LabelledMessage]) {
        for message in messages { measure(message) }
    }

    private mutating func measure(_ message: LabelledMessage) {
        let found = Rules.actions(in: message.read, members: message.members)
        actions.found += found.count
        actions.labelled += message.actions.count
        let pairs = found.indices.flatMap { left in
            message.actions.indices.map { (Self.overlap(found[left].task, message.actions[$0].task), left, $0) }
        }
        let areOnly = found.count == 1 && message.actions.count == 1
        var (lefts, rights): (Set<Int>, Set<Int>) = ([], [])
        for (overlap, left, right) in pairs.sorted(by: { $0.0 > $1.0 })
        where (overlap >= 0.5 || areOnly) && !lefts.contains(left) && !rights.contains(right) {
            lefts.insert(left)
            rights.insert(right)
            actions.hits += 1
            if found[left].assignee == message.actions[right].assignee { assignees += 1 }
            if found[left].deadline?.text == message.actions[right].deadline { deadlines += 1 }
        }
        let isFound = Rules.decision(in: message.read) != nil
        decisions.found += isFound ? 1 : 0
        decisions.labelled += message.decision ? 1 : 0
        decisions.hits += isFound && message.decision ? 1 : 0
    }

    /// Twice the shared words over all words.
    private static func overlap(_ left: String, _ right: String) -> Double {
        let (first, second) = (words(left), words(right))
        return 2 * Double(first.intersection(second).count) / Double(max(1, first.count + second.count))
    }

    private static func words(_ text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
}
