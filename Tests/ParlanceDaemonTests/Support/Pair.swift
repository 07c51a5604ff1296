import ParlanceControl
import Testing

/// Ada and Bob on loopback, who have accepted each other.
struct Pair {
    let ada: LabNode
    let bob: LabNode

    /// Starts both and makes them meet: Ada asks, and Bob accepts.
    static func meeting(in lab: Lab) async throws -> Pair {
        let (first, second) = (try Lab.freePort(), try Lab.freePort())
        let ada = LabNode.onLoopback(lab, "Ada", port: first, dials: [second])
        let bob = LabNode.onLoopback(lab, "Bob", port: second, dials: [first])
        try ada.spawn()
        try bob.spawn()
        try await ada.ready()
        try await bob.ready()
        let pair = Pair(ada: ada, bob: bob)
        try await pair.meet()
        return pair
    }

    /// Waits for the link, and then until the contact is open on both sides.
    func meet() async throws {
        try await ada.sees("Bob", "connected") { $0.connected }
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
