import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Writing messages that name files.
@Suite struct FileMessageTests {
    private static func mention(_ name: String, size: UInt64 = 7) -> FileMention {
        FileMention(
            file: FileID(value: Bytes32(hashing: Array(name.utf8), domain: Domain.branch)),
            name: name,
            size: size
        )
    }

    @Test func filesAreShownBesideTheTextOnBothSides() throws {
        let (world, group) = try GroupTests.world(3)
        world.run(for: 3_000)
        let plan = Self.mention("plan.pdf")
        let photo = Self.mention("roof.jpg")
        world.give(.send(who: "Bridge", text: "", files: [plan]), to: 0)
        world.run(for: 5_000)
        let first = try #require(world.nodes[2].disk.history(of: group).last)
        #expect(first.text.isEmpty && first.rich?.files == [plan])
        let about = MessageReference(conversation: group, event: first.reference)
        world.give(.reply(about, text: "@Ada: and the roof", files: [photo, plan]), to: 2)
        world.run(for: 5_000)
        for node in world.nodes {
            let answer = try #require(node.disk.history(of: group).last?.rich)
            #expect(answer.text == "@Ada: and the roof" && answer.files == [photo, plan])
            #expect(answer.mentions == [world.nodes[0].identity] && answer.quote?.message.id == first.id)
        }
    }

    @Test func whatBreaksALimitIsRefusedAndNothingIsWritten() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        let many = [FileMention](repeating: Self.mention("a"), count: Limits.filesPerMessage + 1)
        let longest = Self.mention(String(repeating: "n", count: Limits.fileMentionNameBytes))
        let cases: [(text: String, files: [FileMention], why: Refusal)] = [
            ("", [], .text(.emptyMessage)), (" \n", [], .text(.emptyMessage)),
            ("hi", many, .file(.tooMany(count: many.count))),
            ("hi", [Self.mention("a"), Self.mention("")], .file(.badName("file"))),
            ("hi", [Self.mention("a", size: Limits.fileBytes + 1)], .file(.badName("a"))),
            (
                String(repeating: "x", count: Limits.textBytes),
                [FileMention](repeating: longest, count: Limits.filesPerMessage), .file(.longNames)
            ),
        ]
        for (text, files, why) in cases {
            let answer = try bench.ask(.send(who: "Bob", text: text, files: files))
            #expect(answer == .failure(why))
        }
        let whole = [FileMention](repeating: longest, count: Limits.filesPerMessage)
        guard case .success(.sent(let sent)) = try bench.ask(.send(who: "Bob", text: "hi", files: whole)) else {
            throw EngineBench.Unexpected(what: "refused")
        }
        #expect(sent.sequence == 1)
    }
}
