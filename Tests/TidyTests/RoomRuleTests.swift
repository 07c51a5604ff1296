import Testing

@Suite struct RoomRuleTests {
    private func violations(_ text: String, in path: String) -> [Int] {
        RoomRule.violations(in: SourceFile(path: "Sources/ParlanceCore/\(path)", text: text)).map(\.line)
    }

    @Test func theEngineIsExtendedInItsFolderOnly() {
        let text = "import ParlanceWire\n\nextension Engine {\n}\n"
        #expect(violations(text, in: "Dialing/Dialing+More.swift") == [3])
        #expect(violations(text, in: "Engine/Engine+More.swift") == [])
        #expect(violations("// extension Engine\nextension EngineCensus {}\n", in: "Dialing/More.swift") == [])
    }

    @Test func onlyTheRoomChangesAConversation() {
        let text = "conversations.change(id) { $0.dropWant(log) }\n"
        #expect(violations(text, in: "Engine/Engine+More.swift") == [1])
        #expect(violations(text, in: "Conversations/Conversations+More.swift") == [])
    }

    @Test func aChainOfTwoOptionalSubscriptsIsCaught() {
        #expect(violations("let a = links[id]?.sessions[conversation]?.isOpen\n", in: "Links/Links.swift") == [1])
        #expect(violations("let a = links[id]?.state.sessions[0]?.isOpen\n", in: "Links/Links.swift") == [1])
        #expect(violations("let a = links[id]?.session(of: b[0]) ?? c[1]\n", in: "Links/Links.swift") == [])
    }

    @Test(arguments: [
        "var targets: [Int] = []", "var open = 0", "package var open: Int", "internal var open: Int",
    ])
    func stateWithoutAWallIsCaught(text: String) {
        let room = "struct Dialing: Equatable {\n    private var a = 0\n    \(text)\n}\n"
        #expect(violations(room, in: "Dialing/Dialing.swift") == [3])
        for kind in ["package struct", "enum", "final class"] {
            let room = "\(kind) Dialing: Equatable {\n    private var a = 0\n    \(text)\n}\n"
            #expect(violations(room, in: "Dialing/Dialing.swift") == [3])
        }
        #expect(violations("struct Target {\n    \(text)\n}\n", in: "Dialing/Target.swift") == [])
    }

    @Test(arguments: [
        "private var a = 0", "private(set) var a: [Int] = []", "let a = 0", "var count: Int { a.count }",
        "var all: Int {",
        "    var inner = 0", "static let b = 1",
    ])
    func wallsPass(text: String) {
        #expect(violations("struct Contacts {\n    \(text)\n}\nstruct B {\n    var c = 1\n}\n", in: "A.swift") == [])
    }
}
