import NIOCore
import ParlanceRandom
import ParlanceWords
import Testing

@testable import ParlanceControl

@Suite struct JSONTests {
    private func checkEvent<Event: ControlEvent>(_ event: Event) throws {
        let json = try parse(JSONWriter.text(JSONValueEncoder.encode(event)))
        #expect(try ControlEvents.read(event.kind.rawValue, json) as? Event == event)
    }

    private func parse(_ text: String) throws -> JSON {
        try JSONParser.parse(Array(text.utf8))
    }

    @Test func readsEveryKindOfValue() throws {
        let json = try parse(
            #" { "a" : [ 1 , -0, 2.5e1, true, false, null, "x" ], "b": {}, "c": [] , "big": 9223372036854775808 } "#
        )
        #expect(
            json
                == .object([
                    .init(
                        "a",
                        .array([.integer(1), .integer(0), .double(25), .bool(true), .bool(false), .null, .string("x")])
                    ),
                    .init("b", .object([])), .init("c", .array([])), .init("big", .double(9_223_372_036_854_775_808)),
                ])
        )
    }

    @Test func readsEscapes() throws {
        #expect(try parse(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00 ö""#) == .string("\"\\/\u{8}\u{C}\n\r\té😀 ö"))
        #expect(try parse(#""\u0000""#) == .string("\0"))
    }

    @Test(
        arguments: [
            "", " ", "{", "}", "[1,]", "[1 2]", "{\"a\":1,}", "{\"a\" 1}", "{a:1}", "01", "1.", ".5", "+1", "-", "1e",
            "1e+",
            "tru", "nul", "True", "\"", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\ud800\"", "\"\\ud800\\n\"",
            "\"\\ud800\\ud800\"", "\"\\udc00\"", "\"\n\"", "\"\t\"", "1 1", "[1]]", "nan", "1e999", "{\"a\":1,\"a\":2}",
            "'a'",
            "// x\n1", "\u{FEFF}1", "\0",
        ]
    )
    func refuses(_ text: String) {
        #expect(throws: JSONError.self) { try JSONParser.parse(Array(text.utf8)) }
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], [0x22, 0x5C, 0x6E, 0xFF, 0x22], [0x22, 0xFF, 0x5C, 0x6E, 0x22],
        ] as [[UInt8]]
    )
    func refusesInvalidUTF8(_ bytes: [UInt8]) {
        #expect(throws: JSONError.self) { try JSONParser.parse(bytes) }
    }

    @Test func refusesDeepNestingWithoutOverflowingTheStack() throws {
        let depth = ControlLimits.nesting
        let deepest = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        _ = try parse(deepest)
        #expect(throws: JSONError.self) { try parse("[" + deepest + "]") }
        #expect(throws: JSONError.self) { try parse(String(repeating: "[", count: 1_000_000)) }
        #expect(throws: JSONError.self) { try parse(String(repeating: "{\"a\":", count: 200_000)) }
    }

    @Test func refusesTooManyMembers() throws {
        func object(_ count: Int) -> String {
            "{" + (0..<count).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
        }
        _ = try parse(object(ControlLimits.objectMembers))
        #expect(throws: JSONError.self) { try parse(object(ControlLimits.objectMembers + 1)) }
    }

    @Test func neverTrapsOnMutatedInput() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let valid = Array(
            #"{"jsonrpc":"2.0","id":-1.5e3,"method":"se\u00e9\ud83d\ude00nd","params":{"a":["ö",null]}}"#.utf8
        )
        for _ in 0..<20_000 {
            var bytes = valid
            for _ in 0...Int(random.next() % 3) {
                bytes[Int(random.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            bytes.removeLast(Int(random.next() % 8))
            // An accepted value is written and read back unchanged.
            guard let json = try? JSONParser.parse(bytes) else { continue }
            let again = try? JSONParser.parse(Array(JSONWriter.text(json).utf8))
            #expect(again == json, "seed \(seed), \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test func writesControlCharactersEscaped() throws {
        let text = "\"\\\n\r\t\u{0}\u{1B}[31m\u{7F}\u{9B}°é😀"
        let written = JSONWriter.text(.string(text))
        #expect(written == #""\"\\\n\r\t\u0000\u001b[31m\u007f\u009b°é😀""#)
        #expect(try parse(written) == .string(text))
    }

    @Test func everyCodableOfTheInterfaceComesBackAsItWas() throws {
        let message = MessageInfo(
            id: "m1",
            conversation: "c",
            sender: "s",
            senderName: "S",
            mine: true,
            text: "hi\n",
            time: .init(milliseconds: 1),
            status: .staged,
            sequence: 7,
            waitingReason: "Bob is not here"
        )
        func check<Operation: ControlOperation>(_: Operation.Type, _ reply: Operation.Reply) throws {
            let text = JSONWriter.text(try JSONValueEncoder.encode(reply))
            #expect(try Operation.reply(from: parse(text)) == .success(reply))
        }
        try check(PeersOperation.self, PeersReply(peers: [Sample.bob]))
        try check(OutboxRetryOperation.self, message)
        let conversation = ConversationInfo(id: "c", title: "t", lastMessage: message)
        try check(
            HistoryOperation.self,
            HistoryReply(conversation: conversation, messages: [message, message], more: true)
        )
        let item = OutboxItem(
            id: "m",
            conversation: "c",
            recipients: [.init(id: "b", displayName: "B")],
            since: .init(milliseconds: 5),
            status: .failed,
            why: "w",
            preview: "p"
        )
        try check(OutboxOperation.self, OutboxReply(items: [item], total: 3))
        try check(StatusOperation.self, Self.nodeStatus)
        try check(TypingOperation.self, DoneReply())
        #expect(try JSONWriter.text(JSONValueEncoder.encode(DoneReply())) == "{}")
        try checkEvent(MessageEvent(message))
        try checkEvent(Sample.bob)
        try checkEvent(LaggedEvent(dropped: 4))
    }

    private static let nodeStatus = NodeStatus(
        version: "1",
        peerID: "p",
        replica: "r",
        name: "n",
        processID: 3,
        started: .init(milliseconds: 9),
        port: 4747,
        listening: ["a"],
        discovery: DiscoveryInfo(backend: .embedded, state: .running),
        dataPath: "/d",
        presence: OwnPresence(state: .away, text: "x"),
        counts: .init(nearby: 2),
        problems: [.init(code: "c", message: "m", advice: "a")]
    )

    /// Whatever changes the direction of writing, is invisible or breaks lines is escaped, and read back as it was.
    @Test func formatCharactersAreEscaped() throws {
        var escaped = 0
        for value in UInt32(0)...0xE01EF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let text = "a\(Character(scalar))b"
            let written = JSONWriter.text(.string(text))
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                escaped += 1
                #expect(written.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "U+\(String(value, radix: 16))")
            default: break
            }
            guard value < 0x3000 || value >= 0xE0000 else { continue }
            #expect(try JSONParser.parse(Array(written.utf8)) == .string(text), "U+\(String(value, radix: 16))")
        }
        #expect(escaped > 150)
    }
}
