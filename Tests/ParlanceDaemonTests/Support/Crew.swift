import ParlanceControl
import ParlanceErrorCode
import ParlanceWaiting
import ParlanceWords
import Testing

/// Ada, Bob and Cleo on loopback. Ada has accepted Bob and Cleo, and they have accepted her, but not each other.
struct Crew {
    let ada: LabNode
    let bob: LabNode
    let cleo: LabNode

    var all: [LabNode] { [ada, bob, cleo] }

    /// Starts all three and waits until they have met.
    static func meeting(in lab: Lab) async throws -> Crew {
        let ports = [try Lab.freePort(), try Lab.freePort(), try Lab.freePort()]
        func node(_ name: String, _ index: Int) -> LabNode {
            let others = ports.indices.filter { $0 != index }.map { ports[$0] }
            return LabNode.onLoopback(lab, name, port: ports[index], dials: others)
        }
        let crew = Crew(ada: node("Ada", 0), bob: node("Bob", 1), cleo: node("Cleo", 2))
        for each in crew.all { try each.spawn() }
        for each in crew.all { try await each.ready() }
        for other in [crew.bob, crew.cleo] {
            try await crew.ada.sees(other.name, "connected") { $0.connected }
            try await other.sees("Ada", "connected") { $0.connected }
            try await other.accept("Ada")
            try await crew.ada.accept(other.name)
        }
        return crew
    }

    /// The same, with a group of all three that all of them see.
    static func grouped(in lab: Lab, _ title: String = "Crew") async throws -> Crew {
        let crew = try await meeting(in: lab)
        let made = try await crew.ada.parlance("group", "create", title, "Bob", "Cleo")
        #expect(made.output.hasPrefix("Created the group \(title). Members: you, Bob and Cleo.\n"), "\(made.errors)")
        for node in crew.all { try await node.has(title) { $0.members.count == 3 && $0.isMember } }
        return crew
    }
}

extension LabNode {
    func group(_ title: String) async throws -> GroupInfo? {
        do {
            return try await ask(GroupShowOperation(group: title))
        } catch let failure as ControlFailure where failure.code == ErrorCode.unknownPeer.rawValue {
            return nil
        }
    }

    /// Waits until a group is known and satisfies a condition.
    @discardableResult
    func has(
        _ title: String,
        within limit: Duration = .seconds(20),
        where condition: (GroupInfo) -> Bool = { _ in true }
    ) async throws -> GroupInfo {
        var last: GroupInfo?
        return try await soon("\(name) has \(title) as expected", within: limit, last: "\(last, default: "no group")") {
            last = try await group(title)
            return last.flatMap { condition($0) ? $0 : nil }
        }
    }

    /// The messages of a conversation without the lines about the group.
    func messages(in title: String) async throws -> [MessageInfo] {
        try await history(with: title).filter { $0.note == nil }
    }

    /// Waits until exactly these texts are shown in this order.
    func reads(_ texts: [String], in title: String, within limit: Duration = .seconds(20)) async throws {
        var last: [String] = []
        try await eventually("\(name) reads \(texts)", within: limit, every: .milliseconds(30), last: "\(last)") {
            last = try await messages(in: title).map(\.text)
            return last == texts
        }
    }

    /// Waits until a message satisfies a condition.
    @discardableResult
    func shows(
        _ id: String,
        in title: String,
        _ what: String,
        within limit: Duration = .seconds(20),
        where condition: (MessageInfo) -> Bool
    ) async throws -> MessageInfo {
        var last: MessageInfo?
        return try await soon(
            "\(name) shows the message \(what)",
            within: limit,
            every: .milliseconds(30),
            last: "\(last, default: "nothing")"
        ) {
            last = try await history(with: title).first { $0.id == id }
            return last.flatMap { condition($0) ? $0 : nil }
        }
    }
}
