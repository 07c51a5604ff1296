import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Couriers with real daemons: a message between two people who are never present at the same time.
    @Suite struct CourierTests {
        @Test func aMessageCrossesByACourier() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.meeting(in: lab)
                // Bob and Cleo must accept each other, too.
                try await crew.bob.sees("Cleo", "connected") { $0.connected }
                try await crew.bob.send("hello", to: "Cleo")
                try await crew.cleo.sees("Bob", "connected") { $0.connected }
                try await crew.cleo.accept("Bob")
                try await crew.cleo.reads(["hello"], in: "Bob")
                for (node, who) in [(crew.ada, "Bob"), (crew.bob, "Ada")] {
                    let named = try await node.parlance("courier", who)
                    #expect(named.code == 0 && named.output.contains("is your courier"), "\(named.errors)")
                }
                #expect(try await crew.ada.parlance("courier").output == "You have named Bob.\n")
                #expect(try await crew.cleo.parlance("courier").output.contains("no couriers"))
                try await crew.ada.send("first", to: "Cleo")
                try await crew.cleo.reads(["first"], in: "Ada")
                // Prekeys are sent a second after the link has opened.
                try await eventually("the doctor says that Bob would carry") {
                    let doctor = try await crew.ada.parlance("doctor", "Cleo")
                    return doctor.output.contains("couriers: Bob can be asked to carry to Cleo")
                }
                try await crew.cleo.end(SIGTERM)
                try await crew.ada.send("while you are away", to: "Cleo")
                try await eventually("Bob holds what Ada writes to Cleo") {
                    try await crew.ada.outbox().contains {
                        $0.why.english.contains("Cleo is offline; Bob holds it for them")
                    }
                }
                let held = try await crew.ada.messages(in: "Cleo").last
                #expect(held?.status == .sent, "a courier has it, and nobody says delivered")
                let texts = try await crew.ada.texts(with: "Cleo")
                try await crew.ada.end(SIGTERM)
                try await crew.cleo.start()
                try await crew.cleo.reads(texts, in: "Ada")
                try await crew.ada.start()
                try await crew.ada.deliversAll()
            }
        }
    }
}
