import ParlanceControl
import ParlanceWaiting
import Testing

/// Ada and Bob on loopback, who have accepted each other.
struct Pair {
    let ada: LabNode
    let bob: LabNode

    /// Starts both and makes them meet; Ada's daemon may have more arguments, and a program that runs it.
    static func meeting(
        in lab: Lab,
        runner: [String] = [],
        arguments: [String] = [],
        folder: String? = nil,
        socket: String? = nil
    ) async throws -> Pair {
        let (first, second) = (try Lab.freePort(), try Lab.freePort())
        let ada = LabNode.onLoopback(
            lab,
            "Ada",
            folder: folder,
            port: first,
            dials: [second],
            runner: runner,
            arguments: arguments,
            socket: socket
        )
        let pair = Pair(ada: ada, bob: LabNode.onLoopback(lab, "Bob", port: second, dials: [first]))
        try await pair.start()
        return pair
    }

    /// Starts both and makes them meet: Ada asks, and Bob accepts.
    func start(linkedWithin limit: Duration = .seconds(15)) async throws {
        try ada.spawn()
        try bob.spawn()
        try await ada.ready()
        try await bob.ready()
        try await meet(linkedWithin: limit)
    }

    /// Waits for the link, and then until the contact is open on both sides.
    func meet(linkedWithin limit: Duration = .seconds(15)) async throws {
        try await ada.sees("Bob", within: limit, "connected") { $0.connected }
        try await ada.send("first contact", to: "Bob")
        try await eventually("Bob is asked to talk") {
            try await bob.conversation(with: "Ada")?.contact == .requested
        }
        try await bob.accept("Ada")
        try await ada.deliversAll()
        let texts = try await bob.texts(with: "Ada")
        #expect(texts == ["first contact"])
    }
}
